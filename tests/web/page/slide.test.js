// Tests of which pieces are seen to move from one frame of a tutorial to the next.

import assert from "node:assert/strict";
import test from "node:test";

import { waysOf } from "../../../web/static/js/tutorial/slide.js";

test("a piece moves along the places that its action names", () => {
  assert.deepEqual(waysOf({ e5: "south", f6: "north" }, { h8: "south", f6: "north" }, ["e5", "g6", "h8"]), [
    ["e5", "g6", "h8"],
  ]);
});

test("a piece that captures comes to where the other stood", () => {
  assert.deepEqual(waysOf({ a2: "red", b3: "blue" }, { b3: "red" }, ["a2", "b3"]), [["a2", "b3"]]);
});

test("two pieces change places", () => {
  const before = { c7: "black/glider", e7: "black/jumper" };
  const after = { c7: "black/jumper", e7: "black/glider" };
  assert.deepEqual(waysOf(before, after, ["c7", "e7"]), [
    ["e7", "c7"],
    ["c7", "e7"],
  ]);
});

test("a piece that is promoted on its way is still the same piece", () => {
  assert.deepEqual(waysOf({ f2: "red/31", f6: "magnet" }, { f3: "red/32" }, ["f2"]), [["f2", "f3"]]);
});

test("a piece that turns over moves nowhere", () => {
  assert.deepEqual(waysOf({ c3: "red/solid" }, { c3: "red/marked" }, ["c3"]), []);
});
