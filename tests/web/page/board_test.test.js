import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { BoardTest } from "../../../web/static/js/display/board_test.js";

test("nobody asks how a test goes that is being ended", async () => {
  class FakeDialog {
    querySelector = () => null;
  }
  /** @type {string[]} */
  const sent = [];
  /** @type {(answer: Response) => void} */
  let answer = () => {};
  Object.assign(globalThis, {
    HTMLDialogElement: FakeDialog,
    document: { getElementById: () => new FakeDialog() },
    fetch: async (/** @type {string} */ address, /** @type {RequestInit} */ { method = "GET" } = {}) => {
      const path = address.replace("/api/v1/", "");
      if (path === "session") return Response.json({ csrf: "token" });
      sent.push(`${method} ${path}`);
      if (path === "eyes/test/end") return new Promise((done) => (answer = done));
      return Response.json({ done: false, places: [], words: "", picture: false });
    },
  });
  const soon = setImmediate; // some versions of node mock this one too
  const later = () => new Promise((done) => soon(done));
  mock.timers.enable(["setTimeout"]);
  const tried = new BoardTest(() => {});
  tried.begin();
  while (!tried.shown) await later();
  const ended = tried.end();
  for (let seconds = 0; seconds < 6; seconds += 1) {
    await later();
    mock.timers.tick(1_000);
  }
  assert.deepEqual(sent, ["POST eyes/test", "GET eyes/test", "POST eyes/test/end"]);
  answer(Response.json({}));
  await ended;
  mock.timers.reset();
  assert.equal(tried.isOn, false);
});
