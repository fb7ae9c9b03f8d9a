// The menu "More", in groups: the game, what the arbiter does, the board, and the companion's other pages.

import { ENTER_PIN, askPin, isArbiter } from "../shared/arbiter.js";
import { attempt, meantFor } from "../shared/attempt.js";
import { openCopying } from "../shared/copying.js";
import { button, html } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { pageLinks } from "../shared/page_links.js";
import { nameOf } from "../shared/players.js";
import { openPrograms } from "../shared/programs.js";
import { openSettings } from "../shared/settings_sheet.js";
import { askToConfirm, closeSheet, openSheet } from "../shared/sheet.js";
import { capital, describeLook, namePlace } from "../shared/text.js";
import { writeAction } from "./action_dialog.js";
import { openClockTools } from "./clock_tools.js";
import { showInvitations } from "./invitations.js";
import { isHelping } from "./first_game.js";
import { openOpponents, peopleOf } from "./opponents.js";
import { openHowToPlay } from "./how_to_play.js";
import { screenWords } from "../shared/screen_wake.js";

/** @import { BoardData, Child, GameState, Player, Session } from "../shared/types.d.ts" */
/** @import { IconName } from "../shared/icons.js" */
/** @import { Display } from "./display.js" */

/**
 * @param {GameState} state
 * @param {Display} display
 */
export function openMenu(state, display) {
  openSheet(
    state.game.title,
    group(t("Game"), gameItems(state, display)),
    group(t("Arbiter"), [isArbiter(display.session) && arbiterItems(state, display), roleItems(display)]),
    group(t("Board"), boardItems(state, display)),
    group(t("Companion"), companionItems(state, display)),
    html("p", { class: "soft" }, screenWords()),
  );
}

/**
 * Makes a part of the menu; nothing where it would be empty.
 * @param {string} title
 * @param {Child[]} items
 */
function group(title, items) {
  const section = html("section", { class: "group" }, html("h3", {}, title), items);
  return section.childElementCount > 1 && section;
}

/**
 * Makes a line of the menu, which closes it.
 * @param {IconName} picture
 * @param {string} words
 * @param {() => unknown} action
 */
function item(picture, words, action) {
  const choose = () => {
    closeSheet();
    action();
  };
  return button([icon(picture), words], choose, { class: "button wide" });
}

/**
 * @param {GameState} state
 * @param {Display} display
 * @returns {Child[]}
 */
function boardItems(state, display) {
  const isTurned = display.view.isTurned;
  return [
    item("turn", isTurned ? t("Turn the board back") : t("Turn the board round"), () => display.turnBoard()),
    item("words", t("The board in words"), () => showInWords(state, display.view.board)),
    state.fen && item("copy", t("Copy the position or the game"), () => copyGame(state, display)),
    secretItems(state, display),
    display.session.eyes &&
      isArbiter(display.session) &&
      item("grid", t("Test how the board is seen"), () => display.test.begin()),
    item("screen", t("Full screen"), () => document.documentElement.requestFullscreen?.()),
    item("display", t("Language, sound and colours"), () => openSettings(() => display.render())),
  ];
}

/**
 * Offers the position that is shown, and the game, for other programs.
 * @param {GameState} state
 * @param {Display} display
 */
function copyGame({ fen, number, game }, { lookBack }) {
  return openCopying({ fen: lookBack.shown?.fen || fen, number, notations: game.notations });
}

/**
 * @param {GameState} state
 * @param {Display} display
 * @returns {Child[]}
 */
function gameItems(state, display) {
  const canAct = display.mayAct && state.state !== "over";
  const words = t("The game that is on is kept among the records.");
  const choose = () => display.chooseGame();
  const ask = () => askToConfirm(t("New game?"), words, t("Choose a new game"), choose, "strong");
  return [
    isArbiter(display.session) && item("new", t("New game"), ask),
    state.game.tutorial && item("help", t("How to play"), () => openHowToPlay(state.game)),
    canAct && item("eye", helpWords(), () => display.setHelping(!isHelping())),
    canAct && item("pen", t("Write an action"), () => writeAction(state, display)),
    canAct && seatItems(state, display.session),
  ];
}

/** Returns the words that turn help for a first game on or off. */
function helpWords() {
  return isHelping() ? t("No more help") : t("Tell me what I can do");
}

/**
 * Offers a draw or resigns, for the own seat or for each player.
 * @param {GameState} state
 * @param {Session} session
 * @returns {Child[]}
 */
