// Which view is shown: sign-in, the queue, or a case. The address keeps only the number of the case.

import { Refused, ask, post } from "./api.js";
import { openCase } from "./case.js";
import { el, say, toast } from "./dom.js";
import { openQueue } from "./queue.js";

const app = document.getElementById("app");
let leave = () => {};

export function show(node, title) {
  app.replaceChildren(node);
  document.title = title ? `${title} – Tacenda review` : "Tacenda review";
  app.querySelector("[autofocus], #main")?.focus({ preventScroll: true });
}

export async function route() {
  leave();
  leave = () => {};
  const match = location.hash.match(/^#case\/(\d+)$/);
  try {
    leave = (match ? await openCase(match[1], show) : await openQueue(show)) || leave;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return signIn();
    if (error instanceof Refused && error.status === 404 && match) location.hash = "";
    toast(error.message);
  }
}

function signIn(message = "") {
  const token = el("input", { type: "password", id: "token", autocomplete: "off", autofocus: true, required: true });
  const form = el(
    "form",
    { class: "center", onsubmit: (event) => { event.preventDefault(); enter(token.value); } },
    el("h1", { text: "Tacenda review" }),
    el("p", { class: "soft", text: "The server printed an address with a token when it started. Enter your token." }),
    el("label", { htmlFor: "token", text: "Token" }), token,
    message && el("p", { class: "badge bad", role: "alert", text: message }),
    el("button", { class: "primary", text: "Sign in" }),
  );
  show(el("main", { id: "main", tabIndex: -1 }, form), "Sign in");
}

async function enter(token) {
  try {
    const answer = await post("/session", { token });
    say(`Signed in as ${answer.you}`);
  } catch (error) {
    return signIn(error.message);
  }
  return route();
}

async function begin() {
  // A token in the address is taken out of it before anything else happens; it was never sent to the server.
  const fragment = decodeURIComponent(location.hash.slice(1));
  if (fragment && !fragment.startsWith("case/")) {
    history.replaceState(null, "", "/");
    return enter(fragment);
  }
  return route();
}

addEventListener("hashchange", route);
begin();
