import assert from "node:assert/strict";
import { test } from "node:test";

import { OWN, newOwnClock, writeControl } from "../../../web/static/js/start/clock_choice.js";
import { GameChoice, groupsOf, newHabits, playerCounts } from "../../../web/static/js/start/game_choice.js";

const DRAUGHTS = {
  name: "draughts",
  title: "Draughts",
  line: "",
  board: "draughts",
  classic: true,
  boards: { "board=10": "draughts10" },
  options: [
    { name: "board", values: ["8", "10"], labels: ["8", "10"], default: "8", about: "" },
    { name: "players", values: ["2", "3"], labels: ["2", "3"], default: "2", about: "" },
  ],
  players: ["white", "black"],
  markers: false,
  tutorial: true,
  seats: { "players=3": ["white", "black", "green"] },
};

test("a game is offered with all numbers of players that it takes", () => {
  assert.equal(playerCounts(DRAUGHTS), "2 to 3 players");
  assert.equal(
    playerCounts({ ...DRAUGHTS, seats: { "variant=international": ["white", "black"] } }),
    "2 players",
  );
  assert.equal(playerCounts({ ...DRAUGHTS, players: ["solver"], seats: {} }), "Solitaire");
});

test("games stand in groups: those of one's own, classics, puzzles; none is empty", () => {
  const puzzle = { ...DRAUGHTS, name: "queens", classic: false, players: ["solver"] };
  const magnet = { ...DRAUGHTS, name: "magnet", classic: false };
  const named = (/** @type {typeof DRAUGHTS[]} */ games) =>
    groupsOf(games).map(([title, own]) => [title, ...own.map(({ name }) => name)]);
  assert.deepEqual(named([DRAUGHTS, puzzle, magnet]), [
    ["", "magnet"],
    ["Classics", "draughts"],
    ["Puzzles", "queens"],
  ]);
  assert.deepEqual(named([puzzle]), [["Puzzles", "queens"]]);
});

test("a game begins with its defaults, which the request leaves out", () => {
  const choice = new GameChoice(DRAUGHTS, { ...newHabits(), markers: false });
  assert.equal(choice.picture, "/api/v1/boards/draughts.svg");
  assert.deepEqual(choice.request, {
    game: "draughts",
    options: {},
    names: { white: "", black: "" },
    clock: "",
    markers: false,
    companion: "",
    practice: false,
    elsewhere: "",
  });
});

test("seats are handed to the companion, those of the seats that there are", () => {
  const choice = new GameChoice(DRAUGHTS, newHabits());
  choice.levels = { white: "", black: "3/30", green: "6" };
  assert.equal(choice.request.companion, "black=3/30");
  choice.options.players = "3";
  assert.equal(choice.request.companion, "black=3/30 green=6");
});

test("a clock of the players' own is spelled as the server reads it", () => {
  const own = { ...newOwnClock(), minutes: "20", seconds: "10", periods: "3", text: " 40/90,30+30 " };
  /** @type {import("../../../web/static/js/start/clock_choice.js").Mode[]} */
  const modes = ["", "+", "d", "b", "x", "text"];
  const written = modes.map((mode) => writeControl({ ...own, mode }, ["white", "black"]));
  assert.deepEqual(written, ["20", "20+10", "20d10", "20b10", "20+3x10", "40/90,30+30"]);
  /** @type {import("../../../web/static/js/start/clock_choice.js").OwnClock} */
  const unequal = { ...own, mode: "d", differs: true, minutesOf: { black: "2:30" } };
  assert.equal(writeControl(unequal, ["white", "black"]), "white=20d10 black=2:30d10");
  assert.equal(
    writeControl({ ...unequal, secondsOf: { white: "0" } }, ["white", "black"]),
    "white=20d0 black=2:30d10",
  );
  assert.equal(writeControl(unequal, ["solver"]), "20d10");
  const fractions = { ...own, staged: true, minutes: "2,5", more: "1.5" };
  assert.equal(writeControl(fractions, ["white", "black"]), "40/2.5,1.5+10");
  const staged = { ...own, staged: true, turns: "40 ", more: "30" };
  assert.equal(writeControl({ ...staged, mode: "" }, ["white", "black"]), "40/20,30");
  assert.equal(writeControl({ ...staged, mode: "x" }, ["white", "black"]), "40/20,30+3x10");
  const choice = new GameChoice(DRAUGHTS, { ...newHabits(), clock: OWN, own: unequal });
  choice.options.players = "3";
  assert.equal(choice.request.clock, "white=20d10 black=2:30d10 green=20d10");
});

test("an option may have a board of its own", () => {
  const choice = new GameChoice(DRAUGHTS, { ...newHabits(), markers: false });
  choice.options.board = "10";
  assert.equal(choice.picture, "/api/v1/boards/draughts.svg?board=10");
  assert.deepEqual(choice.request.options, { board: "10" });
});

test("an option may seat other players; names that were typed stay", () => {
  const choice = new GameChoice(DRAUGHTS, { ...newHabits(), clock: "10+5" });
  choice.names = { white: "Ann", green: "Cora" };
  assert.deepEqual(choice.request.names, { white: "Ann", black: "" });
  choice.options.players = "3";
  assert.deepEqual(choice.request.names, { white: "Ann", black: "", green: "Cora" });
  assert.equal(choice.request.clock, "10+5");
});

test("markers are laid only in a game that has them", () => {
  const habits = { ...newHabits(), markers: true };
  assert.equal(new GameChoice(DRAUGHTS, habits).request.markers, false);
  assert.equal(new GameChoice({ ...DRAUGHTS, markers: true }, habits).request.markers, true);
});