function seatItems(state, { seat }) {
  const seats = peopleOf(state, state.playing).filter((player) => !seat || player === seat);
  if ((state.playing.length < 2 && !seat) || state.puzzle) return [];
  const canOffer = !state.offer && state.playing.length > 1;
  const offer = (/** @type {Player} */ player) =>
    item("draw", t("{player} offers a draw", { player: nameOf(state, player) }), () =>
      attempt("draws/offer", { player, ...meantFor(state) }),
    );
  const resign = (/** @type {Player} */ player) => {
    const words = { player: nameOf(state, player) };
    const give = () => attempt("resignations", { player, ...meantFor(state) });
    const ask = () => askToConfirm(t("Resign?"), t("{player} gives the game up.", words), t("Resign"), give);
    return item("resign", t("{player} resigns", words), ask);
  };
  return [canOffer && seats.map(offer), state.playing.length === 2 && seats.map(resign)];
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
  const others = peopleOf(state, state.game.players).filter((player) => player !== seat);
  return others.map((player) =>
    item("eye", t("Show {player}’s pieces", { player: nameOf(state, player) }), () => display.look(player)),
  );
}

/**
 * @param {GameState} state
 * @param {Display} display
 * @returns {Child[]}
 */
function arbiterItems(state, display) {
  const canRule = state.state !== "over" && state.game.players.length > 1;
  return [
    (state.state !== "over" || !display.session.secrets) &&
      item("correct", t("Correct the position"), () => display.correctPosition()),
    canRule && item("program", t("Who plays?"), () => openOpponents(state)),
    state.clock && state.state !== "over" && item("clock", t("Clock"), () => openClockTools(state)),
    canRule && item("rule", t("Rule the result"), () => ruleResult(state)),
  ];
}

/**
 * @param {Display} display
 * @returns {Child[]}
 */
function roleItems(display) {
  const { session } = display;
  const leave = () => attempt("session/leave").then(() => location.reload());
  const enter = () => askPin((given) => display.setSession(given));
  return [
    session.pin && !isArbiter(session) && item("key", ENTER_PIN, enter),
    (session.role === "arbiter" || session.seat) && item("leave", t("Give up this role"), leave),
  ];
}

/**
 * @param {GameState} state
 * @param {Display} display
 * @returns {Child[]}
 */
function companionItems(state, { session }) {
  return [
    item("phone", t("Join with a phone"), () => showInvitations(state)),
    isArbiter(session) && item("program", t("Connect an app"), () => openPrograms(state.game.players)),
    ...pageLinks(session),
  ];
}

/**
 * Lets the arbiter end the game: who has won, or nobody.
 * @param {GameState} state
 */
function ruleResult(state) {
  const ruling = (/** @type {string} */ words, /** @type {Player} */ winner) =>
    item("rule", words, () => attempt("results", { winner, ...meantFor(state) }));
  openSheet(
    t("How does the game end?"),
    state.game.players.map((player) => ruling(t("{player} wins", { player: nameOf(state, player) }), player)),
    ruling(t("Drawn"), ""),
  );
}

const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/**
 * Groups the places, as players call them, by what stands there, in words.
 * @param {BoardData | null} board
 * @param {GameState["pieces"]} pieces
 * @returns {[words: string, places: string[]][]}
 */
export function placesByLook(board, pieces) {
  /** @type {Record<string, string[]>} */
  const groups = {};
  for (const [place, look] of Object.entries(pieces)) {
    (groups[describeLook(board, look)] ||= []).push(namePlace(board, place));
  }
  return Object.entries(groups)
    .map(([words, places]) => /** @type {[string, string[]]} */ ([words, places.sort(BY_NUMBER.compare)]))
    .sort();
}

/**
 * Says whose turn it is, or how the game ended, and what was done last.
 * @param {GameState} state
 */
export function stateWords(state) {
  const { outcome, moves, prompt } = state;
  const lastWords = moves.at(-1)?.words || "";
  const now = outcome
    ? outcome.words
    : t("{player}: {prompt}.", { player: nameOf(state, state.to_act), prompt });
  const lately = lastWords && t("Last: {words}", { words: lastWords });
  if (lastWords.includes(now)) return lately; // the last action ended the game, and says so
  return lately ? `${now} ${lately}` : now;
}

/**
 * @param {GameState} state
 * @param {BoardData | null} board
 */
function showInWords(state, board) {
  const groups = placesByLook(board, state.pieces).map(([words, places]) => [
    html("dt", {}, capital(words)),
    html("dd", {}, places.join(", ")),
  ]);
  openSheet(t("The board in words"), html("p", {}, stateWords(state)), html("dl", {}, groups));
}
