// The differences between a stored game and what was typed to correct it.

/** @import { StoredGame, StoredStep } from "../shared/types.d.ts" */

/**
 * What the dialog holds.
 * @typedef {object} TypedCorrection
 * @property {Record<number, string>} actions of steps
 * @property {Record<string, string>} names the players' names, the event, the place and the round
 * @property {number | null} until the step with which the game ends; null where it goes on
 */

/**
 * Returns a step's action as it is typed: as players write it, unless that is words.
 * @param {StoredStep} step
 */
export function typedAction({ action = "", written = "" }) {
  return !written || written.includes(" ") ? action : written;
}

/**
 * Returns the request that corrects a game: only what differs from the game as it is.
 * @param {StoredGame} game
 * @param {TypedCorrection} typed
 */
export function changesOf(game, { actions, names, until }) {
  const changed = Object.entries(names).filter(([key, name]) => name !== (game.head[key] || ""));
  const steps = Object.entries(actions).filter(
    ([step, action]) => action !== typedAction(game.steps[Number(step)]),
  );
  return {
    names: Object.fromEntries(changed),
    ...(steps.length ? { steps: Object.fromEntries(steps) } : {}),
    ...(until === null ? {} : { until }),
  };
}
