import assert from "node:assert/strict";
import { test } from "node:test";

import { TapSelection } from "../../../web/static/js/display/tap_selection.js";
import { legal } from "./samples.js";

const PIECES = { a2: "red", b3: "red", c4: "blue" };

/** @param {import("../../../web/static/js/shared/types.d.ts").LegalAction[]} actions */
function selectionOf(...actions) {
  const selection = new TapSelection();
  selection.update(actions, PIECES);
  return selection;
}

test("two taps play the only action between two places", () => {
  const selection = selectionOf(legal("a2-a3", "a2", "a3"), legal("b3-b4", "b3", "b4"));
  assert.deepEqual(selection.nextPlaces, ["a2", "b3"]);
  assert.deepEqual(selection.tap("a2"), {});
  assert.deepEqual(selection.nextPlaces, ["a3"]);
  assert.deepEqual(selection.tap("a3"), { play: "a2-a3" });
  assert.deepEqual(selection.tapped, []);
});

test("one tap on an empty place plays, one on a piece only offers its action", () => {
  const selection = selectionOf(legal("+d4", "d4"), legal("a2~", "a2"));
  assert.deepEqual(selection.tap("d4"), { play: "+d4" });
  assert.deepEqual(selection.tap("a2"), {});
  assert.deepEqual(
    selection.choices.map(({ action }) => action),
    ["a2~"],
  );
});

test("actions on the same places are chosen by words", () => {
  const selection = selectionOf(legal("a7a8q", "a7", "a8"), legal("a7a8n", "a7", "a8"));
  selection.tap("a7");
  assert.deepEqual(selection.choices, []);
  assert.deepEqual(selection.tap("a8"), {});
  assert.equal(selection.choices.length, 2);
  assert.deepEqual(selection.nextPlaces, []);
});

test("which pieces are meant is chosen by words at once, where nothing else may be done", () => {
  const [first, second] = [legal("T:a2,b3,c4", "a2", "b3", "c4"), legal("T:b3,c4,a2", "b3", "c4", "a2")];
  assert.deepEqual(selectionOf(first, second).choices, [first, second]);
  assert.deepEqual(selectionOf(first, second, legal("a2-a3", "a2", "a3")).choices, []);
  assert.deepEqual(selectionOf(legal("a2xb3", "a2", "b3"), legal("c4xb3", "c4", "b3")).choices, []);
});

test("a second tap on the same place drops the selection", () => {
  const selection = selectionOf(legal("a2-a3", "a2", "a3"));
  selection.tap("a2");
  assert.deepEqual(selection.tap("a2"), {});
  assert.deepEqual(selection.tapped, []);
});

test("a tap on another piece of one's own begins anew", () => {
  const selection = selectionOf(legal("a2-a3", "a2", "a3"), legal("b3-b4", "b3", "b4"));
  selection.tap("a2");
  assert.deepEqual(selection.tap("b3"), {});
  assert.deepEqual(selection.tapped, ["b3"]);
});

test("a move that is not allowed is named, to be explained", () => {
  const selection = selectionOf(legal("a2-a3", "a2", "a3"));
  selection.tap("a2");
  assert.deepEqual(selection.tap("a5"), { refuse: { from: "a2", to: "a5" } });
  assert.deepEqual(selection.tapped, []);
});

test("a path of many places that goes wrong is dropped without a reason", () => {
  const selection = selectionOf(legal("a2-a3-a4", "a2", "a3", "a4"));
  selection.tap("a2");
  selection.tap("a3");
  assert.deepEqual(selection.tap("c9"), {});
  assert.deepEqual(selection.tapped, []);
});

test("taps from which no action goes on any more are dropped with the new state", () => {
  const selection = selectionOf(legal("a2-a3", "a2", "a3"));
  selection.tap("a2");
  selection.update([legal("b3-b4", "b3", "b4")], PIECES);
  assert.deepEqual(selection.tapped, []);
});

test("a chain of jumps is played by its end, where only one leads there", () => {
  const [one, two] = [legal("a2xc4xe6", "a2", "c4", "e6"), legal("a2xc4xe2", "a2", "c4", "e2")];
  const selection = selectionOf(one, two);
  selection.tap("a2");
  assert.deepEqual(selection.tap("e6"), { play: "a2xc4xe6" });
  const other = selectionOf(one, legal("a2xg4xe6", "a2", "g4", "e6"));
  other.tap("a2");
  assert.deepEqual(other.tap("e6"), {});
  assert.deepEqual(other.nextPlaces, ["c4", "g4"]);
});

test("actions that name no place are listed", () => {
  const selection = selectionOf(legal("end"), legal("a2-a3", "a2", "a3"));
  assert.deepEqual(
    selection.placeless.map(({ action }) => action),
    ["end"],
  );
});

test("a piece that may not be moved is chosen too, and its way is to be explained", () => {
  const actions = [legal("a2-a3", "a2", "a3")];
  const selection = selectionOf(...actions);
  assert.deepEqual(selection.grips, ["a2", "b3"]);
  assert.deepEqual(selection.tap("b3"), {});
  selection.update(actions, PIECES);
  assert.deepEqual(selection.tapped, ["b3"]);
  assert.deepEqual(selection.tap("b4"), { refuse: { from: "b3", to: "b4" } });
  selection.tap("a2");
  assert.deepEqual(selection.tap("b3"), {});
  assert.deepEqual(selection.tap("c4"), { refuse: { from: "b3", to: "c4" } });
});

test("where nothing may be done, and on an empty place, a tap chooses nothing", () => {
  const selection = selectionOf();
  assert.deepEqual([selection.tap("b3"), selection.tapped, selection.grips], [{}, [], []]);
  assert.deepEqual(selectionOf(legal("a2-a3", "a2", "a3")).tap("h8"), {});
  assert.deepEqual(selectionOf(legal("a2~", "a2")).tap("h8"), {});
});

test("what may not be put down on a place, or done without a piece, is named as where it may", () => {
  const selection = selectionOf(legal("-a2", "a2"), legal("+d4", "d4"), legal("=d3-d6", "d3", "d6"));
  assert.deepEqual(selection.tap("e6"), { refuse: { action: "+e6" } });
  selection.tap("d3");
  assert.deepEqual(selection.tap("e6"), { refuse: { action: "=d3-e6" } });
  selection.tap("a2");
  assert.deepEqual(selection.tap("e6"), { refuse: { from: "a2", to: "e6" } });
});

test("a marker is no piece, and where only pieces are put down none is moved", () => {
  const selection = new TapSelection();
  selection.update([legal("~a2>b3", "a2", "b3")], { a2: "+T", b3: "red+T", c4: "+T" });
  assert.deepEqual(selection.tap("c4"), {});
  assert.deepEqual(selection.tapped, []);
  assert.deepEqual(selectionOf(legal("+d4", "d4")).tap("b3"), { refuse: { action: "+b3" } });
});
