// A stored game in words, for the list of games.

import { t, tn } from "../shared/language.js";
import { colourOf, isSeat, nameOf } from "../shared/players.js";
import { formatMoment } from "../shared/text.js";

/** @import { GameSummary } from "../shared/types.d.ts" */

/** @type {Record<string, string>} */
const RESULTS = { draw: t("drawn"), "given up": t("given up"), solver: t("solved") };

/**
 * Returns the lines of a game's entry: the game and who played it, its length and result, time and occasion.
 * @param {GameSummary} summary
 */
export function gameWords(summary) {
  const { moves, plies } = summary;
  const count = moves === null ? tn("{n} action", "{n} actions", plies) : tn("{n} move", "{n} moves", moves);
  const moment = summary.started ? formatMoment(new Date(summary.started)) : "";
  return {
    title: [summary.title, playersOf(summary)].filter(Boolean).join(" · "),
    result: `${count}, ${resultOf(summary)}`,
    occasion: [moment, occasionOf(summary)].filter(Boolean).join(" · "),
  };
}

/** @param {GameSummary} summary */
function playersOf({ head }) {
  const seats = Object.keys(head).filter((key) => head[key] && isSeat(key));
  return seats.map((seat) => nameOf({ head }, seat)).join(", ");
}

/** @param {GameSummary} summary */
function resultOf({ result }) {
  if (!result) return t("not over");
  return RESULTS[result] || t("{player} won", { player: colourOf(result) });
}

/** @param {GameSummary} summary */
function occasionOf({ head: { event, place, corrects, puzzle }, variant }) {
  return [
    puzzle && t("Puzzle"),
    event,
    place,
    ...variant,
    corrects && t("corrects game {number}", { number: corrects.replace(/\D+/, "") }),
  ]
    .filter(Boolean)
    .join(", ");
}
