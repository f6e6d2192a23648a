// The document beside its result, stretch by stretch in one grid, so that both stay side by side while scrolling.

import { ask, post } from "./api.js";
import { el, plain, shown } from "./dom.js";

const LONG = 1500; // characters of a stretch, about
const CHUNK = 6000; // characters drawn at once
const FEW = 12; // pieces up to which all are drawn

// Cut the text where a line or a part ends and no decision is cut through.
export function stretches(text, parts, items) {
  const places = new Map(parts.filter((p) => p[3]).map((p) => [p[0], p[3]]));
  const edges = new Set(parts.map((p) => p[0]));
  const covered = items.map((item) => [item.start, item.end]).sort((a, b) => a[0] - b[0]);
  const found = [];
  let start = 0, at = 0, k = 0;
  while (at < text.length) {
    const line = text.indexOf("\n", at);
    let end = line < 0 ? text.length : line + 1;
    if (end - start > LONG * 2 && line - at > LONG * 2) {
      const space = text.lastIndexOf(" ", start + LONG);
      if (space > start) end = space + 1;
    }
    while (k < covered.length && covered[k][1] <= end) k++;
    const inside = k < covered.length && covered[k][0] < end && covered[k][1] > end;
    const next = parts.length ? edges.has(end) || nextPartWithin(edges, end, text) : false;
    if (!inside && (end - start >= LONG || end >= text.length || (next && places.has(end)) || text.startsWith("\n", end))) {
      found.push({ start, end, where: whereOf(parts, start) });
      start = end;
    }
    at = end;
  }
  if (start < text.length) found.push({ start, end: text.length, where: whereOf(parts, start) });
  return found;
}

const nextPartWithin = (edges, end, text) => edges.has(end + 1) && text[end] === "\n";

function whereOf(parts, offset) {
  let low = 0, high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle][0] <= offset) low = middle + 1; else high = middle;
  }
  return low ? parts[low - 1][3] : parts.length ? parts[0][3] : "";
}

