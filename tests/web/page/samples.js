// Small sessions, states and boards for the tests; each test names what it is about.

/** @import { BoardData, GameState, LegalAction } from "../../../web/static/js/shared/types.d.ts" */
/** @import { Session, StoredGame } from "../../../web/static/js/shared/types.d.ts" */

/**
 * @param {Partial<Session>} [more]
 * @returns {Session}
 */
export function session(more = {}) {
  const offered = {
    pin: false,
    open: false,
    table: false,
    bench: false,
    eyes: false,
    grid: false,
    secrets: false,
  };
  return { role: "home", seat: "", north: false, csrf: "token", ...offered, ...more };
}

/**
 * Makes the state of a game that has just begun: red is to move.
 * @param {Partial<GameState>} [more]
 * @returns {GameState}
 */
export function gameState(more = {}) {
  return {
    sources: [],
    notice: "",
    clock: null,
    proposal: null,
    state: "playing",
    number: 1,
    plies: 0,
    head: {},
    game: {
      name: "triune",
      title: "Triune",
      board: "triune",
      head: "triune",
      options: {},
      players: ["red", "blue"],
      palette: ["empty", "red", "blue"],
      notations: [],
      hints: false,
      tutorial: true,
      goal: "",
      kinds: [],
    },
    turn: "red",
    to_act: "red",
    playing: ["red", "blue"],
    prompt: "move one piece",
    pieces: {},
    checked: [],
    gone: [],
    fen: "",
    seen: {},
    companion: {},
    last: null,
    verdict: null,
    question: null,
    teller: null,
    offer: null,
    claim: "",
    set_up: false,
    may_be_turned: false,
    moves: [],
    puzzle: "",
    can_undo: false,
    can_redo: false,
    ruled: false,
    counts: [],
    outcome: null,
    legal: [],
    ...more,
  };
}

/** @returns {GameState} */
export function puzzleState() {
  const { game } = gameState();
  return gameState({
    game: { ...game, title: "Queens", players: ["solver"] },
    turn: "solver",
    to_act: "solver",
    playing: ["solver"],
  });
}

/**
 * @param {string} action
 * @param {...string} path
 * @returns {LegalAction}
 */
export function legal(action, ...path) {
  return { action, path, label: action };
}

/**
 * A row of sites a, b, c, one unit apart, and a place `box` beside it.
 * @returns {BoardData}
 */
export function rowBoard() {
  return {
    name: "row",
    svg: "",
    spacing: 1,
    names: {},
    sites: { a: [0, 0], b: [1, 0], c: [2, 0] },
    places: { a: [0, 0, 0], b: [1, 0, 0], c: [2, 0, 0], box: [4, 0, 90] },
    symbols: {},
    words: {},
    owners: [],
    turns: "",
  };
}

/**
 * Makes a stored game of two actions.
 * @param {Partial<StoredGame>} [more]
 * @returns {StoredGame}
 */
export function storedGame(more = {}) {
  const nothing = { pieces: {}, checked: [], gone: [], fen: "", notes: [], asides: [] };
  return {
    number: 7,
    game: "triune",
    more: false,
    title: "Triune",
    head: { red: "Ann", event: "" },
    players: ["red", "blue"],
    steps: [
      { ...nothing, line: 0, round: 0 },
      {
        ...nothing,
        line: 1,
        n: 1,
        round: 1,
        player: "red",
        action: "a2-a3",
        written: "a2-a3",
        sites: ["a2", "a3"],
        words: ["Red moves."],
        tells_end: false,
      },
      {
        ...nothing,
        line: 2,
        n: 2,
        round: 1,
        player: "blue",
        action: "b7~",
        written: "b7~",
        sites: ["b7"],
        words: ["Blue flips."],
        tells_end: false,
      },
    ],
    forms: ["record"],
    author: "arbiter",
    outcome: null,
    deleted: false,
    ...more,
  };
}

/** Red's clock runs, after a delay. @type {import("../../../web/static/js/shared/types.d.ts").Clock} */
export const CLOCK = {
  control: "1:00d5",
  left: { red: 60, blue: 30 },
  runs: "red",
  since: 1_000,
  paused: false,
  delay: 5,
  held: false,
  flags: [],
  byo_yomi: {},
};
