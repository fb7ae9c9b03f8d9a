import assert from "node:assert/strict";
import { test } from "node:test";

import { OtherTable, isElsewhere, withLine } from "../../../web/static/js/display/other_table.js";
import {
  ELSEWHERE as AT_ANOTHER_TABLE,
  writeCompanion,
} from "../../../web/static/js/shared/opponent_choice.js";
import { sourceWords } from "../../../web/static/js/shared/sensor_names.js";
import { gameState } from "./samples.js";

const ELSEWHERE = gameState({ companion: { blue: 0 } });

test("the line to another table is listed, and connected unless something is said of it", () => {
  assert.equal(isElsewhere(gameState({ companion: { blue: 3 } })), false);
  const [line] = withLine(ELSEWHERE).sources.slice(-1);
  assert.equal(sourceWords(line, "The other table"), "The other table: connected");
  const cut = { name: "other table", state: /** @type {const} */ ("away"), words: "the line is cut" };
  assert.deepEqual(withLine({ ...ELSEWHERE, sources: [cut] }).sources, [cut]);
  assert.equal(sourceWords(cut, "The other table"), "The other table: the line is cut");
  assert.deepEqual(withLine(gameState()).sources, gameState().sources);
});

test("its card is shown while something is to be said or asked", () => {
  const other = new OtherTable(() => {});
  assert.equal(other.card(gameState()), null);
  assert.equal(other.card(ELSEWHERE), null);
  const quiet = { invites: false, code: "", address: "", fingerprint: "", wish: "", count: 0, seal: false };
  other.line = quiet;
  assert.equal(other.card(ELSEWHERE), null);
  for (const more of [{ invites: true }, { seal: true }]) {
    other.line = { ...quiet, ...more };
    assert.ok(other.card(ELSEWHERE));
  }
});

test("a seat at another table is not the companion's", () => {
  assert.equal(writeCompanion({ red: "2", blue: AT_ANOTHER_TABLE }, ["red", "blue"]), "red=2");
});
