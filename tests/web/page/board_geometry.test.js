import assert from "node:assert/strict";
import { test } from "node:test";

import { arrowPaths, markRadius, placeAt, spotOf } from "../../../web/static/js/shared/board_geometry.js";
import { rowBoard } from "./samples.js";

test("a place lies where the board says, a way in the middle between its sites", () => {
  assert.deepEqual(spotOf(rowBoard(), "box"), [4, 0, 90]);
  assert.deepEqual(spotOf(rowBoard(), "a-b"), [0.5, 0, 0]);
  assert.equal(spotOf(rowBoard(), "a-z"), null);
  assert.equal(spotOf(rowBoard(), "z"), null);
});

test("marks are smaller beside the board", () => {
  const board = rowBoard();
  assert.equal(markRadius(board, "a"), 0.46);
  assert.ok(markRadius(board, "box") < markRadius(board, "a"));
  assert.equal(markRadius({ ...board, spacing: 0.5 }, "a"), 0.25);
});

test("a finger finds the nearest place that can be tapped before a nearer site that cannot", () => {
  const board = rowBoard();
  assert.equal(placeAt(board, { x: 0.52, y: 0 }, ["a"]), "a");
  assert.equal(placeAt(board, { x: 0.52, y: 0 }, []), "b");
});

test("a finger beside all places finds none", () => {
  assert.equal(placeAt(rowBoard(), { x: 0, y: 3 }, ["a", "b"]), null);
});

test("a place beside the board is found only when it can be tapped", () => {
  assert.equal(placeAt(rowBoard(), { x: 4, y: 0 }, []), null);
  assert.equal(placeAt(rowBoard(), { x: 4, y: 0 }, ["box"]), "box");
  assert.equal(placeAt(rowBoard(), { x: 4, y: 0 }, ["unknown"]), null);
});

test("an arrow leaves room at both ends", () => {
  assert.deepEqual(arrowPaths([0, 0], [2, 0]), {
    shaft: "M0.2 0L1.5799999999999998 0",
    head: "M1.88 0L1.5799999999999998 0.17L1.5799999999999998 -0.17Z",
  });
});

test("there is no arrow from a place to itself", () => {
  assert.equal(arrowPaths([1, 1], [1, 1]), null);
});
