// A stored game in words, for the list of games.

import { capital, formatMoment } from "../shared/text.js";

/** @import { GameSummary } from "../shared/types.d.ts" */

/** What a record's head tells besides the players' names. */
const NO_NAMES = ["game", "place", "event", "date", "round", "clock", "markers", "corrects"];

/** @type {Record<string, string>} */
const RESULTS = { draw: "drawn", "given up": "given up", solver: "solved" };

/**
 * Returns the lines of a game's entry: the game and who played it, its length and result, time and occasion.
 * @param {GameSummary} summary
 */
export function gameWords(summary) {
  const count = `${summary.plies} ${summary.plies === 1 ? "action" : "actions"}`;
  const moment = summary.started ? formatMoment(new Date(summary.started)) : "";
  return {
    title: [summary.title, playersOf(summary)].filter(Boolean).join(" · "),
    result: `${count}, ${resultOf(summary)}`,
    occasion: [moment, occasionOf(summary)].filter(Boolean).join(" · "),
  };
}

/** @param {GameSummary} summary */
function playersOf({ head }) {
  const players = Object.entries(head).filter(([key, name]) => name && !NO_NAMES.includes(key));
  return players.map(([seat, name]) => `${name} (${seat})`).join(", ");
}

/** @param {GameSummary} summary */
function resultOf({ result }) {
  if (!result) return "not over";
  return RESULTS[result] || `${capital(result)} won`;
}

/** @param {GameSummary} summary */
function occasionOf({ head: { event, place, corrects }, variant }) {
  return [event, place, ...variant, corrects && `corrects ${corrects}`].filter(Boolean).join(", ");
}
