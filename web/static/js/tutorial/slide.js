// Pieces that slide, slowly enough to be followed, along all places that an action names.

import { spotOf } from "../shared/board_geometry.js";
import { isStill, ownerOf, transformOf } from "../shared/piece_motion.js";

/** @import { BoardView } from "../shared/board_view.js" */
/** @import { BoardData, Look, Place } from "../shared/types.d.ts" */

const MS_PER_PLACE = 450;
const LONGEST_MS = 1_600;

/** @typedef {Record<Place, Look>} Pieces */

/**
 * Finds which pieces have moved: each way leads over all places that the piece touched.
 * @param {Pieces} before
 * @param {Pieces} after
 * @param {Place[]} path the places that the action names
 * @returns {Place[][]}
 */
export function waysOf(before, after, path) {
  const places = [...new Set([...path, ...Object.keys(before), ...Object.keys(after)])];
  const left = places.filter((place) => before[place] && before[place] !== after[place]);
  const reached = places.filter((place) => after[place] && before[place] !== after[place]);
  return reached.flatMap((end) => {
    const start = startOf(end, left, before, after);
    if (!start) return [];
    left.splice(left.indexOf(start), 1);
    const isNamed = path[0] === start && path.at(-1) === end;
    return [isNamed ? path : [start, end]];
  });
}

/**
 * Returns the place that a piece has come from: of those left by a piece that looks alike, or has the same owner.
 * @param {Place} end
 * @param {Place[]} left
 * @param {Pieces} before
 * @param {Pieces} after
 */
function startOf(end, left, before, after) {
  const others = left.filter((place) => place !== end);
  return (
    others.find((place) => before[place] === after[end]) ||
    others.find((place) => ownerOf(before[place]) === ownerOf(after[end]) && !after[place])
  );
}

/**
 * Has a piece that is drawn at the end of its way come along it.
 * @param {BoardView} view
 * @param {Place[]} way
 */
export function slide(view, way) {
  const { board, frame } = view;
  const piece = frame.querySelector(`.piece[data-place="${way.at(-1)}"]`);
  if (!board || !piece || isStill()) return;
  const steps = way.flatMap((place) => transformAt(board, place));
  const duration = Math.min(MS_PER_PLACE * (steps.length - 1), LONGEST_MS);
  piece.parentElement?.append(piece); // above the others while it moves
  piece.animate(
    steps.map((transform) => ({ transform })),
    { duration, easing: "ease-in-out" },
  );
}

/**
 * @param {BoardData} board
 * @param {Place} place
 * @returns {string[]}
 */
function transformAt(board, place) {
  const spot = spotOf(board, place);
  return spot ? [transformOf(spot)] : [];
}
