// What the browser keeps for a display, or for a window. One that keeps nothing is no fault.

/** @typedef {"localStorage" | "sessionStorage"} Place */

/**
 * @param {Place} place
 * @param {string} key
 * @param {unknown} value null for nothing
 */
export function keep(place, key, value) {
  try {
    globalThis[place].setItem(key, JSON.stringify(value));
  } catch {
    // barred, or full: it holds until the page is left
  }
}

/**
 * Returns what was kept; null for nothing, or where that is spoilt.
 * @param {Place} place
 * @param {string} key
 */
export function recall(place, key) {
  try {
    return JSON.parse(globalThis[place].getItem(key) || "null");
  } catch {
    return null;
  }
}
