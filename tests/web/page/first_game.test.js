// Tests of what a newcomer is told: kinds of action, rings, and words at the places that come next.

import assert from "node:assert/strict";
import test from "node:test";

import { helpMarks } from "../../../web/static/js/display/first_game.js";
import { kindsOf } from "../../../web/static/js/shared/kinds.js";
import { TapSelection } from "../../../web/static/js/display/tap_selection.js";
import { gameState } from "./samples.js";

/** @type {[string, string][]} */
const KINDS = [
  [".*-..", "move"],
  [".*x..", "capture"],
  [".*~", "flip"],
];

/** @param {string[]} actions */
function selectionOf(actions) {
  const legal = actions.map((action) => ({ action, path: action.match(/[a-h]\d/g) || [], label: action }));
  const selection = new TapSelection();
  selection.update(legal, { a2: "red/solid" });
  return selection;
}

test("kinds are named once, in the game's order", () => {
  const { legal } = selectionOf(["a2~", "a2-a3", "a2-b3", "b2~"]);
  assert.deepEqual(kindsOf(legal, KINDS), ["move", "flip"]);
});

test("pieces that can move are ringed, unless all places are", () => {
  const state = gameState({ game: { ...gameState().game, kinds: KINDS } });
  assert.deepEqual(helpMarks(state, selectionOf(["a2-a3", "b2~"])), [{ kind: "can", sites: ["a2", "b2"] }]);
  const many = Array.from({ length: 41 }, (_, i) => `a${i}~`);
  const selection = new TapSelection();
  selection.update(
    many.map((action) => ({ action, path: [action], label: action })),
    {},
  );
  assert.deepEqual(helpMarks(state, selection), []);
});

test("each next place says what would be done there, unless that is the same everywhere", () => {
  const state = gameState({ game: { ...gameState().game, kinds: KINDS } });
  const selection = selectionOf(["a2-a3", "a2xb3", "a2~"]);
  selection.tap("a2");
  assert.deepEqual(helpMarks(state, selection), [
    { kind: "label", sites: ["a3"], words: "move" },
    { kind: "label", sites: ["b3"], words: "capture" },
  ]);
  const same = selectionOf(["a2-a3", "a2-b3"]);
  same.tap("a2");
  assert.deepEqual(helpMarks(state, same), []);
});
