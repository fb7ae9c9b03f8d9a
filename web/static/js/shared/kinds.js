// The kinds of actions, in the words of their game: a move, a flip.

/** @import { GameState, LegalAction } from "./types.d.ts" */

/**
 * Names the kinds of some actions, each once, in the order of the game's own list.
 * @param {LegalAction[]} actions
 * @param {GameState["game"]["kinds"]} kinds
 */
export function kindsOf(actions, kinds) {
  const found = new Set(actions.map(({ action }) => kindOf(action, kinds)));
  return [...new Set(kinds.map(([, words]) => words))].filter((words) => found.has(words));
}

/**
 * @param {string} action
 * @param {GameState["game"]["kinds"]} kinds
 */
export function kindOf(action, kinds) {
  return kinds.find(([spelling]) => new RegExp(`^(?:${spelling})$`).test(action))?.[1] || "";
}
