// The geometry of a board's drawing, in its units: spots of pieces, marks and arrows, and the place at a point.

/** @import { BoardData, Place } from "./types.d.ts" */

// Shares of the distance between neighbouring sites.
const TAP_REACH = 0.55;
const SITE_REACH = 0.75;
const MARK_RADIUS = 0.5;

const LARGEST_MARK_RADIUS = 0.46;
/** The radius of a mark on a place beside the board, as a share of one on a site. */
const SMALL_MARK = 0.55;

// An arrow's parts, in the drawing's units.
const ARROW_START_GAP = 0.2;
const ARROW_END_GAP = 0.12;
const ARROW_HEAD_LENGTH = 0.3;
const ARROW_HEAD_HALF_WIDTH = 0.17;

/**
 * Returns where a place lies, and by how many degrees a piece is turned there. A way such as c4-c5, which holds a
 * move marker, lies in the middle between its two sites.
 * @param {BoardData} board
 * @param {Place} place
 * @returns {[x: number, y: number, angle: number] | null}
 */
export function spotOf(board, place) {
  if (board.places[place]) return board.places[place];
  const [start, end] = place.split("-").map((site) => board.sites[site]);
  if (!start || !end) return null;
  return [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2, 0];
}

/**
 * @param {BoardData} board
 * @param {Place} place
 */
export function markRadius(board, place) {
  const radius = Math.min(LARGEST_MARK_RADIUS, board.spacing * MARK_RADIUS);
  return place in board.sites ? radius : radius * SMALL_MARK;
}

/**
 * Returns the paths of an arrow's shaft and head; null where both ends are one.
 * @param {readonly number[]} from
 * @param {readonly number[]} to
 */
export function arrowPaths(from, to) {
  const [x0, y0] = from;
  const [x1, y1] = to;
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (!length) return null;
  const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length]; // the direction, of length one
  const [tipX, tipY] = [x1 - ux * ARROW_END_GAP, y1 - uy * ARROW_END_GAP];
  const [neckX, neckY] = [tipX - ux * ARROW_HEAD_LENGTH, tipY - uy * ARROW_HEAD_LENGTH];
  const [wingX, wingY] = [-uy * ARROW_HEAD_HALF_WIDTH, ux * ARROW_HEAD_HALF_WIDTH];
  return {
    shaft: `M${x0 + ux * ARROW_START_GAP} ${y0 + uy * ARROW_START_GAP}L${neckX} ${neckY}`,
    head: `M${tipX} ${tipY}L${neckX + wingX} ${neckY + wingY}L${neckX - wingX} ${neckY - wingY}Z`,
  };
}

/**
 * Returns the place under a point: the nearest one that can be tapped, else the nearest site, else null.
 * @param {BoardData} board
 * @param {{ x: number, y: number }} point
 * @param {Place[]} tappable
 */
export function placeAt(board, point, tappable) {
  const known = tappable.filter((place) => board.places[place]);
  return (
    nearest(board, point, known, board.spacing * TAP_REACH) ||
    nearest(board, point, Object.keys(board.sites), board.spacing * SITE_REACH)
  );
}

/**
 * @param {BoardData} board
 * @param {{ x: number, y: number }} point
 * @param {Place[]} places
 * @param {number} reach places that are not nearer than this do not count
 */
function nearest(board, point, places, reach) {
  let [found, shortest] = [/** @type {Place | null} */ (null), reach];
  for (const place of places) {
    const [x, y] = board.places[place];
    const distance = Math.hypot(x - point.x, y - point.y);
    if (distance < shortest) [found, shortest] = [place, distance];
  }
  return found;
}
