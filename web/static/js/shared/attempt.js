// Sends a request to the table, and shows its refusal as a short message that passes.

import { post, Refusal } from "./api.js";
import { toast } from "./sheet.js";

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
