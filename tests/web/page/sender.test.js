import assert from "node:assert/strict";
import { test } from "node:test";

import { Sender } from "../../../web/static/js/phone/sender.js";

Object.assign(globalThis, { document: { createElement: () => ({}) } });
const unready = /** @type {HTMLVideoElement} */ (/** @type {unknown} */ ({ videoWidth: 0 }));

test("why no more pictures come is said after the last one", async () => {
  /** @type {string[]} */
  const sent = [];
  /** @type {(answer: Response) => void} */
  let answer = () => {};
  globalThis.fetch = async (address) => {
    sent.push(String(address).replace("/api/v1/", ""));
    return sent.at(-1) === "phone/pictures/key"
      ? new Promise((resolve) => (answer = resolve))
      : Response.json({ csrf: "one" });
  };
  const sender = new Sender(unready, "key", { onSent: () => {}, onTrouble: () => {} });
  const later = () => new Promise((done) => setTimeout(done));
  sender.start();
  await later();
  const paused = sender.pause("taken");
  await later();
  assert.deepEqual(sent, ["session", "phone/pictures/key"]);
  answer(Response.json({ status: null, corners: [] }));
  await paused;
  await later();
  assert.deepEqual(sent, ["session", "phone/pictures/key", "phone/pause/key"]);
});
