// The players: their names, paints and glyphs.

import { html, svg } from "./dom.js";
import { t } from "./language.js";
import { capital } from "./text.js";

/** @import { BoardData, Player } from "./types.d.ts" */

/**
 * The seats, and who else does something at the table.
 * @type {Record<Player, string>}
 */
const SEATS = {
  arbiter: t("Arbiter"),
  black: t("Black"),
  blue: t("Blue"),
  green: t("Green"),
  north: t("North"),
  red: t("Red"),
  solver: t("Solver"),
  south: t("South"),
  white: t("White"),
  yellow: t("Yellow"),
};

/**
 * Tells whether a member of a game's head is the name of a player.
 * @param {string} key
 */
export function isSeat(key) {
  return key in SEATS && key !== "arbiter";
}

/**
 * Returns the name of a seat: 'White'.
 * @param {Player | null} player
 */
export function colourOf(player) {
  return SEATS[player || ""] || capital(player);
}

/**
 * Returns how a player is called everywhere: 'Bo (White)', and 'White' where no name is known.
 * @param {{ head: Record<string, string> }} state
 * @param {Player | null} player
 */
export function nameOf({ head }, player) {
  const [name, colour] = [head[player || ""], colourOf(player)];
  return name ? t("{name} ({colour})", { name, colour }) : colour;
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
  return html("span", { class: "token", vars, role: "img", "aria-label": colourOf(player) }, glyph);
}
