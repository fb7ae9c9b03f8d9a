// The players: their names, paints and glyphs.

import { html, svg } from "./dom.js";
import { capital } from "./text.js";

/** @import { BoardData, Player } from "./types.d.ts" */

/**
 * Returns a player's own name where it is known, else that of the seat.
 * @param {{ head: Record<string, string> }} state
 * @param {Player | null} player
 */
export function nameOf(state, player) {
  return (player && state.head[player]) || capital(player);
}

/**
 * Returns the player's paint and glyph on a board.
 * @param {BoardData | null} board
 * @param {Player | null | undefined} player
 */
export function ownerOf(board, player) {
  return board?.owners.find((owner) => owner.name === player) || null;
}

/**
 * Makes a disc in the player's paint with the player's glyph: never colour alone.
 * @param {BoardData | null} board
 * @param {Player} player
 * @param {"small" | "big"} [size] of the glyph in its disc
 */
export function token(board, player, size = "small") {
  const owner = ownerOf(board, player);
  const vars = {
    "--paint": owner?.paint || "var(--soft)",
    "--on-paint": owner?.ink || "var(--ink)",
  };
  const viewBox = size === "big" ? "-1.15 -1.15 2.3 2.3" : "-1.7 -1.7 3.4 3.4";
  const glyph = svg("svg", { viewBox, "aria-hidden": "true" }, owner && svg("path", { d: owner.path }));
  return html("span", { class: "token", vars, role: "img", "aria-label": player }, glyph);
}
