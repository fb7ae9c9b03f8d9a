// How to play, in a sheet over the game that is on: the game goes on behind it, and nothing begun is lost.

import { sayWhy } from "../shared/attempt.js";
import { t } from "../shared/language.js";
import { openSheet } from "../shared/sheet.js";
import { TutorialView, loadTutorial } from "../tutorial/tutorial.js";

/** @import { Breach, GameInfo } from "../shared/types.d.ts" */

/**
 * @param {Pick<GameInfo, "name" | "title" | "options">} game
 * @param {{ rule?: string, kind?: string }} [wanted] the number of the rule, or the kind of action, to show
 */
export async function openHowToPlay({ name, title, options }, { rule, kind } = {}) {
  try {
    const view = new TutorialView(await loadTutorial(name, options));
    openSheet(t("How to play {game}", { game: title }), view.element);
    if (rule) view.showRule(rule);
    if (kind) view.showKind(kind);
  } catch (error) {
    sayWhy(error);
  }
}

/**
 * Returns the number of the first broken rule that is the game's own, and can be shown; '' where there is none.
 * @param {Breach[]} breaks
 */
export function ruleToShow(breaks) {
  return breaks.find(({ rule }) => !rule.startsWith("GEN-"))?.rule || "";
}
