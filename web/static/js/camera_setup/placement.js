// How the camera stands over the board, in words and with an arrow on its picture.

import { html, replaceContent, svg } from "../shared/dom.js";
import { t } from "../shared/language.js";

/** @import { Placement, PlacementAdvice } from "../shared/types.d.ts" */

/** @type {Record<PlacementAdvice["kind"], string>} */
export const TITLES = {
  higher: t("Higher"),
  lower: t("Lower"),
  left: t("Left"),
  right: t("Right"),
  up: t("Up"),
  down: t("Down"),
  turn: t("Turned"),
  flat: t("Too flat"),
  coarse: t("Too small"),
};

/** An arrow that points up, in a square from -10 to 10. */
const ARROW = "M0 -9 8 0H3V9H-3V0H-8Z";
/** The same, shorter, over or under a line: the table. */
const LIFT = "M0 -10 7 -3H3V4H-3V-3H-7ZM-9 7H9V9H-9Z";
const LOWER = "M0 4 7 -3H3V-10H-3V-3H-7ZM-9 7H9V9H-9Z";
/** Three quarters of a circle that ends in an arrow's head. */
const CLOCKWISE = "M-6.4 6.4A9 9 0 1 1 8 4L11 5 5 10 3 2 6 3A6 6 0 1 0 -4.3 4.3Z";
/** A line of sight that rises from a table. */
const STEEPER = "M-9 7H9V9H-9ZM-9 5 -1 -6 -4 -7 4 -10 5 -2 2 -4 -5 5Z";
/** A small picture in a large frame. */
const SMALL = "M-9 -8H9V8H-9ZM-7 -6V6H7V-6ZM-2 -2H2V2H-2Z";

/** @type {Record<PlacementAdvice["kind"], { path: string, turn?: number }>} */
const SHAPES = {
  higher: { path: LIFT },
  lower: { path: LOWER },
  left: { path: ARROW, turn: -90 },
  right: { path: ARROW, turn: 90 },
  up: { path: ARROW },
  down: { path: ARROW, turn: 180 },
  turn: { path: CLOCKWISE },
  flat: { path: STEEPER },
  coarse: { path: SMALL },
};

/** @param {PlacementAdvice} advice */
function arrowOf({ kind, clockwise }) {
  const { path, turn = 0 } = SHAPES[kind];
  const mirrored = kind === "turn" && !clockwise ? "scale(-1 1)" : "";
  const shape = svg("path", {
    d: path,
    transform: `rotate(${turn}) ${mirrored}`,
  });
  return svg("svg", { class: "arrow", viewBox: "-12 -12 24 24", "aria-hidden": "true" }, shape);
}

/**
 * Returns what is to be changed, as items of a list; that nothing is, where the camera stands well.
 * @param {Placement} placement
 */
export function placementItems({ advice, words }) {
  const figures = html("li", { class: "soft" }, words);
  if (!advice.length) return [html("li", { class: "good" }, t("The camera stands well.")), figures];
  const items = advice.map((one) =>
    html("li", { "data-kind": one.kind }, arrowOf(one), html("span", {}, one.words)),
  );
  return [...items, figures];
}

/**
 * Shows the arrow of the most important advice at that side of the picture to which it points.
 * @param {HTMLElement} place
 * @param {PlacementAdvice} [advice]
 */
export function showArrow(place, advice) {
  place.hidden = !advice;
  if (!advice) return;
  place.dataset.kind = advice.kind;
  replaceContent(place, arrowOf(advice), html("span", {}, TITLES[advice.kind]));
}
