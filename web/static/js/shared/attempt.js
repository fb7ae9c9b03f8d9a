// Sends a request to the table, and shows its refusal as a short message that passes.

import { post, Refusal } from "./api.js";
import { toast } from "./sheet.js";

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
 * Tells the API to do something; returns null where that was refused.
 * @template T
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<T | null>}
 */
export async function attempt(path, body) {
  try {
    return await post(path, body);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    toast(error.message);
    return null;
  }
}
