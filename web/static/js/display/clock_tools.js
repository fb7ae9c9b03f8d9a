// What the arbiter does to the clocks: stops them, gives a player time and takes some, and sets what is left.

import { post } from "../shared/api.js";
import { attempt, attemptAndClose, meantFor, sayWhy } from "../shared/attempt.js";
import { button, form, html, row, textField } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { nameOf } from "../shared/players.js";
import { complain, openSheet } from "../shared/sheet.js";

/** @import { Clock, GameState, Player } from "../shared/types.d.ts" */

/** What a tap gives or takes, in seconds. */
const GIFTS = [-60, -10, 10, 60];
const TIME = /^([0-9]{1,4})(?:[.,]([0-9]{1,2})|:([0-5][0-9]))?$/;

/**
 * Reads minutes, or minutes and seconds; null where it is neither.
 * @param {string} text
 */
export function readSeconds(text) {
  const match = TIME.exec(text.trim());
  return match && Math.round(Number(`${match[1]}.${match[2] || 0}`) * 60) + Number(match[3] || 0);
}

/** @param {GameState} state */
export function openClockTools(state) {
  const { clock } = state;
  if (!clock) return;
  openSheet(
    t("Clock"),
    html("p", { class: "soft" }, t("Time control: {control}", { control: clock.control })),
    row(runButton(state, clock)),
    Object.keys(clock.left).map((player) => playerPart(state, player)),
  );
}

/**
 * @param {GameState} state
 * @param {Pick<Clock, "held" | "runs" | "paused">} clock
 */
export function runButton(state, { held, runs, paused }) {
  const change = () => attemptAndClose(held ? "clock/start" : "clock/stop", meantFor(state));
  if (held) return button(t("Let the clock go on"), change, { class: "button strong" });
  if (runs && !paused) return button(t("Stop the clock"), change, { class: "button strong" });
  return button(t("Keep the clock stopped"), change);
}

/**
 * Makes a player's part: the time that runs there, buttons for usual changes, and a field for any other.
 * @param {GameState} state
 * @param {Player} player
 */
function playerPart(state, player) {
  const byoYomi = state.clock?.byo_yomi[player];
  const time = textField({
    placeholder: "5:00",
    maxlength: 7,
    "aria-label": t("Time of {player}", { player: nameOf(state, player) }),
  });
  const periods = byoYomi && periodsField(byoYomi.periods);
  const set = () => {
    const seconds = readSeconds(time.value);
    if (seconds === null) return complain(t("Write minutes, or minutes and seconds: 5 or 5:30."));
    const more = periods ? Number(periods.value) * (byoYomi?.seconds || 0) : 0;
    return attempt("times/set", { player, seconds: seconds + more, ...meantFor(state) });
  };
  const gifts = GIFTS.map((seconds) => {
    const signed = (/** @type {number} */ n) => (n > 0 ? `+${n}` : `−${-n}`);
    const isShort = Math.abs(seconds) < 60;
    const words = isShort ? t("{n} s", { n: signed(seconds) }) : t("{n} min", { n: signed(seconds / 60) });
    const give = () => post("times/give", { player, seconds, ...meantFor(state) }).catch(sayWhy); // two taps give twice
    return button(words, give);
  });
  return html(
    "section",
    { class: "clock-tools", "aria-label": nameOf(state, player) },
    html("h3", {}, nameOf(state, player)),
    html("p", {}, html("span", { "data-periods": player }), html("b", { "data-clock": player })),
    html("div", { class: "gifts" }, gifts),
    form(
      set,
      { class: "row" },
      time,
      periods && html("label", {}, html("span", {}, t("Periods")), periods),
      html("button", { type: "submit", class: "button" }, t("Set")),
    ),
  );
}

/** @param {number} most */
function periodsField(most) {
  const numbers = Array.from({ length: most + 1 }, (_, n) => n);
  const options = numbers.map((n) => html("option", { value: n, selected: n === most }, n));
  return html("select", {}, options);
}
