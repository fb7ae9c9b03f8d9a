import assert from "node:assert/strict";
import { test } from "node:test";

import { nextSpot } from "../../../web/static/js/display/virtual_table.js";

/** @import { Point } from "../../../web/static/js/shared/types.d.ts" */

/** Four squares as a camera sees them: those behind lie closer together. */
/** @type {Point[]} */
const SPOTS = [
  [100, 200],
  [140, 200],
  [104, 165],
  [138, 165],
];

test("an arrow key leads a finger to the next place that way", () => {
  assert.deepEqual(nextSpot("ArrowRight", [100, 200], SPOTS, 40), [140, 200]);
  assert.deepEqual(nextSpot("ArrowUp", [100, 200], SPOTS, 40), [104, 165]);
  assert.deepEqual(nextSpot("ArrowDown", [138, 165], SPOTS, 40), [140, 200]);
  assert.equal(nextSpot("x", [138, 165], SPOTS, 40), null);
});

test("where no place is, it leads by less, and back to the board", () => {
  const beside = nextSpot("ArrowRight", [140, 200], SPOTS, 40);
  assert.deepEqual(beside, [160, 200]);
  assert.deepEqual(nextSpot("ArrowLeft", [160, 200], SPOTS, 40), [140, 200]);
});
