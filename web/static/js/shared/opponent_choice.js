// Who plays a seat: a person, or the companion at one of its levels.

import { html, select } from "./dom.js";
import { t } from "./language.js";

/** @import { Player } from "./types.d.ts" */

/** The levels, 0 for a person. */
const LEVELS = [
  t("A person"),
  t("Companion 1: a first game"),
  t("Companion 2: easy"),
  t("Companion 3: medium"),
  t("Companion 4: good"),
  t("Companion 5: strong"),
  t("Companion 6: its best"),
];

/** The most seconds for a turn; the usual ones unless others are chosen. */
const SECONDS = [2, 5, 10, 30, 60];
const USUAL_SECONDS = 10;
/** Who plays a seat at another table. */
export const ELSEWHERE = "elsewhere";
const AWAY = -1;

/**
 * Spells the seats that the companion plays, as the API takes them.
 * @param {Record<Player, string>} choices a level, and after a slash the seconds for a turn; "" for a person
 * @param {Player[]} seats
 */
export function writeCompanion(choices, seats) {
  return seats
    .filter((seat) => choices[seat] && choices[seat] !== ELSEWHERE)
    .map((seat) => `${seat}=${choices[seat]}`)
    .join(" ");
}

/**
 * Reads the seats that the companion plays, as a game's head has them.
 * @param {string} text
 * @returns {Record<Player, string>}
 */
export function readCompanion(text) {
  return Object.fromEntries(
    text
      .split(" ")
      .filter(Boolean)
      .map((seat) => seat.split("=")),
  );
}

/**
 * Makes the choice of who plays a seat: a person, or the companion at a level, and its time for a turn.
 * @param {string} label says for whom
 * @param {string} chosen as `writeCompanion` takes it
 * @param {(choice: string) => unknown} onChoose
 * @param {boolean} [canBeElsewhere] the player may sit at another table
 */
export function opponentChoice(label, chosen, onChoose, canBeElsewhere = false) {
  let [level, seconds = USUAL_SECONDS] = chosen === ELSEWHERE ? [AWAY] : chosen.split("/").map(Number);
  const offered = [...new Set([...SECONDS, seconds])].sort((a, b) => a - b);
  const times = offered.map(
    (n) => /** @type {[number, string]} */ ([n, t("up to {seconds} s", { seconds: n })]),
  );
  const written = () => (level > 0 ? `${level}/${seconds}` : "");
  const chooseTime = (/** @type {string} */ value) => {
    seconds = Number(value);
    onChoose(written());
  };
  const time = select(times, seconds, chooseTime, {
    "aria-label": t("{who} Time for a turn", { who: label }),
  });
  time.hidden = level <= 0;
  const players = [...LEVELS.entries()];
  if (canBeElsewhere) players.splice(1, 0, [AWAY, t("At another table")]);
  const choosePlayer = (/** @type {string} */ value) => {
    level = Number(value);
    time.hidden = level <= 0;
    onChoose(level === AWAY ? ELSEWHERE : written());
  };
  const who = select(players, level, choosePlayer, { class: "level", "aria-label": label });
  return html("span", { class: "opponent" }, who, time);
}
