// Who plays a seat: a person, or the companion at one of its levels.

import { html } from "./dom.js";
import { t } from "./language.js";

/** @import { Player } from "./types.d.ts" */

/** The levels, 0 for a person. */
const LEVELS = [
  t("A person"),
  t("Companion 1: a first game"),
  t("Companion 2: easy"),
  t("Companion 3: medium"),
  t("Companion 4: good"),
  t("Companion 5: strong"),
  t("Companion 6: its best"),
];

/**
 * Spells the seats that the companion plays, as the API takes them.
 * @param {Record<Player, number>} levels
 * @param {Player[]} seats
 */
export function writeCompanion(levels, seats) {
  return seats
    .filter((seat) => levels[seat])
    .map((seat) => `${seat}=${levels[seat]}`)
    .join(" ");
}

/**
 * Makes the choice of who plays a seat.
 * @param {string} label says for whom
 * @param {number} chosen
 * @param {(level: number) => unknown} onChoose
 */
export function opponentChoice(label, chosen, onChoose) {
  return html(
    "select",
    {
      "aria-label": label,
      onchange: ({ currentTarget }) => onChoose(Number(currentTarget.value)),
    },
    LEVELS.map((words, level) => html("option", { value: String(level), selected: level === chosen }, words)),
  );
}
