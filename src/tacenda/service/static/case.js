// A case: what is known of it, what keys and buttons do, and how changes of others come in.

import { Refused, ask, post } from "./api.js";
import { makeDetail } from "./detail.js";
import { dialog, el, labeled, plain, say, toast } from "./dom.js";
import { makeList } from "./list.js";
import { makeText } from "./text.js";
import { helpDialog, hideDialog, limitDialog, ownDialog, releaseDialog } from "./tools.js";

const TONE = { "to do": "warn", reviewed: "good", "second look": "", released: "good" };

export async function openCase(id, show) {
  const [data, { packs }] = await Promise.all([ask(`/v1/cases/${id}`), ask("/v1/codes")]);
  const model = makeModel(id, data, packs);
  const act = {};
  const list = makeList(model, (one) => act.go(one));
  const text = makeText(model, (one) => act.go(one));
  const detail = makeDetail(model, act);
  const bar = makeBar(model, act);
  const tools = makeTools(model, act);
  const view = el("div", { class: "case" }, bar.node, tools.node,
    el("main", { id: "main", class: "desk", tabIndex: -1 }, list.node, text.node, detail.node));

  function refresh(items) {
    model.filter();
    if (items.length) text.update(items);
    list.draw();
    bar.draw();
    tools.draw();
  }

  // Take over what the server says has changed, by us or by others.
  function take(answer) {
    const touched = [];
    let structure = false;
    for (const [name, item] of Object.entries(answer.changed || {})) {
      const before = model.items.get(name);
      if (item === null) { if (before) touched.push(before); model.items.delete(name); structure = true; }
      else if (!before) { structure = true; const made = { ...item, id: name }; model.items.set(name, made); touched.push(made); }
      else {
        if (before.action !== item.action || before.replacement !== item.replacement) model.whys.delete(name);
        touched.push(Object.assign(before, item)); // in place: the sorted list holds the same objects
      }
    }
    const risky = new Set(answer.remaining_ids || []);
    const changed = [...risky, ...model.risky].filter((one) => risky.has(one) !== model.risky.has(one));
    model.risky = risky;
    touched.push(...changed.map((one) => model.items.get(one)).filter(Boolean));
    Object.assign(model, { version: answer.version, state: answer.state, owner: answer.owner, approved: answer.approved, remaining: answer.remaining, can: answer.can, released: answer.released, decisions: answer.decisions, open: answer.open });
    if (structure) { model.sort(); text.build(); }
    refresh(touched);
    return touched;
  }

  async function change(path, body) {
    try {
      const answer = await post(`/v1/cases/${id}/${path}`, { version: model.version, ...body });
      take(answer);
      return answer;
    } catch (error) {
      toast(error.message);
      if (error instanceof Refused && error.status === 409) await poll();
      else if (error instanceof Refused && error.status === 401) location.reload();
      return null;
    }
  }

  const current = () => model.items.get(model.now);

  Object.assign(act, {
    go(one, { quiet = false } = {}) {
      const before = model.now;
      model.now = one;
      model.candidates = [];
      list.reveal();
      list.draw();
      text.highlight(before);
      text.reveal();
      detail.draw();
      const item = current();
      if (item && !quiet) say(`${plain(model.textOf(item))}, ${labeled(item.label)}, ${item.action === "keep" ? "kept" : `becomes ${plain(item.replacement)}`}, ${item.state}`);
    },
    move(by) {
      const at = model.shown.findIndex((item) => item.id === model.now);
      const next = model.shown[Math.min(model.shown.length - 1, Math.max(0, at + by))];
      if (next) act.go(next.id);
    },
    nextOpen() {
      const at = model.shown.findIndex((item) => item.id === model.now);
      const later = model.shown.slice(at + 1).find((item) => item.state === "open");
      const next = later || model.shown.find((item) => item.state === "open");
      if (next) act.go(next.id);
      else { detail.draw(); say("Every decision shown has been looked at."); }
    },
    async decide(choice, more = {}, { stay = false } = {}) {
      const item = current();
      if (!item) return;
      // Shown at once; the server's answer corrects it if need be.
      const alike = model.scope === "this" ? [item] : model.alike(item);
      if (choice === "accept") {
        for (const one of alike) if (one.state === "open") one.state = "accepted";
        refresh(alike);
      }
      const sent = change("decide", { ids: [item.id], choice, scope: model.scope, ...more });
      if (!stay) act.nextOpen();
      const answer = await sent;
      if (answer && (stay || model.now === item.id)) detail.draw();
      if (answer && choice !== "accept") soon();
    },
    accept: () => act.decide("accept"),
    async acceptAll() {
      const open = model.shown.filter((item) => item.state === "open");
      if (!open.length) return say("Nothing is open.");
      await change("decide", { ids: open.map((item) => item.id), choice: "accept", scope: "this" });
      say(`${open.length} decisions accepted.`);
      detail.draw();
    },
    keep: () => act.decide("keep"),
    choose(n) {
      const one = model.candidates[n];
      if (one) act.decide(one.action, { replacement: one.text });
    },
    own() {
      const item = current();
      if (item) ownDialog(item, (replacement) => act.decide("own", { replacement }, { stay: true }));
    },
    async code(code) {
      const item = current();
      if (item) await change("code", { ids: [item.id], code, scope: model.scope === "this" ? "this" : "like" });
    },
    async hide(start, end, label) {
      const answer = await change("hide", { start, end, label, scope: model.scope === "this" ? "this" : "like" });
      if (!answer) return;
      const made = Object.keys(answer.changed).find((name) => answer.changed[name]);
      getSelection()?.removeAllRanges();
      if (made) act.go(made);
      soon();
    },
    hideSelection() {
      const chosen = text.selected();
      if (chosen) hideDialog(model, chosen, act.hide);
      else hideDialog(model, null, act.hide);
    },
    async undo() { if (await change("undo", {})) { detail.draw(); say("Undone."); soon(); } },
    async redo() { if (await change("redo", {})) { detail.draw(); say("Done again."); soon(); } },
    async state(state) { if (await change("state", { state })) say(`The case is ${model.state}.`); },
    async claim() { await change("state", { owner: model.owner !== model.you }); },
    release: () => releaseDialog(model, (body) => change("release", body)),
    limit: () => limitDialog(model, (one) => act.go(one)),
    help: helpDialog,
    filter() { model.filter(); list.draw(); },
    search(words) { model.words = words.trim().toLowerCase(); model.filter(); list.draw(); },
  });

  let timer = 0;
  async function poll() {
    clearTimeout(timer);
    try {
      const answer = await ask(`/v1/cases/${id}/changes?since=${model.version}`);
      if (answer.version !== model.version || answer.remaining !== model.remaining) {
        const others = answer.version !== model.version;
        take(answer);
        if (others) detail.draw();
      }
    } catch (error) {
      if (error.status === 401) return location.reload();
    }
    timer = setTimeout(poll, model.remaining === null ? 700 : 4000);
  }
  const soon = () => { clearTimeout(timer); timer = setTimeout(poll, 300); };

  const keys = (event) => onKey(event, model, act, tools, list);
  document.addEventListener("keydown", keys);
  const floating = floatingTools(text, act);
  show(view, plain(data.title));
  model.filter();
  list.draw();
  bar.draw();
  tools.draw();
  const first = model.shown.find((item) => item.state === "open") || model.shown[0];
  if (first) act.go(first.id, { quiet: true });
  list.rows.focus({ preventScroll: true });
  timer = setTimeout(poll, 1500);
  return () => { clearTimeout(timer); document.removeEventListener("keydown", keys); floating(); };
}

