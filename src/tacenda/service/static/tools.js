// Dialogs: own words, hiding words, moving a limit, releasing, and the list of keys.

import { post } from "./api.js";
import { dialog, el, labeled, plain, toast } from "./dom.js";

export function ownDialog(item, done) {
  const words = el("input", { id: "own", value: item.action === "keep" ? "" : item.replacement, autofocus: true, required: true, maxLength: 300 });
  const box = dialog("Own words",
    el("form", { onsubmit: (event) => { event.preventDefault(); box.close(); done(words.value); } },
      el("label", { htmlFor: "own", text: "What should stand there? It is fitted to the sentence and assessed again; a form that must be hidden is refused." }),
      words, el("div", { class: "buttons" }, el("button", { class: "primary", text: "Put it there" }),
        el("button", { type: "button", text: "Cancel", onclick: () => box.close() }))));
  words.select();
}

export function hideDialog(model, chosen, done) {
  const kinds = [["PERSON", "person"], ["LOC", "place"], ["ORG", "organization"], ["DATETIME", "date"], ["", "other"]];
  const start = chosen ? model.view.text.slice(chosen.start, chosen.end) : "";
  const words = el("input", { id: "hide", value: start, autofocus: true, required: true });
  const kind = el("select", { id: "kind" }, kinds.map(([value, text]) => el("option", { value, text })));
  const box = dialog("Hide words",
    el("form", { onsubmit: (event) => {
      event.preventDefault();
      const at = chosen && words.value === start ? chosen.start : model.view.text.toLowerCase().indexOf(words.value.toLowerCase());
      if (at < 0) return toast("These words do not stand in the document.");
      box.close();
      done(at, at + words.value.length, kind.value);
    } },
      el("label", { htmlFor: "hide", text: model.scope === "this" ? "Words to hide, where they stand first" : "Words to hide, wherever they stand in this case" }), words,
      el("label", { htmlFor: "kind", text: "They are a" }), kind,
      el("div", { class: "buttons" }, el("button", { class: "primary", text: "Hide" }), el("button", { type: "button", text: "Cancel", onclick: () => box.close() }))));
}

const LIMITS = {
  alpha: ["α", "Larger hides more: a term may tell at most 1/α of what is protected."],
  k: ["k", "Larger hides more: what is left must fit at least k people."],
  t: ["t", "Larger hides more: at least t originals must be plausible."],
  limit: ["limit in bits", "Smaller hides more: no term may carry more information than this."],
};

export function limitDialog(model, go) {
  const which = model.view.limits;
  const out = el("div", { class: "stack", role: "status", "aria-live": "polite" }, el("p", { class: "soft", text: "Move the slider to see what would change. Nothing is changed by looking." }));
  let turn = 0;
  const sliders = which.map((one) => {
    const [name, words] = LIMITS[one.name];
    const value = el("output", { text: String(one.value) });
    const range = el("input", {
      type: "range", min: one.low, max: one.high, step: one.step, value: one.value, id: `limit-${one.name}`,
      oninput: () => { value.textContent = range.value; clearTimeout(turn); turn = setTimeout(() => look(one, Number(range.value)), 40); },
    });
    return el("div", {}, el("label", { htmlFor: `limit-${one.name}` }, el("strong", { text: `${name} ` }), value, el("span", { class: "soft small", text: `  policy: ${one.value}` })),
      range, el("p", { class: "small soft", text: words }));
  });
  const box = dialog("What another limit would change", sliders, out, el("div", { class: "buttons" }, el("button", { text: "Close", onclick: () => box.close() })));
  // The first question assesses the case at the strictest end of the limit; moving the slider then only compares.
  for (const one of which) if (one.name !== "t") ask(one, one.value).catch(() => null);
  let asked = 0;
  function ask(one, value) { return post(`/v1/cases/${model.id}/preview`, { name: one.name, model: one.model || "", value }); }
  async function look(one, value) {
    const mine = ++asked;
    const waiting = setTimeout(() => out.replaceChildren(el("p", { class: "soft", text: "Working it out…" })), 250);
    try {
      const answer = await ask(one, value);
      if (mine !== asked) return;
      const part = (ids, words) => ids.length > 0 && el("div", {}, el("h3", { text: `${ids.length} ${words}` }), el("p", {}, ids.slice(0, 12).map((id) => {
        const [start, end] = id.split("-").map(Number);
        return [el("button", { class: "plain small", text: plain(model.view.text.slice(start, end)), onclick: () => { if (model.items.has(id)) { box.close(); go(id); } } }), " "];
      })));
      const same = !answer.more.length && !answer.fewer.length && !answer.other.length;
      out.replaceChildren(...[el("p", { text: same ? "Nothing would change." : `About ${answer.hidden} would be hidden.` }),
        part(answer.more, "more would be hidden"), part(answer.fewer, "would not be hidden"), part(answer.other, "would be replaced otherwise")].filter(Boolean));
    } catch (error) {
      out.replaceChildren(el("p", { class: "badge bad", text: error.message }));
    } finally {
      clearTimeout(waiting);
    }
  }
}

