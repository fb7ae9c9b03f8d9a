// Formats text: capitals, looks in words, and dates, times and shares as the reader's language writes them.

import { language, t } from "./language.js";

/** @import { BoardData, Look, Place } from "./types.d.ts" */

/** The longest name of a player, an event or a place, in characters. */
export const LONGEST_NAME = 80;

/** The longest name of a profile. */
export const LONGEST_PROFILE = 40;

/** @param {string | null | undefined} words */
export function capital(words) {
  return words ? words[0].toUpperCase() + words.slice(1) : "";
}

/**
 * Begins what the server answers like a sentence, unless it begins with an action or a name of the game (a2-a3).
 * @param {string} words
 */
export function asSentence(words) {
  return /^\p{L}+(?![\p{L}\d-])/u.test(words) ? capital(words) : words;
}

/**
 * Keeps a move whole, as it stands among words: a line would else end at its hyphen.
 * @param {string} written
 */
export function unbroken(written) {
  return written.replaceAll("-", "\u2060-\u2060"); // word joiners
}

/** @param {Date} date */
export function formatMoment(date) {
  return date.toLocaleString(language, {
    dateStyle: "medium",
    timeStyle: "short",
  });
}

/** @param {Date} date */
export function formatDay(date) {
  return date.toLocaleDateString(language, {
    day: "numeric",
    month: "short",
    year: "numeric",
  });
}

/**
 * Writes a share as a percentage.
 * @param {number} share
 */
export function formatShare(share) {
  return share.toLocaleString(language, { style: "percent" });
}

/**
 * Puts a look in words, as the server says it: 'marked red piece'.
 * @param {BoardData | null} board
 * @param {Look} look
 */
export function describeLook(board, look) {
  return look === "empty" ? t("empty") : board?.words[look] || look;
}

/**
 * Returns what players call a place.
 * @param {BoardData | null} board
 * @param {Place} place
 */
export function namePlace(board, place) {
  return board?.names[place] || place;
}

/**
 * Says what stands on a place.
 * @param {BoardData | null} board
 * @param {Place} place
 * @param {Look} [look]
 */
export function describePlace(board, place, look = "empty") {
  return `${namePlace(board, place)}: ${describeLook(board, look)}`;
}