function makeModel(id, data, packs) {
  const model = {
    id, ...data, items: new Map(), whys: new Map(), risky: new Set(data.remaining_ids), now: null, shown: [], sorted: [], words: "",
    scope: "like", candidates: [], filters: { label: "", state: "", risk: "", page: "" },
    codes: new Map(packs.flatMap((pack) => pack.codes.map((code) => [code.id, code]))),
    textOf: (item) => model.view.text.slice(item.start, item.end),
    alike: (item) => (item.group < 0 ? [item] : model.sorted.filter((other) => other.group === item.group)),
    sort() { model.sorted = [...model.items.values()].sort((a, b) => a.start - b.start || a.end - b.end); },
    placeOf(item) {
      const parts = model.view.parts;
      let low = 0, high = parts.length;
      while (low < high) { const middle = (low + high) >> 1; if (parts[middle][0] <= item.start) low = middle + 1; else high = middle; }
      return low && item.start < parts[low - 1][1] ? parts[low - 1][3] : "";
    },
    pageOf: (item) => (model.placeOf(item).match(/(?:page|slide|sheet) \d+/i) || [model.placeOf(item)])[0],
    filter() {
      const { label, state, risk, page } = model.filters;
      const all = !label && !state && !risk && !page && !model.words;
      model.shown = all ? model.sorted : model.sorted.filter((item) =>
        (!label || item.label === label) && (!page || model.pageOf(item) === page) && (!state || matches(model, item, state)) &&
        (!risk || (risk === "inferred" ? item.inferred : risk === "left" ? model.risky.has(item.id) : !item.inferred)) &&
        (!model.words || model.textOf(item).toLowerCase().includes(model.words) || item.replacement.toLowerCase().includes(model.words)));
    },
  };
  for (const item of data.items) model.items.set(`${item.start}-${item.end}`, { ...item, id: `${item.start}-${item.end}` });
  model.sort();
  return model;
}

