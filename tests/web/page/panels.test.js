import assert from "node:assert/strict";
import { test } from "node:test";

import { placesByLook, stateWords } from "../../../web/static/js/display/menu.js";
import {
  choiceNames,
  handOverCard,
  isDeclined,
  playersToAnswer,
  sensorCards,
  verdictCard,
} from "../../../web/static/js/display/news.js";
import { sentences, tellingCounts } from "../../../web/static/js/display/side_panels.js";
import { isBegun, mayUndo } from "../../../web/static/js/display/tools.js";
import { lengthOf, seatWords, turnWords, windowTitle } from "../../../web/static/js/display/turn_panel.js";
import { sensorName } from "../../../web/static/js/shared/sensor_names.js";
import { gameState, puzzleState, rowBoard, session } from "./samples.js";

const MOVED = { n: 1, round: 1, player: "red", action: "b1-b2", written: "b1-b2", words: "" };

test("the player to move is called by name, with what is owed", () => {
  const state = gameState({ head: { red: "Ann" } });
  assert.deepEqual(turnWords(state), { name: "Ann (Red)", prompt: "Move one piece" });
  assert.equal(windowTitle(state), "Ann (Red) to play · Triune");
});

test("whoever acts in another player's turn is told whose turn it is", () => {
  const state = gameState({ turn: "blue", to_act: "red", prompt: "choose" });
  assert.deepEqual(turnWords(state), { name: "Red", prompt: "Choose · Blue’s turn" });
});

test("a seat that nobody here plays says who does", () => {
  const promptOf = (/** @type {number} */ level) =>
    turnWords(gameState({ companion: { red: level } })).prompt;
  assert.equal(promptOf(3), "Thinking…");
  assert.equal(promptOf(0), "Plays at the other table");
});

test("a solver without a name is addressed", () => {
  assert.equal(turnWords(puzzleState()).name, "Your turn");
  assert.equal(windowTitle(puzzleState()), "Your turn · Queens");
});

test("who holds a seat is told who they are, and when it is their move", () => {
  const state = gameState({ head: { blue: "Bo" } });
  const words = (/** @type {string} */ role, /** @type {string} */ seat) =>
    seatWords(state, session({ role: /** @type {any} */ (role), seat }));
  assert.equal(words("seat", "red"), "You are Red. Your move.");
  assert.equal(words("seat", "blue"), "You are Bo (Blue). Please wait.");
  assert.equal(words("home", "red"), "");
  const taken = gameState({ companion: { red: 1 }, head: { red: "Companion 1" } });
  assert.equal(seatWords(taken, session({ role: "seat", seat: "red" })), "Companion 1 (Red) plays for you.");
});

test("an offer that ends without an action was declined", () => {
  const red = session({ role: "seat", seat: "red" });
  const offered = gameState({ offer: { kind: "draw", by: "red" } });
  const declined = gameState();
  assert.equal(isDeclined(red, offered, declined), true);
  assert.equal(isDeclined(session({ role: "seat", seat: "blue" }), offered, declined), false);
  assert.equal(isDeclined(red, offered, gameState({ moves: [MOVED] })), false);
  assert.equal(isDeclined(red, offered, offered), false);
  assert.equal(isDeclined(red, declined, declined), false);
});

test("on a display for all an offer is told as declined where the companion did it", () => {
  const home = session({ role: "home", seat: "" });
  const companion = { blue: 3 };
  const offered = gameState({ offer: { kind: "draw", by: "red" }, companion });
  assert.equal(isDeclined(home, offered, gameState({ companion })), true);
  assert.equal(
    isDeclined(session({ role: "spectator", seat: "" }), offered, gameState({ companion })),
    false,
  );
  const byIt = gameState({ offer: { kind: "draw", by: "blue" }, companion });
  assert.equal(isDeclined(home, byIt, gameState({ companion })), false);
  assert.equal(isDeclined(home, gameState({ offer: { kind: "draw", by: "red" } }), gameState()), false);
});

test("an outcome is told in the largest letters", () => {
  const won = gameState({ outcome: { winner: "red", reason: "checkmate", words: "Red wins: checkmate." } });
  assert.deepEqual(turnWords(won), { name: "Red wins", prompt: "Checkmate" });
  assert.equal(windowTitle(won), "Red wins: checkmate.");
  const drawn = gameState({ outcome: { winner: null, reason: "agreed", words: "Drawn: agreed." } });
  assert.equal(turnWords(drawn).name, "Draw");
});

