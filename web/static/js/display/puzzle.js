// A puzzle from a game: what is looked for, and what can be done once it is found.

import { attempt } from "../shared/attempt.js";
import { button, html } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { writeCompanion } from "../shared/opponent_choice.js";
import { nameOf } from "../shared/players.js";
import { card } from "./card.js";

/** @import { GameState } from "../shared/types.d.ts" */
/** @import { Card } from "./card.js" */

/** The level at which the companion plays on. */
const LEVEL = 4;

/**
 * @param {GameState} state
 * @param {boolean} mayBegin
 * @param {() => unknown} onAnother
 * @returns {Card | null}
 */
export function puzzleCard(state, mayBegin, onAnother) {
  const { puzzle, number, verdict, game, plies, last } = state;
  if (!puzzle || verdict) return null;
  const isSolved = puzzle === "solved";
  const others = game.players.filter((player) => player !== last?.player);
  const companion = writeCompanion(
    Object.fromEntries(others.map((player) => [player, String(LEVEL)])),
    others,
  );
  const playOn = () => attempt(`records/${number}/branches`, { step: plies, companion });
  const words = t("{player}: find the best turn.", { player: nameOf(state, state.to_act) });
  return card(["puzzle", puzzle, number, mayBegin, state.state, plies], "choose puzzle", () => [
    html("h2", {}, isSolved ? t("Solved!") : t("Puzzle")),
    html("p", {}, isSolved ? t("This was the best turn.") : words),
    mayBegin &&
      state.state === "over" &&
      html(
        "div",
        { class: "choices" },
        isSolved && button(t("Play on against the companion"), playOn, { class: "button strong" }),
        button(t("Another game or puzzle"), onAnother),
      ),
  ]);
}
