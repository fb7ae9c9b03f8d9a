import assert from "node:assert/strict";
import { test } from "node:test";

import { audible, newsSince, toldBy } from "../../../web/static/js/display/sound.js";
import { CLOCK, gameState } from "./samples.js";

/** @import { GameState, TableState } from "../../../web/static/js/shared/types.d.ts" */

const MOVE = {
  n: 1,
  action: "a2-a3",
  written: "a2-a3",
  player: "red",
  sites: [],
  words: ["Red moves.", "It is flipped."],
  tells_end: false,
  source: "tablet",
  certainty: 1,
};
const OUTCOME = { winner: "red", reason: "checkmate", words: "Red wins: checkmate." };

/**
 * @param {TableState} before
 * @param {GameState} state
 */
const news = (before, state) => newsSince(toldBy(before), toldBy(state), state);

test("a state that says nothing new is silent", () => {
  assert.equal(news(gameState({ last: MOVE }), gameState({ last: MOVE })), null);
});

test("a move is read out", () => {
  assert.equal(news(gameState(), gameState({ last: MOVE }))?.words, "Red moves. It is flipped.");
});

test("the outcome follows the last move, with a higher tone", () => {
  const over = news(gameState(), gameState({ last: MOVE, outcome: OUTCOME }));
  assert.equal(over?.words, "Red moves. It is flipped. Red wins: checkmate.");
  assert.ok(over.pitch > (news(gameState(), gameState({ last: MOVE }))?.pitch || 0));
});

test("an outcome that the last move tells is not said twice", () => {
  const last = { ...MOVE, words: ["Red moves.", "Red wins: checkmate."], tells_end: true };
  const over = news(gameState(), gameState({ last, outcome: OUTCOME }));
  assert.equal(over?.words, "Red moves. Red wins: checkmate.");
  assert.ok(over.pitch > (news(gameState(), gameState({ last: MOVE }))?.pitch || 0));
});

test("what is taken back is said so, and the action before it is not read out again", () => {
  const second = { ...MOVE, n: 2, action: "b7-b6", words: ["Blue moves."] };
  assert.equal(news(gameState({ last: second }), gameState({ last: MOVE }))?.words, "Taken back.");
  assert.equal(news(gameState({ last: MOVE }), gameState({ last: null }))?.words, "Taken back.");
  assert.equal(
    news(gameState({ last: second }), gameState({ last: MOVE, number: 2 }))?.words,
    "Red moves. It is flipped.",
  );
});

test("where players have secrets it is not heard that one of them is asked", () => {
  const question = { id: 3, by: "red", words: "Was the piece from a4 promoted?", choices: [], parts: [] };
  const [before, asked] = [gameState({ last: MOVE }), gameState({ last: MOVE, question })];
  const heard = (/** @type {boolean} */ secrets) => {
    const now = audible(asked, { secrets });
    return newsSince(toldBy(audible(before, { secrets })), toldBy(now), now);
  };
  assert.equal(heard(true), null);
  assert.equal(heard(false)?.words, question.words);
});

test("a draw that is offered is heard, once", () => {
  const offered = gameState({ last: MOVE, offer: { kind: "draw", by: "red" } });
  assert.equal(news(gameState({ last: MOVE }), offered)?.words, "Red offers a draw.");
  assert.equal(news(offered, offered), null);
  assert.equal(news(offered, gameState({ last: MOVE })), null);
});

test("a question is read out", () => {
  const question = { id: 3, by: "red", words: "Which of these was it?", choices: [], parts: [] };
  assert.equal(news(gameState(), gameState({ question }))?.words, "Which of these was it?");
});

test("a verdict is told before all else, in its own words, with the first step", () => {
  const verdict = {
    kind: /** @type {const} */ ("restore"),
    action: null,
    written: "",
    words: "The board differs.",
    breaks: [{ rule: "TR-3", title: "", here: "a2 to a5 is three.", text: "One square only.", sites: [] }],
    steps: [{ from: null, to: null, look: null, words: "Put it back." }],
  };
  const state = gameState({ verdict, last: MOVE });
  assert.equal(news(gameState(), state)?.words, "The board differs. Put it back.");
});

test("a flag that falls sounds otherwise, and says how the game ended, or what the arbiter is told", () => {
  const clock = CLOCK;
  const fallen = { ...CLOCK, flags: ["red"] };
  const outcome = { winner: "blue", reason: "", words: "Blue wins: Red's time is up." };
  const two = news(gameState({ clock }), gameState({ clock: fallen, outcome }));
  assert.equal(two?.words, outcome.words);
  const notice = "Red's time is up: the arbiter rules.";
  const three = news(gameState({ clock }), gameState({ clock: fallen, notice }));
  assert.deepEqual([three?.words, three?.pitch], [notice, two?.pitch]);
  const end = news(gameState({ clock }), gameState({ clock, outcome }));
  assert.notEqual(end?.pitch, two?.pitch);
  assert.equal(news(gameState({ clock: fallen }), gameState({ clock: fallen })), null);
});

test("a table without a game has nothing to tell", () => {
  const empty = /** @type {TableState} */ ({
    state: "empty",
    game: null,
    sources: [],
    notice: "",
    clock: null,
    proposal: null,
  });
  assert.equal(newsSince(toldBy(empty), toldBy(empty), empty), null);
});
