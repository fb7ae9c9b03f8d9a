import assert from "node:assert/strict";
import { test } from "node:test";

import { moveNumber } from "../../../web/static/js/shared/move_list.js";
import { movesOf, stepTitle } from "../../../web/static/js/records/replay_steps.js";
import { storedGame } from "./samples.js";

test("a move stands after the number of its round, with dots where it does not begin it", () => {
  const players = ["white", "black"];
  assert.equal(moveNumber({ round: 12, player: "white" }, players), "12.");
  assert.equal(moveNumber({ round: 12, player: "black" }, players), "12…");
  assert.equal(moveNumber({ round: 12, player: "arbiter" }, players), "12.");
});

test("a stored game's moves are its steps but for the start, as players write them", () => {
  const game = storedGame();
  assert.deepEqual(
    movesOf(game).map(({ n, round, written }) => [n, round, written]),
    [
      [1, 1, "a2-a3"],
      [2, 1, "b7~"],
    ],
  );
  assert.equal(stepTitle(game.steps[2], game.players), "1… b7~");
});