export function releaseDialog(model, done) {
  const files = el("ul", { class: "files" });
  const list = () => {
    files.replaceChildren(...model.released.map((name) => el("li", { text: name })));
    const link = el("a", { href: `/v1/cases/${model.id}/release.zip`, download: `case-${model.id}.zip`, text: "Download all as one archive" });
    return [el("p", { text: "Released. Every file was opened again after writing and searched for what was hidden." }), files, link];
  };
  if (model.state === "released") {
    const box = dialog("Released", list(), el("div", { class: "buttons" }, el("button", { text: "Close", onclick: () => box.close() })));
    return;
  }
  const codes = el("input", { type: "checkbox" });
  const accept = el("input", { type: "checkbox" });
  const items = [...model.items.values()];
  const kept = items.filter((item) => item.state === "kept").length;
  const send = el("button", { class: "primary", text: "Release" });
  const body = el("form", { onsubmit: async (event) => {
    event.preventDefault();
    send.disabled = true;
    send.textContent = "Writing and checking…";
    const answer = await done({ show_codes: codes.checked, accept_remaining: accept.checked });
    if (!answer) { send.disabled = false; send.textContent = "Release"; return; }
    body.replaceChildren(...list(), el("p", { class: "soft small", text: `Certificate: ${answer.summary.certificate}` }),
      el("div", { class: "buttons" }, el("button", { type: "button", text: "Close", onclick: () => box.close() })));
  } },
    el("p", { text: `${items.filter((item) => item.action !== "keep").length} passages hidden or replaced, ${kept} kept by reviewers, ${model.remaining ?? "?"} risks left.` }),
    model.view.notes.length > 0 && el("details", {}, el("summary", { text: "Notes of the plan" }), el("ul", {}, model.view.notes.map((note) => el("li", { text: plain(note) })))),
    el("label", {}, codes, " show exemption codes at their places"),
    el("label", { hidden: model.remaining === 0 }, accept, " release although risks remain; the report says so"),
    el("div", { class: "buttons" }, send, el("button", { type: "button", text: "Cancel", onclick: () => box.close() })));
  const box = dialog("Release", body);
}

export function helpDialog() {
  const keys = [["A or Enter", "accept, and go on to the next"], ["⇧A", "accept all that are shown"], ["X", "keep the original"], ["1 – 9", "put a candidate there"], ["E", "own words"],
    ["J, K, ↓, ↑", "next, previous"], ["N", "next not looked at"], ["S", "choices are for: this one, all like this, all cases"], ["C", "exemption code"],
    ["H", "hide the selection, or words you type"], ["L", "what another limit would change"], ["U, ⇧U", "undo, redo"], ["/", "search"], ["T", "take the case, or give it back"], ["R", "mark as reviewed; then release"], ["?", "this list"]];
  const box = dialog("Keys", el("div", { class: "keys" }, keys.map(([key, words]) => [el("kbd", { text: key }), el("span", { text: words })])),
    el("p", { class: "small soft", text: "Yellow: not looked at yet. Blue: accepted. Purple: changed by people. Red: kept although risky. Dotted underline: hidden because of what can be inferred from it." }),
    el("div", { class: "buttons" }, el("button", { text: "Close", autofocus: true, onclick: () => box.close() })));
}
