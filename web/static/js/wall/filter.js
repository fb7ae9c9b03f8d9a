// Which boards are shown. The filter stands in the page's address, so that a view can be kept as a bookmark.

/** @import { Tile } from "../shared/wire.d.ts" */

/**
 * What of a hall is shown.
 * @typedef {{ game: string, round: string, state: string, words: string, board: string }} Filter
 */

export const STATES = ["playing", "waiting", "silent", "over", "free"];
const NAMES = /** @type {const} */ (["game", "round", "state", "words", "board"]);

/**
 * @param {string} search as `location.search` has it
 * @returns {Filter}
 */
export function readFilter(search) {
  const asked = new URLSearchParams(search);
  const filter = { game: "", round: "", state: "", words: "", board: "" };
  for (const name of NAMES) filter[name] = (asked.get(name) || "").trim();
  if (!STATES.includes(filter.state)) filter.state = "";
  return filter;
}

/**
 * Returns an address's search with this filter, and all else that it had.
 * @param {Filter} filter
 * @param {string} search
 */
export function writeFilter(filter, search) {
  const asked = new URLSearchParams(search);
  for (const name of NAMES) {
    if (filter[name]) asked.set(name, filter[name]);
    else asked.delete(name);
  }
  const text = asked.toString();
  return text ? `?${text}` : "";
}

/**
 * Tells whether a board is shown; `state` is what it counts as.
 * @param {Filter} filter
 * @param {Tile} tile
 * @param {string[]} states
 */
export function isShown(filter, tile, states) {
  const { game, round, state, words, board } = filter;
  return (
    (!board || tile.name === board) &&
    (!game || tile.game?.name === game) &&
    (!round || tile.head.round === round) &&
    (!state || states.includes(state)) &&
    folded(words)
      .split(/\s+/)
      .every((word) => textOf(tile).includes(word))
  );
}

/**
 * Returns the states that a board counts as: a game can go on and wait for a person.
 * @param {Tile} tile
 * @param {{ isWaiting: boolean, isSilent: boolean }} now
 */
export function statesOf(tile, { isWaiting, isSilent }) {
  const isOn = tile.state === "playing" || tile.state === "setup";
  return [
    isOn && "playing",
    isWaiting && "waiting",
    isSilent && "silent",
    tile.state === "over" && "over",
    tile.state === "empty" && "free",
  ].filter((state) => state !== false);
}

/** @param {Tile} tile */
function textOf(tile) {
  const names = Object.values(tile.head).join(" ");
  return folded(`${tile.name} ${tile.game?.title || ""} ${names}`);
}

/**
 * Returns a text without capitals and marks, which who looks for a name leaves out.
 * @param {string} text
 */
function folded(text) {
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
}