function matches(model, item, state) {
  if (state === "people") return ["kept", "changed", "added"].includes(item.state);
  if (state === "others") return item.by !== "policy" && item.by !== model.you;
  if (state === "hidden") return item.action !== "keep";
  return item.state === state;
}

function makeBar(model, act) {
  const badge = el("span", { class: "badge" });
  const progress = el("progress", { "aria-label": "Decisions looked at" });
  const done = el("span", { class: "small soft" });
  const left = el("span", { class: "badge" });
  const undo = el("button", { onclick: () => act.undo(), title: "Undo" }, "Undo ", el("kbd", { text: "U" }));
  const redo = el("button", { onclick: () => act.redo(), title: "Redo" }, "Redo");
  const claim = el("button", { onclick: () => act.claim() });
  const move = el("button", { onclick: () => act.state(move.value) });
  const release = el("button", { class: "primary", onclick: () => act.release() }, "Release…");
  const node = el("header", { class: "bar" },
    el("a", { href: "#", text: "Cases", "aria-label": "Back to all cases" }), el("h1", { text: plain(model.title) }), badge, progress, done, left,
    el("span", { class: "grow" }), undo, redo, claim, move, release,
    el("button", { class: "plain", "aria-label": "Keys and help", onclick: () => act.help() }, el("kbd", { text: "?" })));
  function draw() {
    badge.textContent = model.state;
    badge.className = `badge ${TONE[model.state] ?? ""}`;
    progress.max = model.items.size || 1;
    const open = [...model.items.values()].filter((item) => item.state === "open").length;
    progress.value = model.items.size ? model.items.size - open : 1;
    done.textContent = `${model.items.size - open} of ${model.items.size}`;
    left.textContent = model.remaining === null ? "assessing…" : model.remaining === 0 ? "no risk left" : `${model.remaining} risk${model.remaining > 1 ? "s" : ""} left`;
    left.className = `badge ${model.remaining === null ? "" : model.remaining ? "bad" : "good"}`;
    undo.disabled = !model.can.undo;
    redo.disabled = !model.can.redo;
    claim.textContent = model.owner === model.you ? "Give back" : model.owner ? `With ${model.owner}` : "Take it";
    const second = model.state === "second look";
    move.value = second ? "approved" : model.state === "to do" ? "reviewed" : "to do";
    move.replaceChildren(second ? "Approve" : model.state === "to do" ? "Mark as reviewed" : "Back to review");
    move.disabled = model.state === "to do" && open > 0;
    release.disabled = model.state !== "reviewed" && model.state !== "released";
    release.textContent = model.state === "released" ? "Released" : "Release…";
  }
  return { node, draw };
}

