// The service worker on a tablet without room, and without network.

import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {Record<string, (event: any) => void>} */
const heard = {};
/** @type {Map<string, string>} */
const kept = new Map();
let isFull = false;
/** @type {any} */ (globalThis).self = {
  location: { origin: "http://pi.local" },
  addEventListener: (/** @type {string} */ kind, /** @type {(event: any) => void} */ hear) =>
    (heard[kind] = hear),
};
const match = async (/** @type {Request} */ { url }) =>
  kept.has(url) ? new Response(kept.get(url)) : undefined;
/** @type {any} */ (globalThis).caches = {
  match,
  open: async () => ({
    match,
    put: async (/** @type {Request} */ request, /** @type {Response} */ copy) => {
      if (isFull) throw new DOMException("no room", "QuotaExceededError");
      kept.set(request.url, await copy.text());
    },
  }),
};
const worker = "../../../web/static/js/service_worker.js"; // of other types than a page's code
await import(worker);

/**
 * Returns what a tablet is given, where the network gives this, or fails.
 * @param {string | null} fresh
 * @returns {Promise<string>}
 */
async function answerTo(fresh) {
  globalThis.fetch = async () => {
    if (fresh === null) throw new TypeError("no network");
    return new Response(fresh);
  };
  /** @type {Promise<Response> | undefined} */
  let answered;
  const respondWith = (/** @type {Promise<Response>} */ answer) => (answered = answer);
  heard.fetch({ request: new Request("http://pi.local/"), respondWith });
  assert.ok(answered);
  return (await answered).text();
}

test("a page comes from the network, and without one as it was last", async () => {
  assert.equal(await answerTo("first"), "first");
  assert.equal(await answerTo(null), "first");
  kept.clear();
  await assert.rejects(answerTo(null), /no network/);
});

test("a page comes also where a tablet has no room to keep it", async () => {
  isFull = true;
  assert.equal(await answerTo("second"), "second");
});
