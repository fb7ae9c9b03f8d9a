// Where the wizard is, kept in the browser's window: a page that is loaded anew goes on there.

import { keep, recall } from "../shared/storage.js";

/** @import { Point } from "../shared/types.d.ts" */
/** @import { Step } from "./wizard_words.js" */

/**
 * @typedef {object} Memory
 * @property {number} since when the companion was started
 * @property {string} camera
 * @property {string} game
 * @property {Step} step
 * @property {string} words what was said at this step
 * @property {boolean} hasMisread
 * @property {boolean} isLearning the server was learning when this was written
 * @property {Point[]} corners those that were dragged by hand; none where the board is found by itself
 * @property {{ board: string, title: string, made: number, camera: string }} learned
 * @property {string} name that was typed; '' for none
 */

const KEY = "camera-set-up";

/** @param {Memory} memory */
export const keepPlace = (memory) => keep("sessionStorage", KEY, memory);

/**
 * Returns where the wizard was; null where nobody knows.
 * @returns {Memory | null}
 */
export const recallPlace = () => recall("sessionStorage", KEY);

export const forgetPlace = () => keep("sessionStorage", KEY, null);
