import assert from "node:assert/strict";
import { test } from "node:test";

import { boardContents, choiceAt, partAt } from "../../../web/static/js/display/board_contents.js";
import { gameState, rowBoard } from "./samples.js";

/** @import { Mark, Question, Verdict } from "../../../web/static/js/shared/types.d.ts" */

const BOARD = { ...rowBoard(), words: { "blue/marked": "marked blue piece" } };
const NO_INPUT = { board: BOARD, tapped: [], grips: [], nextPlaces: [], refusal: null, hint: [] };

/** @type {Verdict} */
const RESTORE = {
  kind: "restore",
  action: null,
  written: "",
  words: "",
  breaks: [],
  steps: [{ from: "a3", to: "a2", look: "red", words: "Put it back." }],
};

/** @type {Verdict} */
const REFUSED = {
  kind: "refused",
  action: "a2-a9",
  written: "",
  words: "",
  breaks: [
    { rule: "TR-3", title: "", here: "", text: "", sites: ["a2", "a9"] },
    { rule: "TR-4", title: "", here: "", text: "", sites: ["a9"] },
  ],
  steps: [],
};

/** @type {Question} */
const QUESTION = {
  id: 1,
  by: "red",
  words: "Which of these was it?",
  parts: [],
  choices: [
    { action: "a2-a3", words: "", sites: ["a2", "a3"] },
    { action: "b2-a3", words: "", sites: ["b2", "a3"] },
    { action: "c2-c3", words: "", sites: ["c2", "c3"] },
    { action: "end", words: "", sites: [] },
  ],
};

/**
 * @param {Mark[] | undefined} marks
 * @param {Mark["kind"]} kind
 */
function sitesOf(marks, kind) {
  return (marks || []).filter((mark) => mark.kind === kind).flatMap(({ sites }) => sites);
}

test("the last action is marked", () => {
  const sites = ["a2", "a3"];
  const last = {
    n: 1,
    action: "a2-a3",
    written: "a2-a3",
    player: "red",
    sites,
    words: [],
    tells_end: false,
    source: "tablet",
    certainty: 1,
  };
  assert.deepEqual(sitesOf(boardContents(gameState({ last }), NO_INPUT).marks, "last"), ["a2", "a3"]);
});

test("a few places for a first tap are marked, many are not", () => {
  const few = ["a1", "a2"];
  const many = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"];
  const marksFor = (/** @type {string[]} */ nextPlaces) =>
    sitesOf(boardContents(gameState(), { ...NO_INPUT, nextPlaces }).marks, "can");
  assert.deepEqual(marksFor(few), few);
  assert.deepEqual(marksFor(many), []);
});

test("after a first tap the targets are marked, and can be tapped with words, and what was tapped again", () => {
  const state = gameState({ pieces: { a2: "red", a4: "blue/marked" } });
  const contents = boardContents(state, { ...NO_INPUT, tapped: ["a2"], nextPlaces: ["a3", "a4"] });
  assert.deepEqual(sitesOf(contents.marks, "chosen"), ["a2"]);
  assert.deepEqual(sitesOf(contents.marks, "target"), ["a3", "a4"]);
  assert.deepEqual(contents.taps, { a2: "a2: red", a3: "a3: empty", a4: "a4: marked blue piece" });
});

test("broken rules mark each of their places once, and no first taps", () => {
  const contents = boardContents(gameState({ verdict: REFUSED }), {
    ...NO_INPUT,
    nextPlaces: ["a1"],
  });
  assert.deepEqual(sitesOf(contents.marks, "broken"), ["a2", "a9"]);
  assert.deepEqual(sitesOf(contents.marks, "can"), []);
});

test("the server's verdict is shown before a refusal of this page", () => {
  const contents = boardContents(gameState({ verdict: RESTORE }), { ...NO_INPUT, refusal: REFUSED });
  assert.deepEqual(sitesOf(contents.marks, "broken"), []);
});

test("the first step that puts the board right has an arrow and a ghost", () => {
  const contents = boardContents(gameState({ verdict: RESTORE }), NO_INPUT);
  assert.deepEqual(contents.arrows, [["a3", "a2", "guide"]]);
  assert.deepEqual(contents.ghosts, { a2: "red" });
  assert.deepEqual(sitesOf(contents.marks, "guide"), ["a2"]);
});

test("pieces that stand astray are ghosts", () => {
  const state = gameState({ pieces: { a1: "red", a2: "red" }, seen: { a1: "empty", a2: "red", b5: "blue" } });
  assert.deepEqual(boardContents(state, NO_INPUT).ghosts, { b5: "blue" });
});

test("the choices of a question are numbered where they end; where two end there is a question mark", () => {
  const { marks } = boardContents(gameState({ question: QUESTION }), NO_INPUT);
  const asked = (marks || []).filter(({ kind }) => kind === "ask");
  assert.deepEqual(
    asked.map(({ sites, words }) => [sites[0], words]),
    [
      ["a3", "?"],
      ["c3", "3"],
    ],
  );
});

test("a tap answers a question only where one choice ends", () => {
  assert.equal(choiceAt(QUESTION, "c3")?.action, "c2-c3");
  assert.equal(choiceAt(QUESTION, "a3"), null);
  assert.equal(choiceAt(QUESTION, "a2"), null);
  assert.equal(choiceAt(null, "c3"), null);
});

test("a tap tells the part of a question that ends there", () => {
  const parts = [
    { words: "", sites: ["g1", "g2"], choices: [2, 3] },
    { words: "", sites: ["k2", "j3"], choices: [1, 3] },
  ];
  const question = { ...QUESTION, parts };
  assert.equal(partAt(question, "j3"), 1);
  assert.equal(partAt(question, "k2"), -1);
  assert.equal(choiceAt(question, "a3"), null);
  assert.deepEqual(sitesOf(boardContents(gameState({ question }), NO_INPUT).marks, "ask"), ["g2", "j3"]);
});
