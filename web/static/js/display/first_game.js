// Help for a first game: what can be done now, kind by kind, and what each tap would lead to. All of it is made from
// the legal actions and the game's names for kinds of action, so that it holds for every game.

import { button, html } from "../shared/dom.js";
import { kindsOf } from "../shared/kinds.js";
import { t } from "../shared/language.js";
import { remember, setting } from "../shared/settings.js";
import { capital } from "../shared/text.js";
import { card } from "./card.js";

/** @import { BoardData, GameState, Mark } from "../shared/types.d.ts" */
/** @import { Card } from "./card.js" */
/** @import { TapSelection } from "./tap_selection.js" */

/** Where more places than this can be tapped, rings on all of them would tell nothing. */
const MOST_RINGS = 40;
/** How pieces are moved on the virtual table, by what a double tap turns. */
const DRAGGING = {
  disc: t(
    "Drag a piece on the table; a double tap turns it over. Choose Diagram to be shown where pieces may go.",
  ),
  port: t(
    "Drag a piece on the table; a double tap turns a Port a quarter. Choose Diagram to be shown where pieces may go.",
  ),
  "": t("Drag a piece on the table. Choose Diagram to be shown where pieces may go."),
};

export function isHelping() {
  return setting("help") === "on";
}

/** @param {boolean} isOn */
export function setHelping(isOn) {
  remember("help", isOn ? "on" : "off");
}

/**
 * Marks where a first tap makes sense, and, once a place is tapped, writes at each next one what would be done there,
 * unless that is the same everywhere.
 * @param {GameState} state
 * @param {TapSelection} selection
 * @returns {Mark[]}
 */
export function helpMarks(state, selection) {
  const { tapped, nextPlaces } = selection;
  if (state.verdict) return [];
  if (!tapped.length) return nextPlaces.length > MOST_RINGS ? [] : [{ kind: "can", sites: nextPlaces }];
  /** @type {Mark[]} */
  const labels = nextPlaces.map((place) => ({
    kind: "label",
    sites: [place],
    words: kindsOf(selection.startingWith([...tapped, place]), state.game.kinds).join("\n"),
  }));
  return labels.some(({ words }) => words !== labels[0].words) ? labels : [];
}

/**
 * Tells what can be done now. What happened last, and who is to move, stands elsewhere on the page.
 * @param {GameState} state
 * @param {TapSelection} selection
 * @param {object} view
 * @param {"table" | "board" | "beside"} view.shown the virtual table, or the diagram that stands for it, or for
 * a board beside the display
 * @param {BoardData["turns"]} view.turns what a double tap turns on the virtual table
 * @param {boolean} view.isTapping this viewer may play by taps
 * @param {(kind: string) => unknown} view.onShow shows how a kind of action is done
 * @param {() => unknown} view.onClose
 * @returns {Card | null}
 */
export function helpCard(state, selection, { shown, turns, isTapping, onShow, onClose }) {
  const { tapped, nextPlaces, placeless } = selection;
  // Actions that name no place have buttons of their own.
  const open = isTapping ? selection.startingWith(tapped).filter(({ path }) => path.length > 0) : [];
  const kinds = kindsOf(open, state.game.kinds);
  const goal = state.moves.length ? "" : state.game.goal;
  const isFree = nextPlaces.length > MOST_RINGS || nextPlaces.every((place) => !selection.pieces[place]);
  const isLabelled = tapped.length > 0 && helpMarks(state, selection).length > 0;
  const how = howWords(selection, { shown, turns, isFree, isLabelled });
  const buttons = tapped.length
    ? []
    : placeless.filter(({ form }) => !form).map(({ label }) => capital(label));
  const chip = (/** @type {string} */ kind) =>
    button(capital(kind), () => onShow(kind), { "aria-label": t("Show me: {kind}", { kind }) });
  if (isTapping && !kinds.length && !buttons.length) return null; // pieces are laid: that tells by itself
  return card(["help", goal, kinds, how, buttons, isTapping], "choose help", () => [
    html("h2", {}, t("What can I do now?")),
    goal && html("p", {}, goal),
    !isTapping && html("p", {}, t("Nothing at the moment: it is another player’s turn.")),
    kinds.length > 0 && [
      html("p", {}, t("Tap one of these to see how it goes.")),
      html("div", { class: "choices" }, kinds.map(chip)),
      how && html("p", {}, how),
    ],
    buttons.length > 0 &&
      html("p", {}, t("There are buttons for: {buttons}.", { buttons: buttons.join(", ") })),
    button(t("No more help"), onClose, { class: "button quiet" }),
  ]);
}

/**
 * Says before the first step of a puzzle what is to be done; a newcomer is told with all else.
 * @param {GameState} state
 * @returns {Card | null}
 */
export function goalCard({ game, moves }) {
  if (game.players.length > 1 || moves.length || !game.goal || isHelping()) return null;
  return card(["goal", game.goal], "choose goal", () => html("p", {}, game.goal));
}

/**
 * Says how an action is entered or played.
 * @param {TapSelection} selection
 * @param {{ shown: "table" | "board" | "beside", turns: BoardData["turns"], isFree: boolean, isLabelled: boolean }} now
 *   `isFree`: a piece is laid, and none is taken up; `isLabelled`: each next place says what is done there
 */
function howWords(selection, { shown, turns, isFree, isLabelled }) {
  const { tapped, nextPlaces } = selection;
  if (!nextPlaces.length) return "";
  if (shown === "table" && isFree) {
    const isOnto = nextPlaces.some((place) => selection.pieces[place]);
    const words = t("Drag a piece from beside the board to its place.");
    return isOnto ? `${words} ${t("Where a piece stands already, choose Diagram and tap there.")}` : words;
  }
  if (shown === "table") return DRAGGING[turns];
  if (isLabelled) {
    return t("Each marked place says what is done there. Tap the first place again to let go.");
  }
  if (tapped.length || isFree) return t("Tap the place where you want it.");
  if (shown === "board") return t("Tap a piece with a ring to see what it may do.");
  return t("Make your move on the board beside you. To see what a piece may do, tap it here.");
}
