import assert from "node:assert/strict";
import { test } from "node:test";

import { scopeWords } from "../../../web/static/js/shared/programs.js";

test("a scope is told in words", () => {
  const words = ["read", "seat:white", "seat:nobody", "arbiter"].map(scopeWords);
  assert.deepEqual(words, ["Looks", "Plays White", "Plays Nobody", "Is the arbiter"]);
});
