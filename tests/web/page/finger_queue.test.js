import assert from "node:assert/strict";
import { test } from "node:test";

import { FingerQueue } from "../../../web/static/js/display/finger_queue.js";

/** @import { FingerMove } from "../../../web/static/js/display/finger_queue.js" */

/** Lets all timers of no length run out. */
async function moment() {
  for (let i = 0; i < 3; i++) await new Promise((done) => setTimeout(done, 1));
}

/** Makes a queue whose batches wait until they are let through. */
function heldQueue() {
  /** @type {FingerMove[][]} */
  const batches = [];
  /** @type {(() => void)[]} */
  const held = [];
  const send = (/** @type {FingerMove[]} */ moves) => {
    batches.push(moves);
    return new Promise((done) => held.push(() => done(undefined)));
  };
  const letThrough = async () => {
    held.shift()?.();
    await moment();
  };
  return { queue: new FingerQueue(send, 0), batches, letThrough };
}

test("movements are sent in order, in one batch after the other", async () => {
  const { queue, batches, letThrough } = heldQueue();
  queue.add(["down", 1, 1]);
  queue.add(["up", 1, 1]);
  queue.add(["turn", 2, 2]);
  assert.deepEqual(batches, [[["down", 1, 1]]]);
  await letThrough();
  assert.deepEqual(batches[1], [
    ["up", 1, 1],
    ["turn", 2, 2],
  ]);
  await letThrough();
  assert.equal(batches.length, 2);
});

test("of moves that wait only the last one counts", async () => {
  const { queue, batches, letThrough } = heldQueue();
  queue.add(["down", 1, 1]);
  queue.add(["move", 2, 2]);
  queue.add(["move", 3, 3]);
  queue.add(["up", 3, 3]);
  queue.add(["move", 4, 4]);
  await letThrough();
  assert.deepEqual(batches[1], [
    ["move", 3, 3],
    ["up", 3, 3],
    ["move", 4, 4],
  ]);
  await letThrough();
});

test("a batch that fails does not hold up the next", async () => {
  /** @type {string[]} */
  const sent = [];
  const queue = new FingerQueue(async ([[kind]]) => {
    sent.push(kind);
    if (kind === "down") throw new Error("no connection");
  }, 0);
  queue.add(["down", 1, 1]);
  await moment();
  queue.add(["up", 1, 1]);
  await moment();
  assert.deepEqual(sent, ["down", "up"]);
});
