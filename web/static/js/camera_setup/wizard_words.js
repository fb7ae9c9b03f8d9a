// The words of the camera's set-up, and the games whose boards it can be set up for.

import { t } from "../shared/language.js";
import { capital } from "../shared/text.js";

/** @import { Aim, GameOffer, Place } from "../shared/types.d.ts" */
/** @typedef {"game" | "board" | "empty" | "start" | "name"} Step */

/** A game's text (`draughts` or `draughts board=10`) and its title. @typedef {{ text: string, title: string }} Board */

/** @type {Step[]} */
export const STEPS = ["game", "board", "empty", "start", "name"];

/** @type {Record<Step, string>} */
export const TITLES = {
  game: t("The game"),
  board: t("The board in the picture"),
  empty: t("The empty board"),
  start: t("The start position"),
  name: t("A name for it"),
};

/** @type {Record<Step, string>} */
export const ADVICE = {
  game: t("Choose the game, and put its board under the camera: all of it in the picture, with a margin."),
  board: "",
  empty: t("Take all pieces off the board. This makes reading surer; it can be left out."),
  start: t("Put the pieces as the game begins. Those of a game that is going on here may stay."),
  name: "",
};

const MOST_PLACES_NAMED = 6;

/**
 * Lists a game's boards: its own, and that of each option that has another one.
 * @param {GameOffer} game
 * @returns {Board[]}
 */
export function boardsOf({ name, title, boards }) {
  const others = Object.keys(boards).map((option) => ({
    text: `${name} ${option}`,
    title: `${title}, ${option.split("=")[1]}`,
  }));
  return [{ text: name, title }, ...others];
}

/**
 * Says whether the board was found, and what to do now.
 * @param {Partial<Aim>} aim
 * @param {string} [failure] why the camera could not be asked
 */
export function aimWords({ words, corners = [] }, failure) {
  if (corners.length === 4) {
    return words
      ? t(
          "The board is found. But: {trouble}. Do the yellow corners lie on the corners of its field? " +
            "If not, drag them there.",
          { trouble: words },
        )
      : t(
          "The board is found. Do the yellow corners lie on the corners of its field? " +
            "If not, drag them there.",
        );
  }
  return t(
    "{trouble}. Move the camera or the light, or drag the four yellow corners to those of the board’s field.",
    { trouble: capital(failure || words || t("The board is not found")) },
  );
}

/** @param {Place[]} places that look otherwise than they should */
export function wrongWords(places) {
  const named = places.slice(0, MOST_PLACES_NAMED).join(", ");
  return places.length > MOST_PLACES_NAMED
    ? t(
        "Read otherwise than they should stand: {places} and more. " +
          "Check these places and the light, then learn again.",
        { places: named },
      )
    : t(
        "Read otherwise than they should stand: {places}. " +
          "Check these places and the light, then learn again.",
        { places: named },
      );
}