export function makeText(model, choose) {
  const place = new WeakMap(); // text node -> where it begins in the document
  const body = el("div", { class: "body" });
  const picture = el("button", { class: "plain small", hidden: !model.view.pages, onclick: () => toggle() });
  const node = el("div", { class: "text", tabIndex: 0, role: "region", "aria-label": "Document and result" },
    el("div", { class: "heads" },
      el("div", {}, el("h3", { text: "Original" }), picture), el("div", {}, el("h3", { text: "Result" }))), body);
  let rows = [];
  let pictures = model.view.pages > 0;

  // Long documents are drawn in pieces of a few screens, and only those near the one in sight exist; what is far away
  // keeps its height. Short ones are drawn whole.
  const chunkOf = new WeakMap();
  let chunks = [];
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const chunk = chunkOf.get(entry.target);
      if (chunk && entry.isIntersecting) draw(chunk);
      else if (chunk) clear(chunk);
    }
  }, { root: node, rootMargin: "1500px" });

  function build() {
    near.disconnect();
    picture.textContent = pictures ? "Show text" : "Show pages";
    const cuts = pictures ? pages() : stretches(model.view.text, model.view.parts, [...model.items.values()]);
    rows = cuts;
    chunks = [];
    let before = null;
    for (const row of rows) {
      row.head = row.where && row.where !== before ? row.where : "";
      before = row.where;
      const last = chunks.at(-1);
      if (last && !row.page && row.end - last.rows[0].start < CHUNK) last.rows.push(row);
      else chunks.push({ rows: [row], node: el("div", { class: "chunk" }), drawn: false });
      row.chunk = chunks.at(-1);
    }
    const short = chunks.length <= FEW;
    for (const chunk of chunks) {
      chunkOf.set(chunk.node, chunk);
      const size = chunk.rows.at(-1).end - chunk.rows[0].start;
      if (short) draw(chunk);
      else chunk.node.style.minHeight = `${chunk.rows[0].page ? 700 : Math.ceil(size / 45) * 27}px`;
    }
    body.replaceChildren(...chunks.map((chunk) => chunk.node));
    if (!short) for (const chunk of chunks) near.observe(chunk.node);
  }

  function draw(chunk) {
    if (chunk.drawn) return;
    chunk.drawn = true;
    for (const row of chunk.rows) {
      row.source = el("div", { class: "cell", lang: "en" });
      row.result = el("div", { class: "cell result", lang: "en" });
      row.row = el("div", { class: "row" }, row.head && el("div", { class: "where", text: row.head }), row.source, row.result);
      fill(row);
    }
    chunk.node.replaceChildren(...chunk.rows.map((row) => row.row));
    chunk.node.style.minHeight = "";
  }

  function clear(chunk) {
    if (!chunk.drawn || getSelection()?.containsNode(chunk.node, true)) return;
    chunk.node.style.minHeight = `${chunk.node.offsetHeight}px`;
    chunk.node.replaceChildren();
    chunk.drawn = false;
    for (const row of chunk.rows) row.row = row.source = row.result = null;
  }

  function pages() {
    const found = [];
    for (const [start, end, , where] of model.view.parts) {
      const number = Number((where.match(/page (\d+)/) || [])[1] || 0);
      const last = found.at(-1);
      if (last && last.page === number) last.end = end;
      else found.push({ start, end, where: `page ${number}`, page: number });
    }
    found.forEach((row, n) => { if (n + 1 < found.length) row.end = found[n + 1].start; });
    if (found.length) { found[0].start = 0; found.at(-1).end = model.view.text.length; }
    return found;
  }

  const drawn = new Map(); // name of a decision -> what its marks show
  const signature = (item) => `${item.action} ${item.replacement} ${JSON.stringify(item.fixes)}`;

  function recolor(item) {
    const row = rowOf(item.start);
    if (!row?.row) return;
    for (const node of row.row.querySelectorAll(`[data-id="${item.id}"]`)) node.className = `${node.tagName === "MARK" ? "" : "box "}${classes(item)}`;
  }

  // Decisions are sorted by their place: where those of a row begin is found by halving.
  function inside(row) {
    const all = model.sorted;
    let low = 0, high = all.length;
    while (low < high) { const middle = (low + high) >> 1; if (all[middle].start < row.start) low = middle + 1; else high = middle; }
    let end = low;
    while (end < all.length && all[end].start < row.end) end++;
    return all.slice(low, end);
  }

  function fill(row) {
    const items = inside(row);
    if (row.page) { drawPage(row, items); drawResult(row, items); return; }
    row.source.replaceChildren(...marked(row, items, true));
    row.result.replaceChildren(...marked(row, items, false));
  }

  function marked(row, items, original) {
    const nodes = [];
    let at = row.start;
    const edits = [];
    for (const item of items) {
      if (!original && item.action !== "keep") for (const [a, b, t] of item.fixes) edits.push({ start: a, end: b, text: t });
      edits.push({ start: item.start, end: item.end, item });
    }
    edits.sort((a, b) => a.start - b.start || a.end - b.end);
    for (const edit of edits) {
      if (edit.start < at) continue;
      nodes.push(...shown(model.view.text.slice(at, edit.start), at, original ? place : null));
      if (edit.item) nodes.push(mark(edit.item, original));
      else nodes.push(...shown(edit.text));
      at = edit.end;
    }
    nodes.push(...shown(model.view.text.slice(at, row.end), at, original ? place : null));
    return nodes;
  }

  const classes = (item) => [
    item.action === "keep" && item.state !== "kept" ? "silent" : item.state,
    item.inferred ? "inferred" : "", item.id === model.now ? "now" : "", model.risky.has(item.id) ? "risky" : "",
  ].filter(Boolean).join(" ");

  function mark(item, original) {
    const text = original || item.action === "keep" ? model.textOf(item) : item.replacement;
    drawn.set(item.id, signature(item));
    const node = el("mark", { class: classes(item), "data-id": item.id, onclick: () => choose(item.id) });
    node.append(...shown(text, item.start, original ? place : null));
    return node;
  }

  // ---- pages of a PDF as pictures, with boxes over them ----------------------------------------------

  function drawPage(row, items) {
    const holder = el("div", { class: "page" });
    const image = el("img", {
      src: `/v1/cases/${model.id}/pages/${row.page}`, loading: "lazy", alt: `Page ${row.page} as a picture`,
    });
    holder.append(image);
    row.holder = holder;
    row.source.replaceChildren(holder);
    image.addEventListener("load", () => boxesOf(row, inside(row)), { once: true });
    if (row.boxes) place_boxes(row, items);
  }

  async function boxesOf(row, items) {
    if (!items.length) return;
    const spans = items.slice(0, 2000).map((item) => [item.start, item.end]);
    const answer = await post(`/v1/cases/${model.id}/boxes`, { spans }).catch(() => null);
    if (!answer) return;
    if (!row.row) return;
    row.boxes = new Map(items.map((item, n) => [item.id, answer.boxes[n] || []]));
    place_boxes(row, items);
  }

  function place_boxes(row, items) {
    row.holder.querySelectorAll(".box").forEach((box) => box.remove());
    const image = row.holder.querySelector("img");
    if (!image.naturalWidth) return;
    for (const item of items) {
      for (const [page, ...box] of row.boxes.get(item.id) || []) {
        if (page === row.page) row.holder.append(boxAt(item, box, image, model.textOf(item)));
      }
    }
  }

  // ---- pages of the result: drawn by the server as the decisions stand, when they come into sight -------

  const rowsOf = new WeakMap();
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const row = rowsOf.get(entry.target);
      if (!row) continue;
      row.seen = entry.isIntersecting;
      if (row.seen && row.stale) loadResult(row);
    }
  }, { root: node, rootMargin: "300px" });

  function drawResult(row, items) {
    for (const item of items) drawn.set(item.id, signature(item));
    row.made = el("div", { class: "page" });
    row.stale = true;
    row.result.replaceChildren(row.made);
    rowsOf.set(row.row, row);
    watcher.observe(row.row);
  }

  function renewResult(row, items) {
    for (const item of items) drawn.set(item.id, signature(item));
    row.stale = true;
    if (row.seen) loadResult(row);
  }

  async function loadResult(row) {
    row.stale = false;
    const turn = row.turn = (row.turn || 0) + 1;
    const answer = await ask(`/v1/cases/${model.id}/pages/${row.page}/result`).catch(() => null);
    if (turn !== row.turn || !row.row) return;
    if (!answer?.picture) { row.result.replaceChildren(...marked(row, inside(row), false)); return; }
    const bytes = Uint8Array.from(atob(answer.picture), (char) => char.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
    const image = el("img", { src: url, alt: `Page ${row.page} of the result as a picture` });
    image.addEventListener("load", () => {
      URL.revokeObjectURL(url);
      if (turn !== row.turn || !row.row) return;
      row.made.replaceChildren(image);
      row.result.replaceChildren(row.made);
      for (const item of inside(row)) {
        const words = item.action === "keep" ? model.textOf(item) : item.replacement;
        for (const box of answer.boxes[item.id] || []) row.made.append(boxAt(item, box, image, words));
      }
    }, { once: true });
  }

  // The picture is drawn at 1.5 times its size in points.
  function boxAt(item, [left, top, right, bottom], image, words) {
    const width = image.naturalWidth / 1.5, height = image.naturalHeight / 1.5;
    const box = el("button", {
      class: `box ${classes(item)}`, "data-id": item.id, tabIndex: -1, onclick: () => choose(item.id), "aria-label": plain(words),
    });
    box.style.left = `${(left / width) * 100}%`;
    box.style.top = `${(top / height) * 100}%`;
    box.style.width = `${((right - left) / width) * 100}%`;
    box.style.height = `${((bottom - top) / height) * 100}%`;
    return box;
  }

  function toggle() {
    pictures = !pictures;
    build();
    reveal();
  }

  // ---- changes ---------------------------------------------------------------------------------------

  const rowOf = (offset) => {
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle].start <= offset) low = middle + 1; else high = middle;
    }
    return rows[low - 1];
  };

  function update(items) {
    // A decision that was only looked at keeps its text: its marks get another color, nothing is drawn anew.
    const changed = new Set(items.filter((item) => drawn.get(item.id) !== signature(item) || !model.items.has(item.id)));
    for (const item of items) if (!changed.has(item)) recolor(item);
    const touched = new Set([...changed].map((item) => rowOf(item.start)).filter((row) => row?.row));
    for (const row of touched) {
      if (row.page) { place_boxes_again(row); renewResult(row, inside(row)); }
      else fill(row);
    }
  }

  function place_boxes_again(row) {
    const items = inside(row);
    if (row.boxes && items.every((item) => row.boxes.has(item.id))) place_boxes(row, items);
    else boxesOf(row, items);
  }

  function highlight(before) {
    for (const id of [before, model.now]) {
      const row = id && rowOf(Number(id.split("-")[0]));
      if (!row?.row) continue;
      for (const node of row.row.querySelectorAll(`[data-id="${id}"]`)) node.classList.toggle("now", id === model.now);
    }
  }

  function reveal() {
    const item = model.items.get(model.now);
    if (!item) return;
    const row = rowOf(item.start);
    if (!row) return;
    draw(row.chunk);
    const target = row.row.querySelector(`[data-id="${item.id}"]`) || row.row;
    const box = target.getBoundingClientRect(), view = node.getBoundingClientRect();
    if (box.top < view.top + 60 || box.bottom > view.bottom - 60) target.scrollIntoView({ block: "center" });
  }

  // Where a selection of the original begins and ends in the document; null if there is none.
  function selected() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    const start = offset(range.startContainer, range.startOffset, false);
    const end = offset(range.endContainer, range.endOffset, true);
    return start !== null && end !== null && start < end ? { start, end, box: range.getBoundingClientRect() } : null;
  }

  function offset(container, at, last) {
    let node = container;
    if (node.nodeType !== Node.TEXT_NODE) {
      const walker = document.createTreeWalker(container.childNodes[Math.max(0, at - (last ? 1 : 0))] || container, NodeFilter.SHOW_TEXT);
      node = walker.nextNode();
      if (last && node) { let next; while ((next = walker.nextNode())) node = next; at = node.length; } else at = 0;
    }
    const known = node && place.get(node);
    if (!known) return null;
    return known.whole ? known.start + (last && at > 0 ? 1 : 0) : known.start + at;
  }

  build();
  return { node, build, update, highlight, reveal, selected };
}
