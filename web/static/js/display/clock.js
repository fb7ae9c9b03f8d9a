// The clocks. They run down here between two states; the table alone knows when time is up.

import { post, reasonOf } from "../shared/api.js";
import { html, showIfChanged } from "../shared/dom.js";
import { nameOf, token } from "../shared/players.js";
import { toast } from "../shared/sheet.js";

/** @import { BoardData, Clock, GameState, Player } from "../shared/types.d.ts" */

const TICK_MS = 100;
/** With less than this many seconds left, tenths are shown. */
const TENTHS_BELOW_S = 10;

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
    const { left = {}, runs, paused } = state.clock || {};
    const players = Object.keys(left);
    const isPaused = Boolean(paused);
    showIfChanged(this.element, [players, runs, paused, board?.name, state.head], () =>
      players.map((player) => clockItem(state, board, player, { runs: player === runs, isPaused })),
    );
    this.#tick();
  }

  #tick() {
    if (!this.clock) return;
    const now = Date.now() / 1000 + this.ahead;
    for (const [player, element] of this.#digits()) {
      element.textContent = formatSeconds(secondsLeft(this.clock, player, now));
    }
  }

  /** @returns {[Player, Element][]} */
  #digits() {
    const elements = [...this.element.querySelectorAll("[data-clock]")];
    return elements.map((element) => [element.getAttribute("data-clock") || "", element]);
  }
}

/**
 * Makes a player's clock; the one that runs can be pressed.
 * @param {GameState} state
 * @param {BoardData | null} board
 * @param {Player} player
 * @param {{ runs: boolean, isPaused: boolean }} clock
 */
function clockItem(state, board, player, { runs, isPaused }) {
  const attributes = {
    class: `clock ${runs ? "runs" : ""} ${isPaused ? "paused" : ""}`,
  };
  const content = [
    token(board, player),
    html("span", { class: "label" }, nameOf(state, player)),
    html("b", { "data-clock": player }),
  ];
  if (!runs) return html("div", attributes, content);
  const press = {
    type: "button",
    title: "Press: the turn is over",
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
