import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { get, post, reasonOf, Refusal } from "../../../web/static/js/shared/api.js";

/** @typedef {{ path: string, method: string, token: string | null }} Sent */

/** @type {Sent[]} what was sent */
let sent = [];
/** @type {(request: Sent) => Response} */
let answer = () => Response.json({});
/** @type {string[]} what the page was told of its connection */
let signs = [];

beforeEach(() => {
  sent = [];
  signs = [];
  Object.assign(globalThis, { dispatchEvent: (/** @type {Event} */ { type }) => signs.push(type) });
  globalThis.fetch = async (address, options = {}) => {
    const token = new Headers(options.headers).get("X-CSRF-Token");
    const request = { path: String(address), method: options.method || "GET", token };
    sent.push(request);
    return answer(request);
  };
});

/** @param {string} csrf */
const sessionWith = (csrf) => Response.json({ csrf });

test("a POST first asks for the session, and carries its token", async () => {
  answer = ({ path }) => (path === "/api/v1/session" ? sessionWith("one") : Response.json({ number: 3 }));
  assert.deepEqual(await post("records", { record: "" }), { number: 3 });
  assert.deepEqual(
    sent.map(({ path, token }) => [path, token]),
    [
      ["/api/v1/session", null],
      ["/api/v1/records", "one"],
    ],
  );
});

test("a POST with an old token is sent again with the new one", async () => {
  answer = ({ path, token }) => {
    if (path === "/api/v1/session") return sessionWith("two");
    return token === "two" ? Response.json({ ok: 1 }) : Response.json({}, { status: 403 });
  };
  assert.deepEqual(await post("redos"), { ok: 1 });
  assert.deepEqual(
    sent.map(({ token }) => token),
    ["one", null, "two"],
  );
});

test("a POST that is forbidden for another reason is sent once", async () => {
  answer = ({ path }) =>
    path === "/api/v1/session" ? sessionWith("two") : Response.json({ error: "not you" }, { status: 403 });
  await assert.rejects(post("redos"), /not you/);
  assert.equal(sent.filter(({ method }) => method === "POST").length, 1);
});

test("a refusal holds the broken rules", async () => {
  const breaks = [{ rule: "TR-3", title: "", here: "", text: "", sites: [] }];
  answer = () => Response.json({ error: "not allowed", breaks }, { status: 409 });
  await assert.rejects(get("judge"), (error) => {
    assert.ok(error instanceof Refusal);
    assert.deepEqual([error.message, error.status, error.breaks], ["not allowed", 409, breaks]);
    return true;
  });
});

test("an answer that is no JSON is a refusal without words of its own", async () => {
  answer = () => new Response("<h1>Bad gateway</h1>", { status: 502 });
  await assert.rejects(get("state"), /something went wrong/);
});

test("a POST without a network is refused in words", async () => {
  answer = () => {
    throw new TypeError("fetch failed");
  };
  await assert.rejects(post("redos"), /no connection to the table/);
});

test("an answer without content is empty", async () => {
  answer = () => new Response(null, { status: 204 });
  assert.deepEqual(await get("session"), {});
});

test("reasons are put in words", () => {
  assert.equal(reasonOf(new Error("too late")), "Too late");
  assert.equal(reasonOf("odd"), "Odd");
  assert.equal(reasonOf(new Error("a2-a3 is not allowed")), "a2-a3 is not allowed");
});

test("without a connection that is said, in words, whatever is asked for", async () => {
  globalThis.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
  await assert.rejects(get("invitations"), /no connection to the table/);
  await assert.rejects(post("redos"), /no connection to the table/);
  assert.deepEqual(signs, ["unreached", "unreached"]);
});
