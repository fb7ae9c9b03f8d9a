import assert from "node:assert/strict";
import { test } from "node:test";

import { attempt } from "../../../web/static/js/shared/attempt.js";

test("what is asked for already is not asked for twice, and may be asked for anew", async () => {
  /** @type {(() => void)[]} */
  const held = [];
  class FakeDialog {
    querySelector = () => null;
  }
  Object.assign(globalThis, {
    HTMLDialogElement: FakeDialog,
    document: { getElementById: () => new FakeDialog() },
    fetch: async (/** @type {string} */ address) => {
      if (address.endsWith("session")) return Response.json({ csrf: "token" });
      return new Promise((done) => held.push(() => done(Response.json({ words: "done" }))));
    },
  });
  const moment = () => new Promise((done) => setImmediate(done));
  const [first, second] = [attempt("takebacks", { plies: 3 }), attempt("takebacks", { plies: 3 })];
  const other = attempt("takebacks", { plies: 4 });
  await moment();
  assert.equal(held.length, 2);
  for (const answer of held) answer();
  assert.deepEqual(await Promise.all([first, second, other]), Array(3).fill({ words: "done" }));
  attempt("takebacks", { plies: 3 });
  await moment();
  assert.equal(held.length, 3);
});
