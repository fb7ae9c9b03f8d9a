import assert from "node:assert/strict";
import { test } from "node:test";

import { gameWords } from "../../../web/static/js/records/game_words.js";
import { changesOf, typedAction } from "../../../web/static/js/records/record_changes.js";
import { gameTitle, stepSigns, stepWords } from "../../../web/static/js/records/replay_steps.js";
import { storedGame } from "./samples.js";

const SUMMARY = {
  number: 1,
  picture: false,
  deleted: false,
  damaged: false,
  game: "ternion_factor",
  title: "Ternion Factor",
  variant: [],
  head: {},
  started: null,
  plies: 2,
  moves: null,
  result: null,
};

test("a game is listed by its title, players, length and result", () => {
  const words = gameWords({ ...SUMMARY, head: { red: "Ann", blue: "", event: "Cup" }, result: "red" });
  assert.deepEqual(words, {
    title: "Ternion Factor · Ann (Red)",
    result: "2 actions, Red won",
    occasion: "Cup",
  });
});

test("a game's entry names players alone: no solution of a puzzle, nor how the companion plays", () => {
  const head = { puzzle: "3dc4529f 11 c7~", companion: "blue=1/10", practice: "yes", blue: "Companion 1" };
  const { title, occasion } = gameWords({ ...SUMMARY, head });
  assert.deepEqual([title, occasion], ["Ternion Factor · Companion 1 (Blue)", "Puzzle"]);
});

test("results and lengths are put in words", () => {
  assert.equal(gameWords({ ...SUMMARY, plies: 1 }).result, "1 action, not over");
  assert.equal(gameWords({ ...SUMMARY, result: "draw" }).result, "2 actions, drawn");
  assert.equal(gameWords({ ...SUMMARY, result: "solver" }).result, "2 actions, solved");
});

test("the occasion names variants, and the game that is corrected", () => {
  const summary = {
    ...SUMMARY,
    variant: ["international", "from a given position"],
    head: { corrects: "game 7" },
  };
  assert.equal(gameWords(summary).occasion, "international, from a given position, corrects game 7");
});

test("a replay's title names the players who have names", () => {
  assert.equal(gameTitle(storedGame()), "Triune: Ann");
  assert.equal(gameTitle(storedGame({ head: {} })), "Triune");
});

test("a step is told with its number, the last one with the outcome", () => {
  const outcome = { winner: "blue", reason: "", words: "Blue wins: resigned." };
  assert.equal(stepWords(storedGame({ outcome }), 0), "The start.");
  assert.equal(stepWords(storedGame({ outcome }), 1), "1. a2-a3  Red moves.");
  assert.equal(stepWords(storedGame({ outcome }), 2), "1… b7~  Blue flips. Blue wins: resigned.");
  const ended = storedGame({ outcome });
  Object.assign(ended.steps[2], { words: ["Blue flips.", outcome.words], tells_end: true });
  assert.equal(stepWords(ended, 2), "1… b7~  Blue flips. Blue wins: resigned.");
});

test("signs tell what is kept of a step", () => {
  const { steps } = storedGame();
  assert.deepEqual(stepSigns(steps[1]), []);
  const signs = stepSigns({ ...steps[1], notes: [{ by: "red", text: "", line: 1 }] });
  assert.deepEqual(
    signs.map(({ words }) => words),
    ["a comment"],
  );
});

test("a refusal has a sign, and a recorded result or a change of the clock has none", () => {
  const { steps } = storedGame();
  const signs = (/** @type {string} */ kind) =>
    stepSigns({ ...steps[1], asides: [{ kind, line: 1, words: "" }] });
  assert.deepEqual(
    signs("refused").map(({ kind }) => kind),
    ["aside"],
  );
  for (const kind of ["result", "clock", "offer", "head"]) assert.deepEqual(signs(kind), []);
});

test("a game of chess is counted by moves", () => {
  assert.equal(gameWords({ ...SUMMARY, plies: 14, moves: 7 }).result, "7 moves, not over");
});

test("a correction names only what differs", () => {
  const typed = { actions: { 1: "a2-a3" }, names: { red: "Ann", blue: "Ben", event: "" }, until: null };
  assert.deepEqual(changesOf(storedGame(), typed), { names: { blue: "Ben" } });
});

test("an action is corrected as players write it, unless that is words", () => {
  const step = { ...storedGame().steps[1], action: "d2d4", written: "d4" };
  assert.equal(typedAction(step), "d4");
  assert.equal(typedAction({ ...step, action: "=", written: "end the turn" }), "=");
});

test("a correction may change actions, and end the game", () => {
  const typed = { actions: { 1: "a2-a4", 2: "b7~" }, names: {}, until: 1 };
  assert.deepEqual(changesOf(storedGame(), typed), { names: {}, steps: { 1: "a2-a4" }, until: 1 });
});
