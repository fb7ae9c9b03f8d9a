// The words of the camera's set-up, and the games whose boards it can be set up for.

/** @import { Aim, GameOffer, Place } from "../shared/types.d.ts" */
/** @typedef {"game" | "board" | "empty" | "start" | "name"} Step */

/** A game's text (`draughts` or `draughts board=10`) and its title. @typedef {{ text: string, title: string }} Board */

/** @type {Step[]} */
export const STEPS = ["game", "board", "empty", "start", "name"];

/** @type {Record<Step, string>} */
export const TITLES = {
  game: "The game",
  board: "The board in the picture",
  empty: "The empty board",
  start: "The start position",
  name: "A name for it",
};

/** @type {Record<Step, string>} */
export const ADVICE = {
  game: "Choose the game, and put its board under the camera: all of it in the picture, with a margin.",
  board: "",
  empty: "Take all pieces off the board. This makes reading surer; it can be left out.",
  start: "Put the pieces as the game begins.",
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
    const trouble = words ? ` But: ${words}.` : "";
    return (
      `The board is found.${trouble} Do the yellow corners lie on the corners of its field? ` +
      "If not, drag them there."
    );
  }
  const trouble = failure || words || "The board is not found";
  return (
    `${trouble}. Move the camera or the light, or drag the four yellow corners to those of ` +
    "the board’s field."
  );
}

/** @param {Place[]} places that look otherwise than they should */
export function wrongWords(places) {
  const more = places.length > MOST_PLACES_NAMED ? " and more" : "";
  const named = places.slice(0, MOST_PLACES_NAMED).join(", ");
  return (
    `Read otherwise than they should stand: ${named}${more}. ` +
    "Check these places and the light, then learn again."
  );
}
