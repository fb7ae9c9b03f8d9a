import assert from "node:assert/strict";
import { test } from "node:test";

import { asSentence, capital, describeLook, describePlace } from "../../../web/static/js/shared/text.js";
import { rowBoard } from "./samples.js";

test("a sentence begins with a capital", () => {
  assert.equal(capital("move one piece"), "Move one piece");
  assert.equal(capital(""), "");
  assert.equal(capital(null), "");
});

test("what the server answers begins with a capital, actions and names as they are spelled", () => {
  assert.equal(asSentence("no game is on"), "No game is on");
  assert.equal(asSentence("step 3, a3-a6: not allowed"), "Step 3, a3-a6: not allowed");
  assert.equal(asSentence("a3-a6 is not allowed"), "a3-a6 is not allowed");
  assert.equal(asSentence("no"), "No");
  for (const move of ["e4", "exd5", "22-18", "a3-a6"]) assert.equal(asSentence(move), move);
  assert.equal(asSentence(""), "");
});

test("looks are put in words", () => {
  const board = { ...rowBoard(), words: { "red/marked": "marked red piece" } };
  assert.equal(describeLook(board, "red/marked"), "marked red piece");
  assert.equal(describeLook(board, "empty"), "empty");
  assert.equal(describePlace(board, "a1", "red/marked"), "a1: marked red piece");
  assert.equal(describePlace(board, "a1"), "a1: empty");
  assert.equal(describePlace({ ...board, names: { a1: "29" } }, "a1"), "29: empty");
});
