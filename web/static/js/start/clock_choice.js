// The clock of a game that is about to begin: a usual time control, or one of the players' own.

import { html, segments, select, textField } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { colourOf } from "../shared/players.js";

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
 * @property {Record<Player, string>} secondsOf
 * @property {boolean} staged there is more time after some turns
 * @property {string} turns after which there is more
 * @property {string} more the minutes that there are then
 * @property {string} text
 */

/** The value of the choice that shows the fields. */
export const OWN = "own";

/** @type {[value: string, words: string][]} */
const CLOCKS = [
  ["", t("None")],
  ["1", t("1 min")],
  ["3+2", t("3 min + 2 s")],
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

/** The fields of whole numbers; in the others there may be a colon, which keys for digits have not. */
const COUNTED = /^own-(seconds|periods|turns)/;

/** @returns {OwnClock} */
export function newOwnClock() {
  return {
    mode: "+",
    minutes: "20",
    seconds: "10",
    periods: "3",
    differs: false,
    minutesOf: {},
    secondsOf: {},
    staged: false,
    turns: "40",
    more: "30",
    text: "40/90,30+30",
  };
}

/**
 * Spells a time control.
 * @param {OwnClock} own
 * @param {Player[]} seats
 */
export function writeControl(own, seats) {
  const { mode, minutes, seconds } = own;
  if (mode === "text") return own.text.trim();
  if (!own.differs || seats.length < 2) return spell(own, minutes, seconds);
  const spelled = seats.map((seat) => {
    return `${seat}=${spell(own, own.minutesOf[seat] || minutes, own.secondsOf[seat] || seconds)}`;
  });
  return spelled.join(" ");
}

/**
 * Spells the time control of one player.
 * @param {OwnClock} own
 * @param {string} minutes
 * @param {string} seconds
 */
function spell({ mode, periods, staged, turns, more }, minutes, seconds) {
  const [first, second] = [minutes, more].map((text) => text.trim().replace(",", "."));
  const time = staged ? `${turns.trim()}/${first},${second}` : first;
  if (!mode) return time;
  return `${time}${mode === "x" ? `+${periods.trim()}x` : mode}${seconds.trim()}`;
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
  const choose = select(MODES, mode, (value) => {
    own.mode = /** @type {Mode} */ (value);
    onChange();
  });
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
      labelled(t("Time control"), ownField(own, "text", 60)),
      html("p", { class: "soft" }, hint),
    );
  }
  const each = mode === "x" ? t("Seconds of a period") : t("Seconds");
  const times = own.differs
    ? seats.map((seat) => html("div", { class: "own" }, seatFields(own, seat, each)))
    : [
        labelled(t("Minutes"), ownField(own, "minutes", 7)),
        mode && labelled(each, ownField(own, "seconds", 4)),
      ];
  const tick = (/** @type {"differs" | "staged"} */ name, /** @type {string} */ words) => {
    const box = html("input", {
      type: "checkbox",
      checked: own[name],
      onchange: ({ currentTarget }) => {
        own[name] = currentTarget.checked;
        onChange();
      },
    });
    return html("label", { class: "own tick" }, box, words);
  };
  return html(
    "div",
    { class: "own-clock" },
    labelled(t("In each turn"), choose),
    times,
    mode === "x" && labelled(t("Periods"), ownField(own, "periods", 2)),
    seats.length > 1 && tick("differs", t("Each player has a time of their own")),
    tick("staged", t("More time after some turns")),
    own.staged && [
      labelled(t("Turns"), ownField(own, "turns", 3)),
      labelled(t("Minutes more"), ownField(own, "more", 7)),
    ],
  );
}

/**
 * Makes a field of the time control.
 * @param {OwnClock} own
 * @param {"minutes" | "seconds" | "periods" | "turns" | "more" | "text"} name
 * @param {number} maxlength
 */
function ownField(own, name, maxlength) {
  return input(`own-${name}`, maxlength, own[name], (value) => (own[name] = value));
}

/**
 * Makes the fields of one player: the minutes, and the seconds that a turn brings.
 * @param {OwnClock} own
 * @param {Player} seat
 * @param {string} each what the seconds are
 */
function seatFields(own, seat, each) {
  const { minutesOf, secondsOf } = own;
  const player = colourOf(seat);
  const minutes = input(
    `own-minutes-${seat}`,
    7,
    minutesOf[seat] || own.minutes,
    (value) => (minutesOf[seat] = value),
  );
  const seconds = input(
    `own-seconds-${seat}`,
    4,
    secondsOf[seat] || own.seconds,
    (value) => (secondsOf[seat] = value),
  );
  return [
    html("span", {}, player),
    html(
      "div",
      { class: "own-times" },
      html("label", {}, html("span", { class: "soft" }, t("Minutes")), minutes),
      own.mode && html("label", {}, html("span", { class: "soft" }, each), seconds),
    ),
  ];
}

/**
 * @param {string} name
 * @param {number} maxlength
 * @param {string} value
 * @param {(value: string) => void} onInput
 */
function input(name, maxlength, value, onInput) {
  return textField({
    name,
    inputmode: COUNTED.test(name) ? "numeric" : "text",
    maxlength,
    value,
    oninput: ({ currentTarget }) => onInput(currentTarget.value),
  });
}
