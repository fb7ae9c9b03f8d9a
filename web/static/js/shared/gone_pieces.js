// The pieces that have left the board, small, beside it: each owner's in a row.

import { html, showIfChanged, svg } from "./dom.js";
import { t } from "./language.js";
import { describeLook } from "./text.js";

/** @import { BoardData, Look } from "./types.d.ts" */

/**
 * @param {Element} element
 * @param {Look[]} gone
 * @param {BoardData | null} board
 */
export function renderGone(element, gone, board) {
  showIfChanged(element, [gone, board?.name], () => board && goneRows(gone, board));
}

/**
 * Makes a row for each owner of pieces that are off the board; nothing where there are none.
 * @param {Look[]} gone
 * @param {BoardData} board
 */
export function goneRows(gone, board) {
  const owners = [...new Set(gone.map(ownerOf))];
  return owners.map((owner) => {
    const looks = gone.filter((look) => ownerOf(look) === owner);
    const pieces = [...new Set(looks)].map((look) => {
      const count = looks.filter((other) => other === look).length;
      return html(
        "span",
        { class: "alike" },
        Array.from({ length: count }, () => smallPiece(look, board)),
      );
    });
    return html("p", { role: "img", "aria-label": goneWords(looks, board), "data-owner": owner }, pieces);
  });
}

/**
 * @param {Look[]} looks
 * @param {BoardData} board
 */
function goneWords(looks, board) {
  const kinds = [...new Set(looks)].map((look) => {
    const count = looks.filter((other) => other === look).length;
    return `${describeLook(board, look)} × ${count}`;
  });
  return t("Off the board: {pieces}", { pieces: kinds.join(", ") });
}

/** @param {Look} look */
function ownerOf(look) {
  return look.split("/")[0];
}

/**
 * @param {Look} look
 * @param {BoardData} board
 */
function smallPiece(look, board) {
  const id = board.symbols[look];
  const attributes = { viewBox: "-0.5 -0.5 1 1", "aria-hidden": /** @type {const} */ ("true") };
  return svg("svg", attributes, id ? svg("use", { href: `#${id}` }) : svg("circle", { r: 0.34 }));
}
