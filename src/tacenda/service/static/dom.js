// Elements are made by hand and text is only ever set as text: no markup of a document can become markup here.

export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (name === "text") node.textContent = value;
    else if (name in node && !name.startsWith("aria") && name !== "list" && name !== "form") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(9)) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

// Characters that change the direction of text, or that cannot be seen, are shown by their number.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/;
const CONTROLS = new RegExp(CONTROL.source, "g");

export const plain = (text) => text.replace(CONTROLS, (c) => `⟨${code(c)}⟩`);
const code = (c) => "U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

// Text as nodes; `place` is told for each text node which offset of the document it begins at.
export function shown(text, start = 0, place = null) {
  const nodes = [];
  let done = 0;
  const add = (piece, at, whole) => {
    const node = document.createTextNode(piece);
    if (place) place.set(node, { start: start + at, whole });
    return node;
  };
  if (CONTROL.test(text)) {
    for (const match of text.matchAll(CONTROLS)) {
      if (match.index > done) nodes.push(add(text.slice(done, match.index), done, false));
      const span = el("span", { class: "ctl", title: "a character that cannot be seen" });
      span.append(add(code(match[0]), match.index, true));
      nodes.push(span);
      done = match.index + match[0].length;
    }
  }
  if (done < text.length) nodes.push(add(text.slice(done), done, false));
  return nodes;
}

export function say(words) {
  document.getElementById("live").textContent = words;
}

let timer = 0;
export function toast(words) {
  const box = document.getElementById("toast");
  box.textContent = words;
  box.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (box.hidden = true), 6000);
}

export function dialog(title, ...content) {
  const box = el("dialog", { "aria-label": title }, el("div", { class: "stack" }, el("h2", { text: title }), content));
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

const LABELS = {
  PERSON: "person", LOC: "place", ORG: "organization", DATETIME: "date", DEM: "group", EMAIL: "e-mail", PHONE: "phone",
  TERM: "term", MISC: "name", CODE: "code", QUANTITY: "quantity", AGE: "age", ADDRESS: "address", ZIP: "ZIP code",
  SSN: "Social Security number", RECORD: "record number", PROTECTED: "protected", ACCOUNT: "account", CARD: "card number",
};
export const labeled = (label) => LABELS[label] || label.toLowerCase().replaceAll("_", " ");
