import assert from "node:assert/strict";
import { test } from "node:test";

import { capital, describeLook } from "../../../web/static/js/shared/text.js";

test("a sentence begins with a capital", () => {
  assert.equal(capital("move one piece"), "Move one piece");
  assert.equal(capital(""), "");
  assert.equal(capital(null), "");
});

test("looks are put in words", () => {
  assert.equal(describeLook("red"), "red");
  assert.equal(describeLook("red/marked"), "red marked");
  assert.equal(describeLook("solver"), "piece");
  assert.equal(describeLook("solver/queen"), "queen");
  assert.equal(describeLook("white+T"), "white, marker T on it");
  assert.equal(describeLook("+T"), "marker T");
});
