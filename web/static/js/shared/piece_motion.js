// Pieces in motion: those that slide to where they were moved, and the one that a finger drags.

/** @import { Look, Place } from "./types.d.ts" */
/** @typedef {readonly [x: number, y: number, angle: number]} Spot */

const SLIDE_MS = 220;
/** Where more pieces than this change their places at once, nothing slides: that is no action. */
const MOST_SLIDES = 4;

/** @param {Look | undefined} look */
export function ownerOf(look) {
  return look ? look.split(/[/+]/)[0] : "";
}

/**
 * Returns the pieces that went from one place to another, as far as the looks tell: [from, to] of each.
 * @param {Record<Place, Look>} before
 * @param {Record<Place, Look>} now
 * @returns {[from: Place, to: Place][]}
 */
export function slidesBetween(before, now) {
  const isOther = (/** @type {Place} */ place) => ownerOf(before[place]) !== ownerOf(now[place]);
  const left = Object.keys(before).filter(isOther);
  const came = Object.keys(now).filter(isOther);
  if (came.length > MOST_SLIDES) return [];
  return came.flatMap((to) => {
    const own = left.filter((place) => ownerOf(before[place]) === ownerOf(now[to]));
    const alike = own.filter((place) => before[place] === now[to]);
    const [from] = alike.length ? alike : own;
    if (!from || (!alike.length && own.length > 1)) return [];
    left.splice(left.indexOf(from), 1);
    return [/** @type {[Place, Place]} */ ([from, to])];
  });
}

/** Tells whether the reader wants things to stay still. */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Lets a piece slide from one spot to another, unless this display wants no motion.
 * @param {Element} piece
 * @param {Spot} from
 * @param {Spot} to
 */
export function slide(piece, from, to) {
  if (isStill()) return;
  const frames = [from, to].map(([x, y]) => ({ transform: transformOf([x, y, to[2]]) }));
  piece.animate(frames, { duration: SLIDE_MS, easing: "ease-out" });
}

/**
 * Returns the style of a piece at a spot: it goes before the attribute that draws it at its place.
 * @param {Spot} spot
 */
export function transformOf([x, y, angle]) {
  return `translate(${x}px, ${y}px) rotate(${angle}deg)`;
}
