// The differences between a stored game and what was typed to correct it.

/** @import { StoredGame } from "../shared/types.d.ts" */

/**
 * What the dialog holds.
 * @typedef {object} TypedCorrection
 * @property {string | null} action of the step; null where it has none
 * @property {Record<string, string>} names the players' names, the event and the place
 * @property {boolean} endsHere the game ends with the step
 */

/**
 * Returns the request that corrects a game at a step: only what differs from the game as it is.
 * @param {StoredGame} game
 * @param {number} at
 * @param {TypedCorrection} typed
 */
export function changesOf(game, at, { action, names, endsHere }) {
  const changed = Object.entries(names).filter(([key, name]) => name.trim() !== (game.head[key] || ""));
  const isOtherAction = action !== null && action !== game.steps[at].action;
  return {
    names: Object.fromEntries(changed),
    ...(isOtherAction ? { steps: { [at]: action } } : {}),
    ...(endsHere ? { until: at } : {}),
  };
}
