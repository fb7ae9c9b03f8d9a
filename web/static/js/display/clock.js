// The clocks. They run down here between two states; the table alone knows when time is up.

import { attempt, meantNow } from "../shared/attempt.js";
import { formatSeconds, isShort, secondsLeft, shownTime } from "../shared/clock_time.js";
import { html, showIfChanged } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { nameOf, token } from "../shared/players.js";

/** @import { BoardData, Clock, GameState, Player } from "../shared/types.d.ts" */

const TICK_MS = 100;

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
      for (const clock of this.element.querySelectorAll(`.clock:has([data-clock="${player}"])`)) {
        clock.classList.toggle("short", isShort(left));
      }
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
function endTurn() {
  return attempt("turn-ends", meantNow());
}
