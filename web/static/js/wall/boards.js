// The boards of the games in the hall, each fetched once. Many are drawn on one page, so that the symbols of each
// have names of their own, and stand on the page once.

import { get } from "../shared/api.js";
import { svg } from "../shared/dom.js";

/** @import { BoardData } from "../shared/types.d.ts" */
/** @import { Tile } from "../shared/wire.d.ts" */

/** @type {Map<string, Promise<BoardData>>} */
const fetched = new Map();

/**
 * Returns what tells the board of a tile's game from others; '' where there is none.
 * @param {Tile} tile
 */
export function boardKey({ game }) {
  return game ? `${game.name}?${new URLSearchParams(game.options)}` : "";
}

/**
 * Returns the board of a tile's game; an error where this hall does not know the game.
 * @param {Tile} tile
 */
export function boardOf(tile) {
  const key = boardKey(tile);
  let found = fetched.get(key);
  if (!found) {
    found = fetchBoard(/** @type {NonNullable<Tile["game"]>} */ (tile.game), `b${fetched.size}-`);
    fetched.set(key, found);
    found.catch(() => fetched.delete(key));
  }
  return found;
}

/**
 * @param {NonNullable<Tile["game"]>} game
 * @param {string} prefix of the names of this board's symbols
 */
async function fetchBoard({ name, options }, prefix) {
  const query = new URLSearchParams(options);
  /** @type {BoardData} */
  const board = await get(`boards/${encodeURIComponent(name)}?${query}`);
  return withOwnSymbols(board, prefix);
}

/**
 * Puts a board's symbols on the page under names of their own, and returns the board without them.
 * @param {BoardData} board
 * @param {string} prefix
 * @returns {BoardData}
 */
function withOwnSymbols(board, prefix) {
  const drawing = new DOMParser().parseFromString(board.svg, "image/svg+xml").documentElement;
  const symbols = [...drawing.querySelectorAll("defs > symbol")];
  for (const symbol of symbols) symbol.id = prefix + symbol.id;
  const named = Object.entries(board.symbols).map(([look, id]) => [look, prefix + id]);
  const shelf = svg("svg", { class: "symbols", width: 0, height: 0, "aria-hidden": "true" });
  shelf.append(...symbols.map((symbol) => document.importNode(symbol, true)));
  document.body.append(shelf);
  drawing.querySelector("defs")?.remove();
  return {
    ...board,
    svg: new XMLSerializer().serializeToString(drawing),
    symbols: Object.fromEntries(named),
  };
}
