// Sends a request to the table, and says why it was refused.

import { post, reasonOf } from "./api.js";
import { closeSheet, complain, forgetComplaint } from "./sheet.js";

/** @import { TableState } from "./types.d.ts" */

/**
 * Says which game an act is meant for, 0 for an empty table: where another is on by then, it is refused.
 * @param {TableState} state
 */
export function meantFor({ number }) {
  return { number: number ?? 0 };
}

/**
 * Says for which moment of a game an act is meant: where that went on by then, it is refused.
 * @param {{ number?: number | null, plies?: number }} state
 */
export function meantAt({ number, plies }) {
  return { number: number ?? 0, plies: plies ?? 0 };
}

/** @type {{ number?: number | null, plies?: number }} the moment that the page shows */
let shown = {};

/** @param {TableState} state */
export function showMoment(state) {
  shown = state;
}

/** Says that an act is meant for the moment that the page shows: a button may have been drawn long before. */
export const meantNow = () => meantAt(shown);

/**
 * Says why something failed; the answer is null then.
 * @param {unknown} error
 */
export function sayWhy(error) {
  complain(reasonOf(error));
  return null;
}

/** @type {Map<string, Promise<any>>} what was asked for and is not answered yet */
const asked = new Map();

/**
 * Tells the API to do something; returns null where that was refused. What is asked for already is not asked for
 * twice: on a slow network a button is tapped again.
 * @template T
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<T | null>}
 */
export function attempt(path, body) {
  forgetComplaint();
  const key = JSON.stringify([path, body]);
  const answer =
    asked.get(key) ||
    post(path, body)
      .catch(sayWhy)
      .finally(() => asked.delete(key));
  asked.set(key, answer);
  return answer;
}

/**
 * The same from a dialog, which closes once it was done: a refusal is said there.
 * @param {string} path
 * @param {object} [body]
 */
export const attemptAndClose = (path, body) => attempt(path, body).then((done) => done && closeSheet());
