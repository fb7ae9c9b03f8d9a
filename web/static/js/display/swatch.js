// A piece to choose from a palette.

import { html, svg } from "../shared/dom.js";
import { t } from "../shared/language.js";

/** @import { Attributes, BoardData, Child, Look } from "../shared/types.d.ts" */

/**
 * Makes the button that chooses a look; looks without a symbol are written.
 * @param {BoardData} board
 * @param {Look} look
 * @param {{ label: string, words: string, isChosen: boolean }} shown
 * @param {Attributes<HTMLButtonElement>} attributes
 * @param {Child[]} more below the piece
 */
export function swatch(board, look, { label, words, isChosen }, attributes, ...more) {
  const id = board.symbols[look];
  const picture = id
    ? svg("svg", { viewBox: "-.5 -.5 1 1" }, svg("use", { href: `#${id}` }))
    : html("span", {}, words);
  const names = {
    "aria-pressed": String(isChosen),
    "aria-label": label,
    title: label,
  };
  return html("button", { type: "button", class: "swatch", ...names, ...attributes }, picture, ...more);
}

/** @param {Child} swatches */
export function palette(swatches) {
  return html("div", { class: "palette", role: "group", "aria-label": t("Pieces") }, swatches);
}
