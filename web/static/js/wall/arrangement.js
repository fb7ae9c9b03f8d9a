// How tiles are laid out: as large as they can be, and on several pages where they would become too small.

/** @typedef {{ columns: number, rows: number, form: "tall" | "wide", letter: number, edge: number }} Arrangement */

/** A tall tile has its texts above and below the board: its width and height in letters (the size of the font). */
const TALL_WIDTH = 12.5;
const TALL_HEIGHT = 13.5;
/** The height of those texts, and the room around a board, in letters. */
const TALL_TEXTS = 7.1;
const ROOM = 1.2;
/** A wide tile has them beside it: the width of the texts, and the tile's height, in letters. */
const WIDE_TEXTS = 14;
const WIDE_HEIGHT = 10.5;
/** How much the size of letters counts beside the edge of the board. */
const LETTERS_COUNT = 8;
/** An arrangement that can be read is better than any that cannot. */
const READABLE_COUNTS = 1e4;
/** Letters of at least this share of the screen's width can be read from across the room. */
const READABLE = 1 / 100;
/** A board has at least this share of the screen's width. */
const VISIBLE = 1 / 12;

/**
 * Returns how `count` tiles are laid out best on a screen of this size, all at once.
 * @param {number} count
 * @param {number} width in pixels
 * @param {number} height
 * @returns {Arrangement}
 */
export function arrange(count, width, height) {
  /** @type {Arrangement | null} */
  let best = null;
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.max(1, Math.ceil(count / columns));
    for (const found of [tall(width / columns, height / rows), wide(width / columns, height / rows)]) {
      if (!best || scoreOf(found, width) > scoreOf(best, width)) best = { columns, rows, ...found };
    }
  }
  return /** @type {Arrangement} */ (best);
}

/**
 * Returns how many tiles a page has: all where they can be read, else as many as can be.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 */
export function perPage(count, width, height) {
  let most = Math.max(1, count);
  while (most > 1 && !isReadable(arrange(most, width, height), width)) most--;
  const pages = Math.ceil(count / most);
  return Math.max(1, Math.ceil(count / Math.max(1, pages))); // pages as full as each other
}

/**
 * @param {{ letter: number, edge: number }} found
 * @param {number} width
 */
function isReadable({ letter, edge }, width) {
  return letter >= width * READABLE && edge >= width * VISIBLE;
}

/**
 * @param {{ letter: number, edge: number }} found
 * @param {number} width
 */
function scoreOf(found, width) {
  return found.edge + LETTERS_COUNT * found.letter + (isReadable(found, width) ? READABLE_COUNTS : 0);
}

/**
 * @param {number} width of a tile
 * @param {number} height
 */
function tall(width, height) {
  const letter = Math.min(width / TALL_WIDTH, height / TALL_HEIGHT);
  const edge = Math.min(width - ROOM * letter, height - TALL_TEXTS * letter);
  return { form: /** @type {const} */ ("tall"), letter, edge };
}

/**
 * @param {number} width
 * @param {number} height
 */
function wide(width, height) {
  const letter = Math.min(width / (WIDE_TEXTS + WIDE_HEIGHT), height / WIDE_HEIGHT);
  const edge = Math.min(width - WIDE_TEXTS * letter, height - ROOM * letter);
  return { form: /** @type {const} */ ("wide"), letter, edge };
}
