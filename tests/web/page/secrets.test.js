import assert from "node:assert/strict";
import { test } from "node:test";

import {
  hasNothingToTell,
  isVeiled,
  mustCover,
  nextToJoin,
  nextToLook,
} from "../../../web/static/js/display/secrets.js";
import { gameState, session } from "./samples.js";

const REDS_LOOK = session({ secrets: true, seat: "red" });
const COVERED = session({ secrets: true });
const QUESTION = { id: 1, by: "blue", words: "", choices: [], parts: [] };
const RED_ACTS = gameState({ to_act: "red" });
const BLUE_ACTS = gameState({ to_act: "blue" });

test("a player's pieces are covered when the turn passes", () => {
  assert.equal(mustCover(REDS_LOOK, RED_ACTS, BLUE_ACTS), true);
  assert.equal(mustCover(REDS_LOOK, RED_ACTS, RED_ACTS), false);
  assert.equal(mustCover(REDS_LOOK, null, BLUE_ACTS), false);
});

test("a question is answered before the pieces are covered", () => {
  const asked = gameState({ to_act: "blue", question: QUESTION });
  assert.equal(mustCover(REDS_LOOK, RED_ACTS, asked), false);
  assert.equal(isVeiled(REDS_LOOK, asked, -1), true);
  assert.equal(isVeiled(REDS_LOOK, asked, asked.moves.length), false, "it was handed over for the question");
  assert.equal(mustCover(REDS_LOOK, asked, BLUE_ACTS), true);
});

test("the own pieces are not veiled by an own question", () => {
  assert.equal(isVeiled(REDS_LOOK, gameState({ to_act: "red", question: QUESTION }), -1), false);
});

test("games without secrets, and phones of one player, are never covered", () => {
  assert.equal(mustCover(session({ seat: "red" }), RED_ACTS, BLUE_ACTS), false);
  assert.equal(mustCover({ ...REDS_LOOK, role: "seat" }, RED_ACTS, BLUE_ACTS), false);
  assert.equal(nextToLook(session(), BLUE_ACTS, {}), "");
});

test("the covered tablet is handed to whoever acts, until the game is over", () => {
  assert.equal(nextToLook(COVERED, BLUE_ACTS, {}), "blue");
  assert.equal(nextToLook(REDS_LOOK, BLUE_ACTS, {}), "");
  assert.equal(nextToLook(COVERED, gameState({ state: "over" }), {}), "");
});

test("whoever may have something to tell gets the tablet first, once", () => {
  const told = gameState({ to_act: "blue", teller: { player: "red", plies: 4 } });
  assert.equal(nextToLook(COVERED, told, {}), "red");
  assert.equal(nextToLook(COVERED, told, { red: 3 }), "red");
  assert.equal(nextToLook(COVERED, told, { red: 4 }), "blue");
});

test("who looks and is asked nothing hands the tablet on", () => {
  assert.equal(hasNothingToTell(REDS_LOOK, gameState({ state: "playing", to_act: "blue" })), true);
  assert.equal(hasNothingToTell(REDS_LOOK, gameState({ state: "playing", to_act: "red" })), false);
  assert.equal(hasNothingToTell(REDS_LOOK, gameState({ to_act: "blue", question: QUESTION })), false);
  assert.equal(hasNothingToTell(COVERED, BLUE_ACTS), false);
});

test("where the tablet is no player's, who has yet to set up is told to take a phone", () => {
  const arbiter = session({ role: "arbiter", secrets: true });
  const begun = gameState({ state: "playing", to_act: "red", moves: [] });
  assert.equal(nextToJoin(arbiter, begun), "red");
  assert.equal(nextToJoin(session({ secrets: true }), begun), "", "it is handed over");
  assert.equal(nextToJoin(session({ role: "arbiter" }), begun), "");
  assert.equal(nextToJoin(arbiter, gameState({ ...begun, companion: { red: 3 } })), "");
  assert.equal(nextToJoin(arbiter, gameState({ ...begun, state: "over" })), "");
  const move = { n: 1, round: 1, player: "red", action: "=?", written: "", words: "" };
  assert.equal(nextToJoin(arbiter, gameState({ ...begun, moves: [move] })), "");
});
