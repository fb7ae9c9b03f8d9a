import assert from "node:assert/strict";
import { test } from "node:test";

import { capital, describeLook, describePlace } from "../../../web/static/js/shared/text.js";
import { rowBoard } from "./samples.js";

test("a sentence begins with a capital", () => {
  assert.equal(capital("move one piece"), "Move one piece");
  assert.equal(capital(""), "");
  assert.equal(capital(null), "");
});

test("looks are put in words", () => {
  const board = { ...rowBoard(), words: { "red/marked": "marked red piece" } };
  assert.equal(describeLook(board, "red/marked"), "marked red piece");
  assert.equal(describeLook(board, "empty"), "empty");
  assert.equal(describePlace(board, "a1", "red/marked"), "a1: marked red piece");
  assert.equal(describePlace(board, "a1"), "a1: empty");
});
