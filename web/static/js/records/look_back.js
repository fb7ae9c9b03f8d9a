// Looking back at a game: the chance of winning turn by turn as a curve, and the turns that changed most.

import { get, post } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { button, html, svg } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { colourOf } from "../shared/players.js";

/** @import { Child, JudgedTurn, LookBack, Player, TurningPoint } from "../shared/types.d.ts" */
/** @import { Replay } from "./replay.js" */

const ASK_EVERY_MS = 1_000;
const [WIDTH, HEIGHT] = [300, 80];

/** @param {number} chance */
const percent = (chance) => `${Math.round(100 * chance)} %`;

/**
 * Returns the curves of a game: for two players the chance of the first, for more a curve each. A point is a step
 * and a chance.
 * @param {Pick<LookBack, "players" | "turns">} found
 * @returns {[player: Player, points: [step: number, chance: number][]][]}
 */
export function curvesOf({ players, turns }) {
  const isOfTwo = players.length === 2;
  const shown = isOfTwo ? players.slice(0, 1) : players;
  return shown.map((player) => {
    const own = turns.filter((turn) => isOfTwo || turn.player === player);
    const chanceOf = (/** @type {JudgedTurn} */ turn) => (turn.player === player ? turn.left : 1 - turn.left);
    return [player, own.map((turn) => [turn.step + 1, chanceOf(turn)])];
  });
}

/**
 * Draws the curves; the middle line is an even game.
 * @param {LookBack} found
 * @param {number} steps of the game
 */
function chart(found, steps) {
  const x = (/** @type {number} */ step) => (WIDTH * step) / Math.max(steps, 1);
  const y = (/** @type {number} */ chance) => HEIGHT * (1 - chance);
  const line = (/** @type {[number, number][]} */ points) =>
    points
      .map(([step, chance], i) => `${i ? "L" : "M"}${x(step).toFixed(1)} ${y(chance).toFixed(1)}`)
      .join("");
  const curves = curvesOf(found);
  const words = t("Chance of winning: {players}", {
    players: curves.map(([player]) => colourOf(player)).join(", "),
  });
  return html(
    "figure",
    { class: "chances" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words },
      svg("path", { d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
      found.points.map(({ step }) => svg("path", { class: "point", d: `M${x(step)} 0V${HEIGHT}` })),
      curves.map(([, points], i) =>
        svg("path", { class: "curve", d: line(points), "data-curve": String(i) }),
      ),
    ),
    html("figcaption", {}, words),
  );
}

export class LookingBack {
  /** @param {Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.element = html("div", { class: "look-back" });
    /** @type {LookBack | null} */
    this.found = null;
    /** @type {TurningPoint | null} the turn of which the better one is shown */
    this.shown = null;
  }

  /** The places of the better turn, where that is shown. */
  get places() {
    return this.shown && this.replay.at === this.shown.step ? this.shown.sites : [];
  }

  async begin() {
    const { number } = this.replay.game;
    try {
      await post(`records/${number}/look-back`);
      do {
        this.found = await get(`records/${number}/look-back`);
        this.#draw();
        await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
      } while (this.element.isConnected && this.found && this.found.turns.length < this.found.total);
    } catch (error) {
      sayWhy(error);
    }
  }

  #draw() {
    const { found, replay } = this;
    if (!found) return;
    const { turns, total, points } = found;
    const isDone = turns.length >= total;
    const progress = t("Looking back: {n} of {total} turns", {
      n: turns.length,
      total,
    });
    this.element.replaceChildren(
      chart(found, replay.last),
      ...(isDone ? [] : [html("p", { class: "soft", role: "status" }, progress)]),
      html(
        "ul",
        { class: "points" },
        points.map((point) => this.#point(point)),
      ),
      ...(isDone && !points.length ? [html("p", {}, t("No turn gave much away."))] : []),
    );
  }

  /** @param {TurningPoint} point */
  #point(point) {
    const { step, player, played, better, chance, left } = point;
    const words = t("{player}: {played}. Better: {better} ({before} → {after})", {
      player: colourOf(player),
      played,
      better,
      before: percent(chance),
      after: percent(left),
    });
    const show = () => {
      this.shown = point;
      this.replay.stop();
      this.replay.go(step);
    };
    return html("li", {}, button(words, show, { class: "button wide" }));
  }
}

/**
 * Offers to look back at a game between players that is over.
 * @param {Replay} replay
 * @returns {Child}
 */
export function lookBackButton({ game, isArbiter, lookingBack }) {
  if (!game.outcome || game.players.length < 2 || !isArbiter) return null;
  return button(t("Look back"), () => lookingBack.begin());
}
