// The menu "More": draws and resignations, the arbiter's actions, seats, roles, and links to the other pages.

import { ENTER_PIN, askPin, isArbiter } from "../shared/arbiter.js";
import { attempt } from "../shared/attempt.js";
import { button, html } from "../shared/dom.js";
import { nameOf } from "../shared/players.js";
import { askToConfirm, closeSheet, openSheet } from "../shared/sheet.js";
import { capital, describeLook } from "../shared/text.js";
import { writeAction } from "./action_dialog.js";
import { screenWords } from "./screen_wake.js";

/** @import { Child, GameState, Place, Player, Session } from "../shared/types.d.ts" */
/** @import { Display } from "./display.js" */

/**
 * @param {GameState} state
 * @param {Display} display
 */
export function openMenu(state, display) {
  const isTurned = display.view.isTurned;
  openSheet(
    state.game.title,
    item(isTurned ? "Turn the board back" : "Turn the board round", () => display.turnBoard()),
    display.mayAct && state.state !== "over" && seatItems(state, display.session),
    secretItems(state, display),
    isArbiter(display.session) && arbiterItems(state, display),
    display.mayAct && state.state !== "over" && item("Write an action", () => writeAction(state, display)),
    item("The board in words", () => showInWords(state)),
    roleItems(state, display),
    item("Full screen", () => document.documentElement.requestFullscreen?.()),
    pageLinks(display.session),
    html("p", { class: "soft" }, screenWords()),
  );
}

/**
 * Makes a line of the menu, which closes it.
 * @param {string} words
 * @param {() => unknown} action
 */
function item(words, action) {
  const choose = () => {
    closeSheet();
    action();
  };
  return button(words, choose, { class: "button wide" });
}

/**
 * Offers a draw or resigns, for the own seat or for each player.
 * @param {GameState} state
 * @param {Session} session
 * @returns {Child[]}
 */
function seatItems(state, { seat }) {
  const seats = state.playing.filter((player) => !seat || player === seat);
  if (seats.length < 2 && !seat) return [];
  return seats.map((player) => {
    const name = nameOf(state, player);
    const resign = () => attempt("resignations", { player });
    const ask = () => askToConfirm("Resign?", `${name} gives the game up.`, "Resign", resign);
    return [
      !state.offer &&
        state.playing.length > 1 &&
        item(`${name} offers a draw`, () => attempt("draws/offer", { player })),
      state.playing.length === 2 && item(`${name} resigns`, ask),
    ];
  });
}

/**
 * Shows the pieces of each other player who shares this tablet.
 * @param {GameState} state
 * @param {Display} display
 * @returns {Child[]}
 */
function secretItems(state, display) {
  const { role, secrets, seat } = display.session;
  if (role !== "home" || !secrets || state.state === "over") return [];
  const others = state.game.players.filter((player) => player !== seat);
  return others.map((player) => item(`Show ${nameOf(state, player)}’s pieces`, () => display.look(player)));
}

/**
 * @param {GameState} state
 * @param {Display} display
 * @returns {Child[]}
 */
function arbiterItems(state, display) {
  const canRule = state.state !== "over" && state.game.players.length > 1;
  const words = "The game that is on is kept among the records.";
  const choose = () => display.chooseGame();
  return [
    item("Correct the position", () => display.correctPosition()),
    canRule && item("Rule the result", () => ruleResult(state)),
    item("New game", () => askToConfirm("New game?", words, "Choose a new game", choose)),
  ];
}

/**
 * @param {GameState} state
 * @param {Display} display
 * @returns {Child[]}
 */
function roleItems(state, display) {
  const { session } = display;
  const isReachable = session.open || session.pin;
  const leave = () => attempt("session/leave").then(() => location.reload());
  return [
    isReachable && isArbiter(session) && item("Seats for phones", () => showSeats(state)),
    session.pin && !isArbiter(session) && item(ENTER_PIN, () => askPin((given) => display.setSession(given))),
    (session.role === "arbiter" || session.seat) && item("Give up this role", leave),
  ];
}

/**
 * @param {Session} session
 * @returns {Child[]}
 */
function pageLinks(session) {
  const link = (/** @type {string} */ href, /** @type {string} */ words) =>
    html("a", { class: "button wide", href }, words);
  const canSetUp = isArbiter(session);
  return [
    canSetUp && session.bench && link("/setup", "Set up the camera"),
    canSetUp && session.grid && link("/setup/grid", "Set up the sensor grid"),
    link("/records", "Earlier games"),
  ];
}

/**
 * Lets the arbiter end the game: who has won, or nobody.
 * @param {GameState} state
 */
function ruleResult(state) {
  const ruling = (/** @type {string} */ words, /** @type {Player} */ winner) =>
    item(words, () => attempt("results", { winner }));
  openSheet(
    "How does the game end?",
    state.game.players.map((player) => ruling(`${nameOf(state, player)} wins`, player)),
    ruling("Drawn", ""),
  );
}

/**
 * Groups the places by what stands there, in words.
 * @param {GameState["pieces"]} pieces
 * @returns {[words: string, places: Place[]][]}
 */
export function placesByLook(pieces) {
  /** @type {Record<string, Place[]>} */
  const groups = {};
  for (const [place, look] of Object.entries(pieces)) (groups[describeLook(look)] ||= []).push(place);
  return Object.entries(groups)
    .map(([words, places]) => /** @type {[string, Place[]]} */ ([words, places.sort()]))
    .sort();
}

/**
 * Says whose turn it is, or how the game ended, and what was done last.
 * @param {GameState} state
 */
export function stateWords(state) {
  const { outcome, moves, prompt } = state;
  const lastWords = moves.at(-1)?.words || "";
  const now = outcome ? outcome.words : `${nameOf(state, state.to_act)}: ${prompt}.`;
  if (lastWords.includes(now)) return `Last: ${lastWords}`; // the last action ended the game, and says so
  return lastWords ? `${now} Last: ${lastWords}` : now;
}

/** @param {GameState} state */
function showInWords(state) {
  const groups = placesByLook(state.pieces).map(([words, places]) => [
    html("dt", {}, capital(words)),
    html("dd", {}, places.join(", ")),
  ]);
  openSheet("The board in words", html("p", {}, stateWords(state)), html("dl", {}, groups));
}

/**
 * Shows each seat's code, which a phone scans to take it.
 * @param {GameState} state
 */
function showSeats(state) {
  const seats = state.game.players.map((player) => {
    const code = html("img", {
      src: `/api/v1/seats/${player}/qr.svg`,
      alt: `Code of ${player}’s seat`,
    });
    return html("figure", {}, code, html("figcaption", {}, nameOf(state, player)));
  });
  openSheet(
    "Scan a seat with a phone",
    html("p", { class: "soft" }, "The phone must be in the same network. A seat is given for this game."),
    html("div", { class: "seats" }, seats),
  );
}
