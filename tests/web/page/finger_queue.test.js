import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { FingerQueue } from "../../../web/static/js/display/finger_queue.js";
import { Refusal } from "../../../web/static/js/shared/api.js";

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
  return { queue: new FingerQueue(send, 0, () => {}), batches, letThrough };
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

test("what does not arrive is given up and told, and what the hand holds is put back", async () => {
  mock.timers.enable(["setTimeout"]);
  let isThere = false;
  /** @type {FingerMove[][]} */
  const arrived = [];
  /** @type {unknown[]} */
  const told = [];
  const send = async (/** @type {FingerMove[]} */ moves) => {
    if (!isThere) throw new Refusal(503, { error: "no connection" });
    arrived.push(moves);
  };
  const second = async () => {
    for (let i = 0; i < 5; i++) await Promise.resolve();
    mock.timers.tick(1_000);
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  const queue = new FingerQueue(send, 0, (error) => told.push(error));
  queue.add(["down", 1, 1]);
  queue.add(["move", 5, 5]);
  queue.add(["up", 5, 5]);
  await second();
  await second();
  assert.deepEqual(told.map(String), ["Error: no connection"]);
  isThere = true;
  await second();
  assert.deepEqual(arrived, [[["cancel", 1, 1]]]);
  mock.timers.reset();
});

test("what is refused is told, and does not hold up what comes after", async () => {
  /** @type {string[]} */
  const sent = [];
  /** @type {unknown[]} */
  const told = [];
  const send = async (/** @type {FingerMove[]} */ [[kind]]) => {
    sent.push(kind);
    if (kind === "down") throw new Refusal(403, { error: "only the arbiter may do this" });
  };
  const queue = new FingerQueue(send, 0, (error) => told.push(error));
  queue.add(["down", 1, 1]);
  await moment();
  queue.add(["up", 1, 1]);
  await moment();
  assert.deepEqual(sent, ["down", "up"]);
  assert.deepEqual(told.map(String), ["Error: only the arbiter may do this"]);
});
