// What this display remembers: view, side, sound, theme and language. The browser keeps it; no server hears of it.

import { keep, recall } from "./storage.js";

/**
 * The settings, each with the values that it may have; the first is the default.
 * @typedef {typeof VALUES} Values
 * @typedef {keyof Values} Name
 */
const VALUES = {
  /** What is shown: `auto` is the virtual table where there is one, else the diagram. */
  view: /** @type {const} */ (["auto", "board", "table", "camera"]),
  /** `south` has rank 1 below, `north` is turned round. */
  side: /** @type {const} */ (["south", "north"]),
  sound: /** @type {const} */ (["off", "tones", "speech"]),
  /** Whether a newcomer is told what can be done. */
  help: /** @type {const} */ (["off", "on"]),
  theme: /** @type {const} */ (["auto", "light", "dark"]),
};
const KEY = "board-companion";

/** @type {Record<string, unknown> | null} what was read, or remembered since */
let kept = null;

/**
 * Returns what is remembered of a setting; its default where nothing, or nothing that it may be.
 * @template {Name} N
 * @param {N} name
 * @returns {Values[N][number]}
 */
export function setting(name) {
  const values = /** @type {readonly Values[N][number][]} */ (VALUES[name]);
  return values.find((value) => value === read()[name]) ?? values[0];
}

/**
 * Remembers a setting on this display.
 * @template {Name} N
 * @param {N} name
 * @param {Values[N][number]} value
 */
export function remember(name, value) {
  kept = { ...read(), [name]: value };
  keep("localStorage", KEY, kept);
}

/** @returns {Record<string, unknown>} */
function read() {
  return (kept ||= Object(recall("localStorage", KEY)));
}
