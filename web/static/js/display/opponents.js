// Handing seats over to the companion in the middle of a game, and taking them back.

import { attemptAndClose, meantFor } from "../shared/attempt.js";
import { button, html } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { opponentChoice, readCompanion, writeCompanion } from "../shared/opponent_choice.js";
import { nameOf } from "../shared/players.js";
import { openSheet } from "../shared/sheet.js";

/** @import { GameState, Player } from "../shared/types.d.ts" */

/** @param {GameState} state */
export function openOpponents(state) {
  const { players } = state.game;
  const levels = readCompanion(state.head.companion || "");
  const choice = (/** @type {Player} */ player) => {
    const name = nameOf(state, player);
    const field = opponentChoice(name, levels[player] || "", (level) => (levels[player] = level));
    return html("label", { class: "seat" }, html("span", {}, name), field);
  };
  const change = () =>
    attemptAndClose("opponents", { companion: writeCompanion(levels, players), ...meantFor(state) });
  openSheet(t("Who plays?"), players.map(choice), button(t("Done"), change, { class: "button strong" }));
}

/**
 * Tells whether the companion is to act.
 * @param {GameState} state
 */
export function isThinking({ companion, to_act: player, state, verdict }) {
  return state === "playing" && player in companion && !verdict;
}

/**
 * Returns the players who are people.
 * @param {GameState} state
 * @param {Player[]} players
 */
export function peopleOf({ companion }, players) {
  return players.filter((player) => !(player in companion));
}