function makeTools(model, act) {
  const search = el("input", { type: "search", placeholder: "Search  ( / )", "aria-label": "Search decisions", oninput: () => act.search(search.value) });
  const label = el("select", { "aria-label": "Kind", onchange: () => { model.filters.label = label.value; act.filter(); } });
  const pick = (name, words, options) => el("select", { "aria-label": words, onchange: (event) => { model.filters[name] = event.target.value; act.filter(); } },
    options.map(([value, shown]) => el("option", { value, text: shown })));
  const state = pick("state", "State", [["", "all decisions"], ["open", "not looked at"], ["accepted", "accepted"], ["people", "changed by people"], ["others", "changed by others"], ["kept", "kept"], ["hidden", "hidden"]]);
  const risk = pick("risk", "Risk", [["", "any reason"], ["inferred", "can be inferred"], ["named", "names and numbers"], ["left", "risk left"]]);
  const pages = [...new Set(model.sorted.map(model.pageOf))].filter(Boolean);
  const page = pages.length > 1 && pages.length <= 5000 && pick("page", "Page or place", [["", "all places"], ...pages.map((one) => [one, plain(one)])]);
  const scope = el("div", { class: "segments", role: "radiogroup", "aria-label": "A choice is for" },
    [["this", "this one"], ["like", "all like this"], ["all", "all cases"]].map(([value, words]) =>
      el("label", {}, el("input", { type: "radio", name: "scope", value, checked: value === model.scope, onchange: () => { model.scope = value; } }), words)));
  const node = el("div", { class: "bar", role: "toolbar", "aria-label": "Find and filter" }, search, label, state, risk, page,
    scope, el("span", { class: "grow" }),
    el("button", { onclick: () => act.acceptAll() }, "Accept all shown ", el("kbd", { text: "⇧A" })),
    el("button", { onclick: () => act.hideSelection() }, "Hide words… ", el("kbd", { text: "H" })),
    model.view.limits.length > 0 && el("button", { onclick: () => act.limit() }, "Limit… ", el("kbd", { text: "L" })));
  let known = "";
  function draw() {
    const labels = [...new Set(model.sorted.map((item) => item.label))].sort();
    if (labels.join() === known) return;
    known = labels.join();
    label.replaceChildren(el("option", { value: "", text: "all kinds" }), ...labels.map((one) => el("option", { value: one, text: labeled(one), selected: one === model.filters.label })));
  }
  return { node, draw, search, scope };
}

function onKey(event, model, act, tools, list) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = event.target.matches("input:not([type=radio]), textarea, select");
  if (event.key === "Escape" && typing) { event.target.value = event.target.type === "search" ? "" : event.target.value; act.search(tools.search.value); list.rows.focus(); return; }
  if (event.key === "Enter" && event.target === tools.search) { list.rows.focus(); if (model.shown[0]) act.go(model.shown[0].id); return; }
  if (typing || (event.target.matches("button, a, summary, input") && [" ", "Enter"].includes(event.key))) return;
  const key = event.key;
  const table = {
    j: () => act.move(1), ArrowDown: () => act.move(1), k: () => act.move(-1), ArrowUp: () => act.move(-1),
    PageDown: () => act.move(10), PageUp: () => act.move(-10), Home: () => act.move(-1e9), End: () => act.move(1e9),
    n: () => act.nextOpen(), a: () => act.accept(), Enter: () => act.accept(), A: () => act.acceptAll(), x: () => act.keep(), e: () => act.own(),
    u: () => act.undo(), U: () => act.redo(), h: () => act.hideSelection(), l: () => model.view.limits.length && act.limit(),
    c: () => document.getElementById("code")?.focus(), s: () => nextScope(model, tools), "/": () => tools.search.focus(), "?": () => act.help(),
    r: () => (model.state === "to do" ? act.state("reviewed") : model.state === "second look" ? act.state("approved") : act.release()), t: () => act.claim(),
  };
  if (/^[1-9]$/.test(key)) { event.preventDefault(); act.choose(Number(key) - 1); return; }
  if (event.target.matches("input[type=radio]") && key.startsWith("Arrow")) return;
  if (table[key]) { event.preventDefault(); table[key](); }
}

function nextScope(model, tools) {
  const order = ["this", "like", "all"];
  model.scope = order[(order.indexOf(model.scope) + 1) % 3];
  for (const input of tools.scope.querySelectorAll("input")) input.checked = input.value === model.scope;
  say(`A choice is now for ${{ this: "this one", like: "all like this", all: "all cases" }[model.scope]}.`);
}

// Buttons beside a selection.
function floatingTools(text, act) {
  const box = el("div", { class: "float", role: "toolbar", "aria-label": "Hide the selection", hidden: true });
  document.body.append(box);
  const kinds = [["PERSON", "person"], ["LOC", "place"], ["ORG", "organization"], ["DATETIME", "date"], ["", "other"]];
  const draw = () => {
    const chosen = text.selected();
    box.hidden = !chosen || Boolean(document.querySelector("dialog[open]"));
    if (box.hidden) return;
    box.replaceChildren(el("span", { class: "small soft", text: "Hide as" }), ...kinds.map(([label, words]) =>
      el("button", { text: words, onmousedown: (event) => event.preventDefault(), onclick: () => { box.hidden = true; act.hide(chosen.start, chosen.end, label); } })));
    box.style.left = `${Math.max(8, Math.min(innerWidth - 420, chosen.box.left))}px`;
    box.style.top = `${Math.max(8, chosen.box.top - 48)}px`;
  };
  document.addEventListener("selectionchange", draw);
  return () => { document.removeEventListener("selectionchange", draw); box.remove(); };
}
