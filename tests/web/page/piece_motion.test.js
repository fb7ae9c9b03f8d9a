import assert from "node:assert/strict";
import { test } from "node:test";

import { TapSelection } from "../../../web/static/js/display/tap_selection.js";
import { slidesBetween } from "../../../web/static/js/shared/piece_motion.js";
import { legal } from "./samples.js";

/** @type {[what: string, before: Record<string, string>, now: Record<string, string>, slides: string[][]][]} */
const CHANGES = [
  ["a move", { e2: "white/pawn" }, { e4: "white/pawn" }, [["e2", "e4"]]],
  ["a capture", { e4: "white/pawn", d5: "black/pawn" }, { d5: "white/pawn" }, [["e4", "d5"]]],
  ["a promotion", { a7: "white/pawn" }, { a8: "white/queen" }, [["a7", "a8"]]],
  [
    "castling",
    { e1: "white/king", h1: "white/rook" },
    { g1: "white/king", f1: "white/rook" },
    [
      ["e1", "g1"],
      ["h1", "f1"],
    ],
  ],
  ["a piece turned over", { a1: "red/solid" }, { a1: "red/marked" }, []],
  ["a piece laid down", {}, { a1: "red" }, []],
  ["a piece taken off", { a1: "red" }, {}, []],
  [
    "another position",
    { a1: "red", a2: "red", a3: "red", a4: "red", a5: "red" },
    { b1: "red", b2: "red", b3: "red", b4: "red", b5: "red" },
    [],
  ],
];

for (const [what, before, now, slides] of CHANGES) {
  test(`${what} slides where the looks tell it`, () => assert.deepEqual(slidesBetween(before, now), slides));
}

test("a piece is gripped where an action begins, or goes on", () => {
  const selection = new TapSelection();
  selection.update([legal("a-b-c", "a", "b", "c"), legal("d-e", "d", "e")], { a: "red", d: "red" });
  assert.deepEqual(selection.grips, ["a", "d"]);
  selection.tap("a");
  selection.tap("b");
  assert.deepEqual(selection.grips, ["a", "d", "b"]);
});
