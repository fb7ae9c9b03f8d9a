// The differences between a stored game and what was typed to correct it.

/** @import { StoredGame, StoredStep } from "../shared/types.d.ts" */

/**
 * What the dialog holds.
 * @typedef {object} TypedCorrection
 * @property {string | null} action of the step; null where it has none
 * @property {Record<string, string>} names the players' names, the event, the place and the round
 * @property {boolean} endsHere the game ends with the step
 */

/**
 * Returns a step's action as it is typed: as players write it, unless that is words.
 * @param {StoredStep} step
 */
export function typedAction({ action = "", written = "" }) {
  return !written || written.includes(" ") ? action : written;
}

/**
 * Returns the request that corrects a game at a step: only what differs from the game as it is.
 * @param {StoredGame} game
 * @param {number} at
 * @param {TypedCorrection} typed
 */
export function changesOf(game, at, { action, names, endsHere }) {
  const changed = Object.entries(names).filter(([key, name]) => name.trim() !== (game.head[key] || ""));
  const isOtherAction = action !== null && action !== typedAction(game.steps[at]);
  return {
    names: Object.fromEntries(changed),
    ...(isOtherAction ? { steps: { [at]: action } } : {}),
    ...(endsHere ? { until: at } : {}),
  };
}