test("a long name is written smaller", () => {
  assert.equal(lengthOf("Red", false), "short");
  assert.equal(lengthOf("Red wins", true), "long");
  assert.equal(lengthOf("Maximiliane Obermayer-Lindqvist (White)", false), "longest");
});

test("a puzzle is solved or given up", () => {
  const solved = { ...puzzleState(), outcome: { winner: "solver", reason: "solved", words: "Solved." } };
  assert.deepEqual(turnWords(solved), { name: "Solved", prompt: "Queens" });
  const givenUp = { ...puzzleState(), outcome: { winner: null, reason: "given up", words: "Given up." } };
  assert.equal(turnWords(givenUp).name, "Given up");
});

test("a draw is answered by those who have not agreed, or by the own seat", () => {
  const state = gameState({
    playing: ["red", "green", "blue"],
    offer: { kind: "draw", by: "red", agreed: ["green"] },
  });
  assert.deepEqual(playersToAnswer(state, ""), ["blue"]);
  assert.deepEqual(playersToAnswer(state, "green"), []);
  assert.deepEqual(playersToAnswer(gameState(), ""), []);
});

test("only sensors that fail are news", () => {
  const sources = [
    { name: "picamera", state: /** @type {const} */ ("ok"), words: "" },
    {
      name: "serial:/dev/ttyUSB0",
      state: /** @type {const} */ ("lost"),
      words: "the sensor grid is not connected",
    },
    { name: "camera:0", state: /** @type {const} */ ("unlearned"), words: "it does not know the board" },
  ];
  assert.deepEqual(
    sensorCards(gameState({ sources }), true).map((card) => card?.key),
    [
      ["set up", "it does not know the board", true],
      ["notice", "The sensor grid is not connected"],
    ],
  );
});

test("a sensor has a name for people; two of a kind are told apart", () => {
  const sources = ["virtual", "serial:", "camera:0", "hall"].map((name) => ({
    name,
    state: /** @type {const} */ ("ok"),
    words: "",
  }));
  assert.deepEqual(
    sources.map(({ name }) => sensorName(name, sources)),
    ["Camera (virtual)", "Sensor grid", "Camera (camera:0)", "Hall"],
  );
  assert.equal(sensorName("virtual", sources.slice(0, 2)), "Camera");
});

test("there is no card for what is not there", () => {
  const handlers = { onShowRule: null, onDismiss: null, onPutRight: null, onOverrule: null, onTurn: null };
  assert.equal(verdictCard(null, handlers), null);
  assert.equal(
    handOverCard(gameState(), "", () => {}),
    null,
  );
});

test("the outcome is said once", () => {
  const last = {
    n: 1,
    action: "",
    written: "",
    player: "red",
    sites: [],
    words: ["Red moves.", "Red wins: checkmate."],
    tells_end: true,
    source: "tablet",
    certainty: 1,
  };
  const outcome = { winner: "red", reason: "checkmate", words: "Red wins: checkmate." };
  assert.deepEqual(sentences(gameState({ last, outcome })), last.words);
  assert.deepEqual(sentences(gameState({ last: null, outcome })), ["Red wins: checkmate."]);
});

test("a sentence that comes twice is said once", () => {
  const last = {
    n: 1,
    action: "",
    written: "",
    player: "red",
    sites: [],
    words: ["Red takes.", "Red takes."],
    tells_end: false,
    source: "tablet",
    certainty: 1,
  };
  assert.deepEqual(sentences(gameState({ last })), ["Red takes."]);
});

test("a turn that has passed is told from its first action", () => {
  const move = (/** @type {number} */ n, /** @type {string} */ player, /** @type {string} */ words) => {
    return { n, round: 1, player, action: "", written: "", words };
  };
  const moves = [move(1, "blue", "Blue moves."), move(2, "red", "Red takes."), move(3, "red", "Red moves.")];
  const last = {
    n: 3,
    action: "",
    written: "",
    player: "red",
    sites: [],
    words: ["Red moves."],
    tells_end: false,
    source: "tablet",
    certainty: 1,
  };
  assert.deepEqual(sentences(gameState({ last, moves, to_act: "blue" })), ["Red takes.", "Red moves."]);
  assert.deepEqual(sentences(gameState({ last, moves, to_act: "red" })), ["Red moves."]);
});

