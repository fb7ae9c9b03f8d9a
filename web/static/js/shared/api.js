// Requests to the table's API. What the table refuses becomes a `Refusal`, with the broken rules.

import { t } from "./language.js";
import { asSentence } from "./text.js";

/** @import { Breach, Session } from "./types.d.ts" */

export const FORBIDDEN = 403;
const UNREACHED = 503;
const NO_CONTENT = 204;

/** The server's refusal of a request. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {{ error?: string, breaks?: Breach[], taken?: boolean, step?: number }} body
   */
  constructor(status, body) {
    super(body.error || t("something went wrong"));
    this.status = status;
    this.breaks = body.breaks || [];
    /** Whether the name that was given is another one's already. */
    this.isTaken = body.taken || false;
    /** The step of a game that does not fit, or 0. */
    this.step = body.step || 0;
  }
}

/** The session's token against cross-site requests; '' until the session was asked for. */
let csrf = "";

/**
 * Asks the API for something.
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
export async function get(path) {
  const body = await read(await reach(path, { headers: { Accept: "application/json" } }));
  if (path === "session") csrf = /** @type {Session} */ (body).csrf;
  return /** @type {T} */ (body);
}

/**
 * Tells the API to do something.
 * @template T
 * @param {string} path
 * @param {object} [body] a Blob is sent as it is, anything else as JSON
 * @param {RequestInit} [options]
 * @returns {Promise<T>}
 */
export async function post(path, body = {}, options = {}) {
  if (!csrf) await get("session");
  const usedToken = csrf;
  const answer = await send(path, body, options);
  if (answer.status !== FORBIDDEN) return /** @type {T} */ (await read(answer));
  await get("session"); // the cookie may be younger than the page
  const isFinal = csrf === usedToken;
  return /** @type {T} */ (await read(isFinal ? answer : await send(path, body, options)));
}

/**
 * Tells whether a request failed because there is no connection: it may be asked again.
 * @param {unknown} error
 */
export const isUnreached = (error) => error instanceof Refusal && error.status === UNREACHED;

/**
 * Puts in words why a request failed.
 * @param {unknown} error
 */
export function reasonOf(error) {
  return asSentence(error instanceof Error ? error.message : String(error));
}

/**
 * @param {string} path
 * @param {object} body
 * @param {RequestInit} options
 */
function send(path, body, options) {
  const isBlob = body instanceof Blob;
  return reach(path, {
    ...options,
    method: "POST",
    headers: { "Content-Type": isBlob ? body.type : "application/json", "X-CSRF-Token": csrf },
    body: isBlob ? body : JSON.stringify(body),
  });
}

/**
 * Returns the API's answer; one that says so where there is no connection, which the page's live stream is told of.
 * @param {string} path
 * @param {RequestInit} options
 */
export function reach(path, options) {
  return fetch(`/api/v1/${path}`, options).catch(() => {
    dispatchEvent(new Event("unreached"));
    return new Response(JSON.stringify({ error: t("no connection to the table") }), { status: UNREACHED });
  });
}

/**
 * @param {Response} answer
 * @returns {Promise<unknown>}
 */
async function read(answer) {
  const body = answer.status === NO_CONTENT ? {} : await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, body);
  return body;
}
