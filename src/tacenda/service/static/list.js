// The list of decisions. Only the rows in sight exist, so that thousands scroll like twenty.

import { el, labeled, plain } from "./dom.js";

const HEIGHT = 54;
const SPARE = 8;

export function makeList(model, choose) {
  const spacer = el("div", { class: "spacer", role: "presentation" });
  const rows = el("div", {
    class: "rows", role: "listbox", tabIndex: 0, id: "decisions", "aria-label": "Decisions",
  }, spacer);
  const count = el("span", { class: "soft small" });
  const node = el("nav", { class: "list", "aria-label": "List of decisions" },
    el("div", { class: "list-head" }, el("h3", { text: "Decisions" }), count), rows);
  const made = new Map();

  function row(index) {
    const item = model.shown[index];
    const was = plain(model.textOf(item)).replace(/\s+/g, " ");
    const becomes = item.action === "keep" ? "kept" : plain(item.replacement);
    const chosen = item.id === model.now;
    const entry = el("div", {
      class: `entry ${item.state}`, role: "option", id: `entry-${item.id}`, "data-id": item.id,
      "aria-selected": String(chosen), "aria-setsize": model.shown.length, "aria-posinset": index + 1,
      "aria-label": `${was}, ${labeled(item.label)}, becomes ${becomes}, ${item.state}`,
      onclick: () => choose(item.id),
    },
      el("span", { class: "was", text: was }),
      el("span", { class: "becomes", text: `→ ${becomes}` }),
      el("span", { class: "tag", text: labeled(item.label) }));
    entry.style.top = `${index * HEIGHT}px`;
    return entry;
  }

  function looks(index) {
    const item = model.shown[index];
    return `${item.id} ${item.state} ${item.action} ${item.replacement} ${item.id === model.now} ${model.shown.length}`;
  }

  function draw() {
    spacer.style.height = `${model.shown.length * HEIGHT}px`;
    const first = Math.max(0, Math.floor(rows.scrollTop / HEIGHT) - SPARE);
    const last = Math.min(model.shown.length, Math.ceil((rows.scrollTop + rows.clientHeight) / HEIGHT) + SPARE);
    // An entry that shows the same as before stays.
    for (const [index, one] of made) {
      if (index >= first && index < last && one.shows === looks(index)) continue;
      one.entry.remove();
      made.delete(index);
    }
    for (let index = first; index < last; index++) {
      if (made.has(index)) continue;
      const entry = row(index);
      made.set(index, { entry, shows: looks(index) });
      spacer.append(entry);
    }
    rows.setAttribute("aria-activedescendant", model.now ? `entry-${model.now}` : "");
    count.textContent = model.shown.length === model.items.size
      ? String(model.items.size) : `${model.shown.length} of ${model.items.size}`;
  }

  function reveal() {
    const index = model.shown.findIndex((item) => item.id === model.now);
    if (index < 0) return;
    const top = index * HEIGHT;
    if (top < rows.scrollTop + HEIGHT) rows.scrollTop = Math.max(0, top - HEIGHT);
    else if (top + 2 * HEIGHT > rows.scrollTop + rows.clientHeight) rows.scrollTop = top + 2 * HEIGHT - rows.clientHeight;
  }

  rows.addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
  new ResizeObserver(draw).observe(rows);
  return { node, rows, draw, reveal };
}
