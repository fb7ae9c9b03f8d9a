// Marks and arrows on a board: the last action, places that can be tapped, broken rules, guidance.

import { arrowPaths, markRadius } from "./board_geometry.js";
import { svg } from "./dom.js";
import { ownerOf } from "./piece_motion.js";

/** @import { Arrow, BoardData, Look, Mark, Place } from "./types.d.ts" */

const CROSS = "M-.09-.09L.09.09M.09-.09L-.09.09";
/** A target's dot, and where a badge lies, as shares of the mark's radius. */
const DOT = 0.36;
const BADGE = 0.78;
/** The size of words below a place, and how far below they stand. */
const LABEL_SIZE = 0.5;
const LABEL_BELOW = 0.8;
/** Words on places beside the board are no smaller than this, in the drawing's units. */
const SMALLEST_LABEL = 0.17;
/** Rings on what can be moved lie a little within the others. */
const CAN = 0.92;
/**
 * The radius of marks that are larger or smaller than others, as shares of those: a check shows around any ring.
 * @type {Record<string, number>}
 */
const RINGS = { can: CAN, check: 1.12 };

/** @param {Mark} mark */
export function liesUnderPieces(mark) {
  return mark.kind === "last" || mark.kind === "check" || mark.kind === "chosen";
}

/**
 * Draws a mark on each of its places that this board has.
 * @param {BoardData} board
 * @param {Mark} mark
 * @param {Record<Place, Look>} pieces
 * @param {boolean} isTurned the board is turned round, and the marks must stand upright
 */
export function drawMark(board, mark, pieces, isTurned) {
  const places = mark.sites.filter((site) => board.places[site]);
  return places.map((place) => drawMarkAt(board, mark, place, Boolean(pieces[place]), isTurned));
}

/**
 * @param {BoardData} board
 * @param {Mark} mark
 * @param {Place} place
 * @param {boolean} isTaken a piece stands there
 * @param {boolean} isTurned
 */
function drawMarkAt(board, { kind, words }, place, isTaken, isTurned) {
  const [x, y] = board.places[place];
  const radius = markRadius(board, place);
  const isDot = kind === "target" && !isTaken;
  const takes = kind === "target" && isTaken ? "take" : "";
  const size = isDot ? DOT : RINGS[kind] || 1;
  const transform = `translate(${x} ${y})${isTurned ? " rotate(180)" : ""}`;
  if (kind === "label") return label(words || "", radius, { transform, place });
  return svg(
    "g",
    { class: `mark ${kind} ${takes}`, transform, "data-site": place },
    kind === "can" && svg("circle", { class: "halo", r: radius * CAN }),
    svg("circle", { r: radius * size }),
    kind === "broken" && badge(radius, 0.17, svg("path", { class: "sign", d: CROSS })),
    words && badge(radius, 0.18, centredText(words, 0.24, { class: "sign" })),
  );
}

/**
 * Writes words, a line each, below a place.
 * @param {string} words
 * @param {number} radius of a mark there
 * @param {{ transform: string, place: Place }} where
 */
function label(words, radius, { transform, place }) {
  const size = Math.max(LABEL_SIZE * radius, SMALLEST_LABEL);
  const text = centredText("", size);
  const lines = words.split("\n");
  const top = radius * LABEL_BELOW - size * (lines.length - 1);
  text.append(...lines.map((line, i) => svg("tspan", { x: 0, y: top + i * size }, line)));
  return svg("g", { class: "mark label", transform, "data-site": place }, text);
}

/**
 * Draws a small disc with a sign at the edge of a mark.
 * @param {number} radius of the mark
 * @param {number} size of the disc
 * @param {SVGElement} sign
 */
function badge(radius, size, sign) {
  const transform = `translate(${radius * BADGE} ${-radius * BADGE})`;
  return svg("g", { transform }, svg("circle", { class: "disc", r: size }), sign);
}

/**
 * @param {string} words
 * @param {number} size
 * @param {{ class?: string }} [attributes]
 */
export function centredText(words, size, attributes = {}) {
  const centre = { "text-anchor": "middle", "dominant-baseline": "central" };
  return svg("text", { ...attributes, ...centre, "font-size": size }, words);
}

/**
 * Draws a piece that should come, or stands astray, as an outline: a dashed ring in its owner's paint. What it is
 * shows faintly in the ring; small beside it where another piece stands.
 * @param {BoardData} board
 * @param {Place} place
 * @param {Look} look
 * @param {SVGElement[]} symbols
 * @param {boolean} isTaken
 */
export function ghostParts(board, place, look, symbols, isTaken) {
  if (!(place in board.sites)) return [svg("g", { class: "faint" }, symbols)]; // no room for a ring
  const paint = board.owners.find(({ name }) => name === ownerOf(look))?.paint || "#6d6a66";
  const radius = markRadius(board, place);
  const beside = `translate(${-radius * BADGE} ${radius * BADGE}) scale(0.45)`;
  return [
    svg("circle", { class: "halo", r: radius }),
    svg("circle", { class: "outline", r: radius, vars: { "--paint": paint } }),
    svg("g", isTaken ? { transform: beside } : { class: "faint" }, symbols),
  ];
}

/**
 * Draws an arrow between two places; null where this board has them not.
 * @param {Pick<BoardData, "places">} board
 * @param {Arrow} arrow
 */
export function drawArrow(board, [from, to, kind]) {
  const [start, end] = [board.places[from], board.places[to]];
  const paths = start && end && arrowPaths(start, end);
  if (!paths) return null;
  return svg(
    "g",
    { class: `arrow ${kind}` },
    svg("path", { class: "shaft", d: paths.shaft }),
    svg("path", { class: "head", d: paths.head }),
  );
}
