// Talking to the table. What it refuses becomes a Refusal, with the broken rules.

export class Refusal extends Error {
  constructor(status, body) {
    super(body.error || "something went wrong");
    this.status = status;
    this.breaks = body.breaks || [];
  }
}

let csrf = "";

export async function get(path) {
  const body = await read(await fetch(`/api/v1/${path}`, { headers: { Accept: "application/json" } }));
  if (path === "session") csrf = body.csrf;
  return body;
}

export async function post(path, body = {}) {
  if (!csrf) await get("session");
  const used = csrf;
  const answer = await send(path, body);
  if (answer.status !== 403) return read(answer);
  await get("session"); // the cookie may be younger than the page
  return read(csrf === used ? answer : await send(path, body));
}

function send(path, body) {
  return fetch(`/api/v1/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
    body: JSON.stringify(body),
  }).catch(() => new Response('{"error":"no connection to the table"}', { status: 503 }));
}

async function read(answer) {
  const body = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, body);
  return body;
}
