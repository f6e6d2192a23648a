// Requests to this server, and to no other.

export class Refused extends Error {
  constructor(status, kind, message) {
    super(message);
    this.status = status;
    this.kind = kind;
  }
}

export async function ask(path, { method = "GET", body, form } = {}) {
  const headers = { "X-Tacenda": "1" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(path, {
    method, headers, credentials: "same-origin", body: form || (body === undefined ? undefined : JSON.stringify(body)),
  });
  if (response.status === 204) return null;
  const data = await response.json().catch(() => ({}));
  if (!response.ok) {
    const error = data.error || {};
    throw new Refused(response.status, error.kind || "Error", error.message || `The server answered ${response.status}.`);
  }
  return data;
}

export const post = (path, body = {}) => ask(path, { method: "POST", body });
