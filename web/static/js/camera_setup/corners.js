// The board's four corners in a camera's picture: south-west, south-east, north-east, north-west.

/** @import { Point } from "../shared/types.d.ts" */

/** Where the corners are first put when the board is not found, as shares of the picture's width and height. */
const FIRST_CORNERS = [
  [0.2, 0.8],
  [0.8, 0.8],
  [0.8, 0.2],
  [0.2, 0.2],
];

/**
 * Returns corners that can be dragged to the board's, in pixels.
 * @param {[width: number, height: number]} size of the picture
 * @returns {Point[]}
 */
export function firstCorners([width, height]) {
  return FIRST_CORNERS.map(([x, y]) => [x * width, y * height]);
}

/**
 * Returns which of the corners is nearest to a point; null where none is within reach.
 * @param {Point[]} corners
 * @param {Point} point
 * @param {number} reach
 */
export function nearestWithin(corners, [x, y], reach) {
  const distances = corners.map(([cornerX, cornerY]) => Math.hypot(cornerX - x, cornerY - y));
  const shortest = Math.min(...distances);
  return shortest <= reach ? distances.indexOf(shortest) : null;
}

/** @param {number} pixels */
export function toTenth(pixels) {
  return Math.round(pixels * 10) / 10;
}
