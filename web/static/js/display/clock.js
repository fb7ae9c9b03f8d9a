// The clocks. They run down here between two states; the table alone knows when time is up.

import { post, reasonOf } from "../shared/api.js";
import { html, showIfChanged } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { nameOf, token } from "../shared/players.js";
import { toast } from "../shared/sheet.js";

/** @import { BoardData, Clock, GameState, Player } from "../shared/types.d.ts" */

const TICK_MS = 100;
/** With less than this many seconds left, tenths are shown. */
const TENTHS_BELOW_S = 10;
/** Times may differ by this and be the same. */
const EXACT_S = 1e-6;

/**
 * Returns the seconds that a player has left.
 * @param {Clock} clock
 * @param {Player} player
 * @param {number} now the table's time, in seconds since 1970
 */
export function secondsLeft(clock, player, now) {
  const isRunning = player === clock.runs && !clock.paused;
  const used = isRunning ? Math.max(0, now - clock.since - clock.delay) : 0;
  return Math.max(0, clock.left[player] - used);
}

/**
 * Writes seconds as minutes and seconds; near the end with tenths. Nothing is rounded up.
 * @param {number} seconds
 */
export function formatSeconds(seconds) {
  if (seconds < TENTHS_BELOW_S) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * Returns what a clock shows of the seconds that a player has left: in byo-yomi the main time with all periods to
 * come, or what is left of the period that runs, with the number of them.
 * @param {Clock} clock
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

export class ClockPanel {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Clock | null} */
    this.clock = null;
    /** The seconds by which the table's time of day is ahead of this device's. */
    this.ahead = 0;
    setInterval(() => document.visibilityState === "visible" && this.#tick(), TICK_MS);
  }

  /** @param {number} now the table's time, in seconds since 1970 */
  setTableTime(now) {
    this.ahead = now - Date.now() / 1000;
  }

  /**
   * @param {GameState} state
   * @param {BoardData | null} board
   */
  render(state, board) {
    this.clock = state.clock;
    const { left = {}, runs, paused, flags } = state.clock || {};
    const players = Object.keys(left);
    showIfChanged(this.element, [players, runs, paused, flags, board?.name, state.head], () =>
      players.map((player) => clockItem(state, board, player)),
    );
    this.#tick();
  }

  #tick() {
    if (!this.clock) return;
    const now = Date.now() / 1000 + this.ahead;
    for (const player of Object.keys(this.clock.left)) {
      const left = secondsLeft(this.clock, player, now);
      const { seconds, periods } = shownTime(this.clock, player, left);
      const length = this.clock.byo_yomi[player]?.seconds;
      fill("data-clock", player, formatSeconds(seconds));
      fill("data-periods", player, length ? `${periods} × ${length} s` : "");
    }
  }
}

/**
 * Writes into every element of the page that shows this of a player: the arbiter's dialog shows the times, too.
 * @param {string} name
 * @param {Player} player
 * @param {string} words
 */
function fill(name, player, words) {
  for (const element of document.querySelectorAll(`[${name}="${player}"]`)) element.textContent = words;
}

/**
 * Makes a player's clock; the one that runs can be pressed.
 * @param {GameState} state
 * @param {BoardData | null} board
 * @param {Player} player
 */
function clockItem(state, board, player) {
  const { runs, paused, flags, byo_yomi } = /** @type {Clock} */ (state.clock);
  const [isRunning, hasFallen] = [player === runs, flags.includes(player)];
  const attributes = {
    class: `clock ${isRunning ? "runs" : ""} ${paused ? "paused" : ""} ${hasFallen ? "fallen" : ""}`,
  };
  const content = [
    hasFallen ? icon("flag") : token(board, player),
    html("span", { class: "label" }, nameOf(state, player)),
    byo_yomi[player] && html("span", { class: "periods", "data-periods": player }),
    html("b", { "data-clock": player }),
  ];
  if (!isRunning || hasFallen) return html("div", attributes, content);
  const press = {
    type: "button",
    title: t("Press: the turn is over"),
    onclick: endTurn,
  };
  return html("button", { ...attributes, ...press }, content);
}

/** Says that all of the turn stands on the board: the companion takes it from there. */
async function endTurn() {
  try {
    await post("turn-ends");
  } catch (error) {
    toast(reasonOf(error));
  }
}
