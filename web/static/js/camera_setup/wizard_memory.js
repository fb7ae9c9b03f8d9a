// Where the wizard is, kept in the browser's window: a page that is loaded anew goes on there.

/** @import { Point } from "../shared/types.d.ts" */
/** @import { Step } from "./wizard_words.js" */

/**
 * @typedef {object} Memory
 * @property {number} since when the companion was started
 * @property {string} game
 * @property {Step} step
 * @property {string} words what was said at this step
 * @property {boolean} hasMisread
 * @property {boolean} isLearning the server was learning when this was written
 * @property {Point[]} corners those that were dragged by hand; none where the board is found by itself
 * @property {{ board: string, title: string, made: number }} learned
 * @property {string} name that was typed; '' for none
 */

const KEY = "camera-set-up";

/** @param {Memory} memory */
export function keepPlace(memory) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // a browser that keeps nothing begins anew
  }
}

/**
 * Returns where the wizard was; null where nobody knows.
 * @returns {Memory | null}
 */
export function recallPlace() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) || "null");
  } catch {
    return null;
  }
}

export function forgetPlace() {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // nothing was kept
  }
}
