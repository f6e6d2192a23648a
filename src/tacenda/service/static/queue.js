// The queue: every case with its state, what is left to do, and who has it.

import { ask, post } from "./api.js";
import { el, plain, say, toast } from "./dom.js";

const TONE = { "to do": "warn", reviewed: "good", "second look": "", released: "good", opening: "", failed: "bad" };

export async function openQueue(show) {
  const [{ policies }, first] = await Promise.all([ask("/v1/policies"), ask("/v1/cases")]);
  const rows = el("tbody");
  const view = el(
    "div", {},
    el("header", { class: "bar" },
      el("h1", { text: "Cases" }), el("span", { class: "grow" }),
      el("span", { class: "soft small", text: `signed in as ${first.you}` }),
      el("button", { class: "plain", text: "Sign out", onclick: signOut })),
    el("main", { id: "main", class: "queue", tabIndex: -1 },
      upload(policies, () => refresh()),
      el("div", { class: "card scroll" },
        el("table", {},
          el("caption", { class: "unseen", text: "Cases under review" }),
          el("thead", {}, el("tr", {}, ["Case", "State", "Reviewed", "Risk left", "With", ""].map(
            (name) => el("th", { scope: "col", text: name })))),
          rows))),
  );
  let timer = 0;
  const refresh = async () => {
    clearTimeout(timer);
    try {
      fill(rows, (await ask("/v1/cases")).cases);
    } catch (error) {
      if (error.status === 401) return location.reload();
      toast(error.message);
    }
    timer = setTimeout(refresh, 2500);
  };
  fill(rows, first.cases);
  show(view, "Cases");
  timer = setTimeout(refresh, 800);
  return () => clearTimeout(timer);
}

let drawn = "";
function fill(rows, cases) {
  const now = JSON.stringify(cases);
  if (now === drawn && rows.childElementCount) return;
  drawn = now;
  if (!cases.length) {
    const words = "No cases yet. Add files above, or start the server with --cases FOLDER.";
    rows.replaceChildren(el("tr", {}, el("td", { colSpan: 6, class: "soft", text: words })));
    return;
  }
  rows.replaceChildren(...cases.map(line));
}

function line(one) {
  const opened = one.decisions !== undefined;
  const name = plain(one.title);
  const done = opened ? one.decisions - one.open : 0;
  return el("tr", { "data-case": one.id },
    el("td", {}, opened ? el("a", { href: `#case/${one.id}`, text: name }) : name,
      one.message && el("div", { class: "small soft", text: one.message })),
    el("td", {}, el("span", { class: `badge ${TONE[one.state] ?? ""}`, text: one.state })),
    el("td", { class: "number" }, opened && [
      el("progress", { max: one.decisions || 1, value: one.decisions ? done : 1, "aria-label": "Reviewed" }),
      ` ${done} of ${one.decisions}`]),
    el("td", { class: "number", text: opened ? (one.remaining === null ? "…" : String(one.remaining)) : "" }),
    el("td", { text: one.owner || "" }),
    el("td", {}, opened && el("a", { href: `#case/${one.id}`, text: "Open" , "aria-label": `Open ${name}` })));
}

function upload(policies, done) {
  const files = el("input", { type: "file", multiple: true, id: "files" });
  const policy = el("select", { id: "policy", multiple: false },
    el("option", { value: "", text: "the server's policy" }),
    policies.map((one) => el("option", { value: one.name, text: one.name, title: one.description })));
  const send = async (chosen) => {
    if (!chosen.length) return toast("Choose one or more files first.");
    const form = new FormData();
    for (const file of chosen) form.append("file", file, file.name);
    if (policy.value) form.append("policy", policy.value);
    try {
      await ask("/v1/cases", { method: "POST", form });
      say("The case is being opened.");
      files.value = "";
    } catch (error) {
      toast(error.message);
    }
    done();
  };
  const box = el("form", {
    class: "card drop", "aria-label": "Add a case",
    onsubmit: (event) => { event.preventDefault(); send([...files.files]); },
    ondragover: (event) => { event.preventDefault(); box.classList.add("over"); },
    ondragleave: () => box.classList.remove("over"),
    ondrop: (event) => { event.preventDefault(); box.classList.remove("over"); send([...event.dataTransfer.files]); },
  },
    el("label", { htmlFor: "files" }, el("strong", { text: "Add a case" }),
      el("span", { class: "soft", text: " (files added together are one case)" })),
    files, el("span", { class: "pair" }, el("label", { htmlFor: "policy", text: "Policy" }), policy),
    el("button", { class: "primary", text: "Open for review" }));
  return box;
}

async function signOut() {
  await ask("/session", { method: "DELETE" });
  location.reload();
}
