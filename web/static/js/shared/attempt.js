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
 * @param {TableState} state
 */
export function meantNow({ number, plies }) {
  return { number: number ?? 0, plies: plies ?? 0 };
}

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
