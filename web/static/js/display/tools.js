// The buttons below the display: the most usual actions, and the way to the menu with all others.

import { attempt, meantNow } from "../shared/attempt.js";
import { button, byId, html, showIfChanged } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { nameOf } from "../shared/players.js";
import { openSettings } from "../shared/settings_sheet.js";
import { capital } from "../shared/text.js";
import { writeAction } from "./action_dialog.js";
import { isHelping } from "./first_game.js";
import { openHowToPlay } from "./how_to_play.js";
import { openMenu } from "./menu.js";
import { isThinking } from "./opponents.js";
import { isSoundOn } from "./sound.js";

/** @import { IconName } from "../shared/icons.js" */
/** @import { Attributes, Child, GameState, LegalAction, Session } from "../shared/types.d.ts" */
/** @import { Display } from "./display.js" */

/**
 * @param {GameState} state
 * @param {Display} display
 */
export function renderTools(state, display) {
  const { session, play, view, shownView, hasPicture } = display;
  const { placeless } = play.selection;
  const key = [
    [session.role, session.seat, session.secrets],
    [state.state, session.seat || state.to_act, state.game.name, state.can_redo, mayUndo(state, session)],
    [
      placeless,
      view.isTurned,
      shownView,
      isHelping(),
      !state.moves.length,
      isSettingUp(state),
      isSoundOn(),
      isBegun(state),
      isThinking(state),
    ],
  ];
  showIfChanged(byId("tools"), key, () => [
    display.mayAct && gameTools(state, display),
    hasPicture && viewSwitch(display),
    coverTool(state, display),
    soundTool(display),
    isSettingUp(state) && state.game.tutorial && button(t("How to play"), () => openHowToPlay(state.game)),
    !state.moves.length && state.state === "playing" && !isHelping() && helpTool(display),
    // The menu is of what is shown by then: the button may have been drawn long before, in another game.
    button(t("More"), () => display.shown && openMenu(display.shown, display)),
  ]);
}

/**
 * @param {GameState} state
 * @param {Display} display
 * @returns {Child[]}
 */
function gameTools(state, display) {
  const { session, play } = display;
  const isOver = state.state === "over";
  const actions = play.selection.placeless.filter(({ form }) => !form);
  return [
    !isOver && actions.map((entry) => actionTool(state, display, entry)),
    mayUndo(state, session) && iconButton("undo", t("Undo"), () => undo(state)),
    state.can_redo && iconButton("redo", t("Redo"), () => attempt("redos", meantNow())),
    !isOver && state.game.hints && !isThinking(state) && button(t("Hint"), () => display.hint.ask()),
  ];
}

/**
 * Makes the button of an action that names no place; one with a blank is written by hand.
 * @param {GameState} state
 * @param {Display} display
 * @param {LegalAction} entry
 */
function actionTool(state, display, { action, label }) {
  const hasBlank = action.includes("?");
  const play = () =>
    hasBlank ? writeAction(state, display, action.replace("?", "")) : display.play.submit(action);
  const look = isBegun(state) ? "strong arriving" : "arriving"; // who taps twice ends one turn, not two
  return button(capital(label), play, { class: `button ${look}` });
}

/**
 * Tells whether ending the turn may be what is wanted: something was done in it, or nothing else can be done.
 * @param {GameState} state
 */
export function isBegun({ legal, moves, to_act }) {
  return legal.length === 1 || moves.at(-1)?.player === to_act;
}

/**
 * Takes back the last action, the one that is begun, or the result that was ruled or agreed: that alone.
 * @param {GameState} state
 */
function undo(state) {
  return attempt("takebacks", { count: state.ruled ? 0 : 1, ...meantNow() });
}

/**
 * Tells whether undoing is offered: a seat takes back its own action, or one that is begun in its turn, and no
 * result that was ruled or agreed.
 * @param {GameState} state
 * @param {Session} session
 */
export function mayUndo(state, { role, seat }) {
  if (!state.can_undo) return false;
  if (role !== "seat") return true;
  if (state.verdict?.kind === "unfinished" && seat === state.to_act) return true;
  const last = state.moves.findLast(({ player }) => !(player in state.companion));
  return !state.ruled && last?.player === seat;
}

/**
 * Tells whether pieces are laid before the game: nothing but the rules says how.
 * @param {GameState} state
 */
function isSettingUp({ legal }) {
  return legal.some(({ form }) => form);
}

/**
 * Offers help before the first action.
 * @param {Display} display
 */
function helpTool(display) {
  return display.mayAct && button(t("First game?"), () => display.setHelping(true));
}

/** @param {Display} display */
function viewSwitch(display) {
  const isTable = display.shownView === "table";
  const other = display.camera ? t("Camera") : t("Table");
  return button(isTable ? t("Diagram") : other, () => display.chooseView(isTable ? "board" : "table"));
}

/**
 * Covers the pieces that one of the players who share this tablet sees.
 * @param {GameState} state
 * @param {Display} display
 */
function coverTool(state, display) {
  const { role, secrets, seat } = display.session;
  if (role !== "home" || !secrets || !seat || state.state === "over") return null;
  return button(t("Cover {player}’s pieces", { player: nameOf(state, seat) }), () => display.look(""));
}

/** @param {Display} display */
function soundTool(display) {
  const isOn = isSoundOn();
  return iconButton(isOn ? "sound" : "silent", t("Sound"), () => openSettings(() => display.render()), {
    "aria-pressed": String(isOn),
  });
}

/**
 * Makes a button that everybody knows by its picture: all of them have room in one row.
 * @param {IconName} picture
 * @param {string} words
 * @param {() => unknown} action
 * @param {Attributes<HTMLButtonElement>} [attributes]
 */
function iconButton(picture, words, action, attributes = {}) {
  const hidden = html("span", { class: "hidden" }, words);
  return button([icon(picture), hidden], action, { class: "button pictured", title: words, ...attributes });
}
