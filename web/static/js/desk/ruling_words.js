// What was ruled, in words.

import { t } from "../shared/language.js";
import { colourOf } from "../shared/players.js";
import { formatMoment } from "../shared/text.js";

/**
 * A ruling as the journal has it; `status` and `answer` are null while the board has not answered.
 * @typedef {object} Ruling
 * @property {number} at
 * @property {string} by
 * @property {string} board
 * @property {string} kind
 * @property {Record<string, any>} values
 * @property {number | null} status
 * @property {string | null} answer
 */

/** What a takeback is, of no action and of one. */
const TAKEN_BACK = [t("Result lifted"), t("Last action taken back")];

/**
 * Says what a ruling orders.
 * @param {string} kind
 * @param {Record<string, any>} values
 */
export function rulingWords(kind, values) {
  const player = colourOf(values.player || values.winner || "");
  switch (kind) {
    case "result":
      return values.winner ? t("{player} wins", { player }) : t("A draw");
    case "takeback":
      return TAKEN_BACK[Math.min(values.count, 1)];
    case "correction":
      return t("Position corrected");
    case "give":
      return t("{player}: {seconds} s", {
        player,
        seconds: (values.seconds > 0 ? "+" : "−") + Math.abs(values.seconds),
      });
    case "stop":
      return t("Clock stopped");
    case "start":
      return t("Clock goes on");
    case "answer":
      return t("Answered: {choice}", { choice: values.choice.join(" ") });
    default:
      return t("The board stands as the game has it");
  }
}

/** @param {Ruling} ruling */
export function rulingLine({ at, by, board, kind, values, answer }) {
  const when = formatMoment(new Date(1000 * at));
  return [when, board, rulingWords(kind, values), by, answer ?? t("no answer yet")].join(" · ");
}
