// The clock of a game that is about to begin: a usual time control, or one of the players' own.

import { html, segments } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { capital } from "../shared/text.js";

/** @import { Child, Player } from "../shared/types.d.ts" */

/** What a turn brings: as the time control spells it; `text` where the player writes the whole of it. */
/** @typedef {"" | "+" | "d" | "b" | "x" | "text"} Mode */

/**
 * A time control as its fields have it.
 * @typedef {object} OwnClock
 * @property {Mode} mode
 * @property {string} minutes as `10` or `2:30`
 * @property {string} seconds that a turn brings, or of a period
 * @property {string} periods
 * @property {boolean} differs each player has a time of their own
 * @property {Record<Player, string>} minutesOf
 * @property {string} text
 */

/** The value of the choice that shows the fields. */
export const OWN = "own";

/** @type {[value: string, words: string][]} */
const CLOCKS = [
  ["", t("None")],
  ["5", t("5 min")],
  ["10+5", t("10 min + 5 s")],
  ["15+10", t("15 min + 10 s")],
  ["30", t("30 min")],
  [OWN, t("Other…")],
];

/** @type {[value: Mode, words: string][]} */
const MODES = [
  ["", t("Nothing")],
  ["+", t("Seconds added (Fischer)")],
  ["d", t("The clock waits (delay)")],
  ["b", t("Given back (Bronstein)")],
  ["x", t("Periods (byo-yomi)")],
  ["text", t("Written out")],
];

/** @returns {OwnClock} */
export function newOwnClock() {
  return {
    mode: "+",
    minutes: "20",
    seconds: "10",
    periods: "3",
    differs: false,
    minutesOf: {},
    text: "40/90,30+30",
  };
}

/**
 * Spells a time control.
 * @param {OwnClock} own
 * @param {Player[]} seats
 */
export function writeControl(own, seats) {
  const { mode, periods, seconds } = own;
  if (mode === "text") return own.text.trim();
  const bonus = {
    "": "",
    "+": `+${seconds}`,
    d: `d${seconds}`,
    b: `b${seconds}`,
    x: `+${periods}x${seconds}`,
  };
  const control = (/** @type {string} */ minutes) => minutes.trim() + bonus[mode];
  if (!own.differs || seats.length < 2) return control(own.minutes);
  return seats.map((seat) => `${seat}=${control(own.minutesOf[seat] || own.minutes)}`).join(" ");
}

/**
 * Makes the fields of the clock, which draw themselves anew when another kind is chosen.
 * @param {{ clock: string, own: OwnClock }} habits
 * @param {() => Player[]} seats the seats as they are chosen now
 */
export function clockField(habits, seats) {
  const field = html("fieldset", { class: "clock-choice" });
  const draw = () =>
    field.replaceChildren(
      html("legend", {}, t("Clock")),
      segments("clock", CLOCKS, habits.clock, (clock) => {
        habits.clock = clock;
        draw();
      }),
      ...(habits.clock === OWN ? [ownFields(habits.own, seats(), draw)] : []),
    );
  draw();
  return field;
}

/**
 * @param {OwnClock} own
 * @param {Player[]} seats
 * @param {() => void} onChange is called when other fields are due
 */
function ownFields(own, seats, onChange) {
  const { mode } = own;
  const choose = html(
    "select",
    {
      onchange: ({ currentTarget }) => {
        own.mode = /** @type {Mode} */ (currentTarget.value);
        onChange();
      },
    },
    MODES.map(([value, words]) => html("option", { value, selected: value === mode }, words)),
  );
  const labelled = (/** @type {string} */ words, /** @type {Child} */ field) =>
    html("label", { class: "own" }, html("span", {}, words), field);
  if (mode === "text") {
    const hint = t(
      "As in 40/90,30+30: forty turns in 90 minutes, then 30 more, and 30 seconds for each turn.",
    );
    return html(
      "div",
      { class: "own-clock" },
      labelled(t("In each turn"), choose),
      labelled(t("Time control"), textField(own, "text", 60)),
      html("p", { class: "soft" }, hint),
    );
  }
  const minutes = own.differs
    ? seats.map((seat) => labelled(t("{player}, minutes", { player: capital(seat) }), seatField(own, seat)))
    : labelled(t("Minutes"), textField(own, "minutes", 7));
  const differs = html("input", {
    type: "checkbox",
    checked: own.differs,
    onchange: ({ currentTarget }) => {
      own.differs = currentTarget.checked;
      onChange();
    },
  });
  return html(
    "div",
    { class: "own-clock" },
    labelled(t("In each turn"), choose),
    minutes,
    mode && labelled(mode === "x" ? t("Seconds of a period") : t("Seconds"), textField(own, "seconds", 4)),
    mode === "x" && labelled(t("Periods"), textField(own, "periods", 2)),
    seats.length > 1 &&
      html("label", { class: "own tick" }, differs, t("Each player has a time of their own")),
  );
}

/**
 * @param {OwnClock} own
 * @param {"minutes" | "seconds" | "periods" | "text"} name
 * @param {number} maxlength
 */
function textField(own, name, maxlength) {
  return html("input", {
    type: "text",
    name: `own-${name}`,
    inputmode: name === "text" ? "text" : "numeric",
    autocomplete: "off",
    maxlength,
    value: own[name],
    oninput: ({ currentTarget }) => (own[name] = currentTarget.value),
  });
}

/**
 * @param {OwnClock} own
 * @param {Player} seat
 */
function seatField(own, seat) {
  return html("input", {
    type: "text",
    name: `own-minutes-${seat}`,
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: 7,
    value: own.minutesOf[seat] || own.minutes,
    oninput: ({ currentTarget }) => (own.minutesOf[seat] = currentTarget.value),
  });
}
