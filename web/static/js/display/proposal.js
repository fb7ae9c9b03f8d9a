// The game that a round has for this board: who plays whom, to be begun by a tap.

import { attempt, meantFor } from "../shared/attempt.js";
import { button, html } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { card } from "./card.js";

/** @import { TableState } from "../shared/types.d.ts" */
/** @import { Card } from "./card.js" */

/**
 * Shows who plays here next, once no game is on.
 * @param {TableState} table
 * @param {boolean} mayBegin
 * @returns {Card | null}
 */
export function proposalCard(table, mayBegin) {
  const { proposal, state } = table;
  if (!proposal || (state !== "empty" && state !== "over")) return null;
  const { event, round, players, title, clock } = proposal;
  return card(["proposal", proposal, mayBegin], "proposal", () => [
    html("p", { class: "soft" }, [event, round && t("Round {round}", { round })].filter(Boolean).join(" · ")),
    html("h2", {}, players.join(" – ")),
    html("p", { class: "soft" }, clock ? t("{game}, with a clock: {clock}", { game: title, clock }) : title),
    mayBegin
      ? button(t("Begin"), () => attempt("games/proposed", meantFor(table)), { class: "button strong" })
      : html("p", {}, t("The arbiter begins this game.")),
  ]);
}
