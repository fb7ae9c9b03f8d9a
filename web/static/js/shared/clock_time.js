// The time on a player's clock: what is left of it now, and how it is written.

import { language } from "./language.js";

/** @import { Player, TileClock } from "./types.d.ts" */

/** With less than this many seconds left, tenths are shown. */
const TENTHS_BELOW_S = 10;
const tenths = new Intl.NumberFormat(language, { minimumFractionDigits: 1 });
/** Times may differ by this and be the same. */
const EXACT_S = 1e-6;

/**
 * Returns the seconds that a player has left.
 * @param {TileClock} clock
 * @param {Player} player
 * @param {number} now the table's time, in seconds since 1970
 */
export function secondsLeft(clock, player, now) {
  const isRunning = player === clock.runs && !clock.paused;
  const used = isRunning ? Math.max(0, now - clock.since - clock.delay) : 0;
  return Math.max(0, clock.left[player] - used);
}

/**
 * Tells whether time is short: then it is shown in another colour too.
 * @param {number} seconds
 */
export function isShort(seconds) {
  return seconds < TENTHS_BELOW_S;
}

/**
 * Writes seconds as minutes and seconds; near the end with tenths. Nothing is rounded up.
 * @param {number} seconds
 */
export function formatSeconds(seconds) {
  if (isShort(seconds)) return `0:0${tenths.format(Math.floor(seconds * 10) / 10)}`;
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * Returns what a clock shows of the seconds that a player has left: in byo-yomi the main time with all periods to
 * come, or what is left of the period that runs, with the number of them.
 * @param {TileClock} clock
 * @param {Player} player
 * @param {number} left
 */
export function shownTime(clock, player, left) {
  const control = clock.byo_yomi[player];
  if (!control) return { seconds: left, periods: 0 };
  const main = left - control.periods * control.seconds;
  if (main > 0) return { seconds: main, periods: control.periods };
  const periods = Math.max(0, Math.ceil((left - EXACT_S) / control.seconds));
  return { seconds: left - Math.max(0, periods - 1) * control.seconds, periods };
}
