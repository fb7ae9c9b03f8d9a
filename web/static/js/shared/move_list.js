// The moves of a game by turn, as its players write them: `1. e4 e5`, and `1…` for a seat that began later.

import { html } from "./dom.js";
import { token } from "./players.js";

/** @import { BoardData, Child, Move, Player } from "./types.d.ts" */

/** A move that no line breaks, where that would be at its hyphen. */
const WHOLE = /^\S{1,8}$/;

/**
 * What a list of moves needs besides the moves: the seats in their order, the board for their paint, what a tap on
 * a move does, and what stands beside one.
 * @typedef {{ players: Player[], board: BoardData | null, onChoose: (n: number) => unknown,
 *   beside?: (n: number) => Child }} Options
 */

/**
 * Returns the number of a move as it stands before it alone: `12.`, and `12…` for all but the first seat.
 * @param {{ round?: number, player?: Player }} move
 * @param {Player[]} players
 */
export function moveNumber({ round, player }, players) {
  return `${round}${players.indexOf(player || "") > 0 ? "…" : "."}`;
}

/**
 * Makes a line for each round, with the moves of each player in it.
 * @param {Move[]} moves
 * @param {Options} options
 */
export function roundItems(moves, options) {
  /** @type {Map<number, Move[]>} */
  const rounds = new Map();
  for (const move of moves) rounds.set(move.round, [...(rounds.get(move.round) || []), move]);
  return [...rounds].map(([number, own]) => roundItem(number, own, options));
}

/**
 * @param {number} number
 * @param {Move[]} moves of one round
 * @param {Options} options
 */
function roundItem(number, moves, options) {
  const { players } = options;
  const turns = players.map((player) => moves.filter((move) => move.player === player));
  const others = moves.filter(({ player }) => !players.includes(player)); // the arbiter's corrections
  const lastSeat = turns.findLastIndex((turn) => turn.length > 0);
  return html(
    "li",
    { class: players.length > 2 ? "round many" : "round" },
    html("span", { class: "n" }, `${number}.`),
    turns.slice(0, lastSeat + 1).map((turn) => turnOf(turn, options)),
    others.length > 0 && turnOf(others, options),
  );
}

/**
 * @param {Move[]} turn
 * @param {Options} options
 */
function turnOf(turn, options) {
  const { board, players } = options;
  if (!turn.length) return html("span", { class: "turn-moves" }, "…");
  const whose = players.length > 1 && token(board, turn[0].player);
  return html(
    "span",
    { class: "turn-moves" },
    whose,
    turn.map((move) => moveButton(move, options)),
  );
}

/**
 * @param {Move} move
 * @param {Options} options
 */
function moveButton({ n, written, words }, { onChoose, beside }) {
  return html(
    "button",
    { type: "button", class: "move", title: words, onclick: () => onChoose(n), "data-n": n },
    html("span", { class: WHOLE.test(written) ? "action whole" : "action" }, written),
    beside?.(n),
  );
}

/**
 * Marks the move that is shown in a list, and brings it into sight: only the list scrolls, never the page.
 * @param {HTMLElement} list
 * @param {number} n 0 for the start
 */
export function markMove(list, n) {
  for (const item of list.querySelectorAll(".move")) {
    item.classList.toggle("latest", item.getAttribute("data-n") === String(n));
  }
  const latest = list.querySelector(".latest");
  // Its round, and where that is higher than the list, itself.
  for (const item of [latest?.closest("li") || list.firstElementChild, latest]) {
    if (item instanceof HTMLElement) reveal(list, item);
  }
}

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 */
function reveal(list, item) {
  const top = item.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  const bottom = top + item.offsetHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}
