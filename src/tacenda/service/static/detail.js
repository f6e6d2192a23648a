// One decision: why, with the evidence; what else could stand there; what keeping it would tell.

import { ask } from "./api.js";
import { el, labeled, plain, shown } from "./dom.js";

const ACTIONS = { generalize: "more general", label: "label", suppress: "left out", pseudonym: "pseudonym", date: "coarser date", dates: "coarser date" };
const STATES = { open: "not looked at yet", accepted: "accepted", kept: "kept by a reviewer", changed: "changed by a reviewer", added: "added by a reviewer" };

export function makeDetail(model, act) {
  const node = el("aside", { class: "detail", "aria-label": "Decision", tabIndex: -1 });
  let asked = 0;

  async function draw() {
    const item = model.items.get(model.now);
    const turn = ++asked;
    if (!item) {
      node.replaceChildren(el("p", { class: "soft", text: "Nothing is selected." }));
      return;
    }
    // What is known stands at once; the reasons follow when they have been fetched.
    node.replaceChildren(...head(item));
    let known = model.whys.get(item.id);
    if (!known) {
      try {
        known = await ask(`/v1/cases/${model.id}/decisions/${item.id}`);
      } catch (error) {
        if (turn === asked) node.append(el("p", { class: "badge bad", text: error.message }));
        return;
      }
      model.whys.set(item.id, known);
    }
    if (turn !== asked) return;
    const current = model.items.get(item.id);
    if (!current) return;
    model.candidates = known.candidates;
    node.replaceChildren(...head(current), ...reasons(current, known), ...choices(current, known), exemption(current, known), effect(current, turn));
  }

  function head(item) {
    const becomes = item.action === "keep" ? "kept as it is" : item.replacement;
    const place = model.placeOf(item);
    return [
      el("div", {},
        el("p", { class: "small soft", text: [labeled(item.label), place, model.alike(item).length > 1 && `${model.alike(item).length} times in this case`].filter(Boolean).join(" · ") }),
        el("p", { class: "quote" }, ...shown(model.textOf(item))),
        el("p", { class: "quote" }, el("span", { class: "arrow", text: "→ " }), ...shown(becomes)),
        el("p", { class: "small soft", text: `${STATES[item.state]}${item.by !== "policy" ? ` · ${item.by}` : ""}` })),
      el("div", { class: "buttons" },
        el("button", { class: "primary", "data-act": "accept", onclick: () => act.accept() }, "Accept ", el("kbd", { text: "A" })),
        el("button", { "data-act": "keep", disabled: ["known", "protected"].includes(item.kind), onclick: () => act.keep() }, "Keep original ", el("kbd", { text: "X" })),
        el("button", { "data-act": "own", onclick: () => act.own() }, "Own words ", el("kbd", { text: "E" }))),
    ];
  }

  function reasons(item, known) {
    const words = known.words || (item.state === "added" ? "A reviewer selected this to be hidden." : "No risk names this.");
    return [
      el("section", {}, el("h3", { text: "Why" }), el("p", {}, ...emphasized(words)), sentence(item, known.sentence)),
      known.risks.length > 0 && el("details", { class: "evidence" },
        el("summary", { text: `Evidence (${known.risks.length})` }),
        el("div", { class: "scroll" }, el("table", {},
          el("thead", {}, el("tr", {}, ["Tells", "Score", "Limit", "By", "Counts"].map((t) => el("th", { scope: "col", text: t })))),
          el("tbody", {}, known.risks.map((risk) => el("tr", {},
            el("td", { text: plain(risk.discloses) }), el("td", { text: `${risk.score} ${risk.unit}` }), el("td", { text: String(risk.limit) }),
            el("td", { text: risk.model }),
            el("td", { text: Object.entries(risk.counts).filter(([k]) => !k.includes("without")).map(([k, v]) => `${k} ${v.toLocaleString("en")}`).join(", ") }))))))),
    ].filter(Boolean);
  }

  // Words of the explanation quote the document between asterisks.
  function emphasized(words) {
    return words.split(/(\*[^*]+\*)/).filter(Boolean).map((piece) =>
      piece.startsWith("*") && piece.endsWith("*") && piece.length > 2
        ? el("em", {}, ...shown(piece.slice(1, -1))) : document.createTextNode(plain(piece)));
  }

  function sentence(item, [start, end]) {
    const text = model.view.text;
    return el("p", { class: "sentence" },
      ...shown(text.slice(start, item.start)), el("b", {}, ...shown(model.textOf(item))), ...shown(text.slice(item.end, end).trimEnd()));
  }

  function choices(item, known) {
    if (!known.candidates.length) return [];
    return [el("section", {}, el("h3", { text: "Could stand there instead" }),
      el("div", { class: "choices" }, known.candidates.map((one, n) => el("button", {
        class: "choice", "aria-pressed": String(item.action === one.action && item.replacement === one.text),
        onclick: () => act.choose(n), "data-candidate": n,
        "aria-label": `${one.text}, ${ACTIONS[one.action] || one.action}, keeps ${Math.round(one.keeps * 100)} percent`,
      },
        n < 9 ? el("kbd", { text: String(n + 1) }) : el("span"),
        el("span", { class: "text-of" }, ...shown(one.text), el("span", { class: "small soft", text: `  ${ACTIONS[one.action] || one.action}` })),
        el("meter", { value: one.keeps, min: 0, max: 1, title: `keeps ${Math.round(one.keeps * 100)} % of the information` })))))];
  }

  function exemption(item, known) {
    const proposed = known.codes.map((id) => model.codes.get(id)).filter(Boolean);
    const others = [...model.codes.values()].filter((code) => !known.codes.includes(code.id));
    const option = (code) => el("option", { value: code.id, text: `${code.shown}  ${code.title}`, selected: code.id === item.code, title: code.text });
    return el("section", {}, el("h3", {}, el("label", { htmlFor: "code", text: "Exemption " }), el("kbd", { text: "C" })),
      el("select", { id: "code", onchange: (event) => act.code(event.target.value) },
        el("option", { value: "", text: "none", selected: !item.code }),
        proposed.length > 0 && el("optgroup", { label: "Proposed" }, proposed.map(option)),
        el("optgroup", { label: "All" }, others.map(option))));
  }

  function effect(item, turn) {
    const box = el("section", {}, el("h3", { text: "If it were kept" }));
    if (item.kind === "known" || item.kind === "protected") {
      box.append(el("p", { text: "The policy does not allow it to be kept." }));
      return box;
    }
    const waiting = el("p", { class: "soft", text: "Working it out…" });
    box.append(waiting);
    // Only for the decision someone stays on: assessing a long case takes a while.
    setTimeout(async () => {
      if (turn !== asked) return;
      try {
        const { told } = await ask(`/v1/cases/${model.id}/decisions/${item.id}/effect?scope=${model.scope === "this" ? "this" : "like"}`);
        if (turn === asked) waiting.replaceWith(...outcome(told));
      } catch (error) {
        if (turn === asked) waiting.textContent = error.message;
      }
    }, 350);
    return box;
  }

  function outcome(told) {
    if (!told.length) return [el("p", { text: "Nothing else would pass its limit." })];
    return told.map((risk) => {
      const others = risk.with.map((id) => model.items.get(id)).filter(Boolean);
      if (risk.unit === "type") return el("p", { text: "The policy hides this kind of thing: keeping it counts as a risk that is left." });
      const what = risk.discloses === "identity" ? "who this is about" : risk.discloses;
      return el("p", {}, `A reader would learn ${plain(what)} (${risk.score} ${risk.unit}, allowed ${risk.limit})`,
        others.length ? " together with " : ".", others.slice(0, 5).map((other, n) => [n ? ", " : "",
          el("button", { class: "plain small", text: plain(model.textOf(other)), onclick: () => act.go(other.id) })]));
    });
  }

  return { node, draw };
}