test("a seat takes back its own last action, and no ruling", () => {
  const moves = [{ n: 1, round: 1, player: "red", action: "a2-a3", written: "a2-a3", words: "" }];
  const state = gameState({ can_undo: true, moves });
  assert.equal(mayUndo(state, session()), true);
  assert.equal(mayUndo(state, session({ role: "seat", seat: "red" })), true);
  assert.equal(mayUndo(state, session({ role: "seat", seat: "blue" })), false);
  assert.equal(mayUndo({ ...state, ruled: true }, session({ role: "seat", seat: "red" })), false);
  assert.equal(mayUndo({ ...state, can_undo: false }, session()), false);
  /** @type {import("../../../web/static/js/shared/types.d.ts").Verdict} */
  const verdict = { kind: "unfinished", action: null, words: "", breaks: [], steps: [], written: "" };
  assert.equal(mayUndo({ ...state, to_act: "blue", verdict }, session({ role: "seat", seat: "blue" })), true);
});

test("the board in words groups places by what stands there", () => {
  const board = { ...rowBoard(), words: { red: "red piece", blue: "blue piece" } };
  assert.deepEqual(placesByLook(board, { b1: "red", a7: "blue", a1: "red" }), [
    ["blue piece", ["a7"]],
    ["red piece", ["a1", "b1"]],
  ]);
  const numbered = { ...board, names: { a1: "29", b8: "1", d8: "2", a3: "21" } };
  assert.deepEqual(placesByLook(numbered, { a1: "red", b8: "red", a3: "red", d8: "red" }), [
    ["red piece", ["1", "2", "21", "29"]],
  ]);
});

test("the board in words begins with whose turn it is, or how the game ended", () => {
  const moved = { n: 1, round: 1, player: "red", action: "a2-a3", written: "a2-a3", words: "Red moves." };
  assert.equal(stateWords(gameState()), "Red: move one piece.");
  assert.equal(stateWords(gameState({ moves: [moved] })), "Red: move one piece. Last: Red moves.");
  const outcome = { winner: "red", reason: "checkmate", words: "Red wins: checkmate." };
  const over = { to_act: "blue", prompt: "", outcome };
  assert.equal(stateWords(gameState({ ...over, moves: [moved] })), "Red wins: checkmate. Last: Red moves.");
  const mate = { ...moved, words: "Red moves. Red wins: checkmate." };
  assert.equal(stateWords(gameState({ ...over, moves: [mate] })), "Last: Red moves. Red wins: checkmate.");
});

test("counts that are nought for everybody are left out", () => {
  /** @type {import("../../../web/static/js/shared/types.d.ts").Count[]} */
  const counts = [
    { name: "pieces", values: { red: 16, blue: 15 }, total: 16 },
    { name: "captured", values: { red: 1, blue: 0 }, total: null },
    { name: "revealed", values: { red: 0, blue: 0 }, total: 3 },
    { name: "moves left", values: { "": 0 }, total: 2 },
  ];
  assert.deepEqual(
    tellingCounts(counts).map(({ name }) => name),
    ["pieces", "captured"],
  );
});

test("ending the turn is only urged once something was done in it, or nothing else can be", () => {
  const [end, go] = [
    { action: "end", path: [], label: "end the turn" },
    { action: "a1-a2", path: ["a1", "a2"], label: "move" },
  ];
  const move = (/** @type {string} */ player) => ({ ...MOVED, player });
  assert.equal(isBegun(gameState({ legal: [end, go], moves: [] })), false);
  assert.equal(isBegun(gameState({ legal: [end, go], moves: [move("blue")] })), false);
  assert.equal(isBegun(gameState({ legal: [end, go], moves: [move("red")] })), true);
  assert.equal(isBegun(gameState({ legal: [end], moves: [move("blue")] })), true);
});

test("actions that are tapped alike are named in words, not in notation", () => {
  /** @type {[string, string][]} */
  const kinds = [
    ["[a-k]\\d+", "move"],
    ["[a-k]\\d+\\+", "move, promote"],
  ];
  const path = ["a3"];
  const [plain, promoted] = [
    { action: "a3", path, label: "a3" },
    { action: "a3+", path, label: "a3, promoted" },
  ];
  assert.deepEqual(choiceNames([plain, promoted], kinds), ["move", "move, promote"]);
  assert.deepEqual(choiceNames([promoted], kinds), ["a3, promoted"]);
  assert.deepEqual(choiceNames([plain, promoted], []), ["a3", "a3, promoted"]);
});
