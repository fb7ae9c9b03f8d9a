// The page that tests and calibrates the sensor grid: a live map of each sensor's strength, and the steps.

import { get, post, reasonOf } from "../shared/api.js";
import { button, byId, html, showIfChanged } from "../shared/dom.js";
import { capital } from "../shared/text.js";
import { SensorMap } from "./sensor_map.js";

/** @import { Child, GridStatus, Place, Point, Spot } from "../shared/types.d.ts" */
/** @typedef {GridStatus & { places: Record<Place, Point>, virtual: boolean }} WiredGrid */

const LOOK_EVERY_MS = 600;
const DONE = "✓";
const FIRST_WORDS = "Test the grid, or calibrate it from the empty board on.";
const MEASURING = "Measuring: keep your hands off the board…";

export class GridPage {
  /** @param {WiredGrid} grid */
  constructor(grid) {
    this.sites = Object.keys(grid.places);
    this.isVirtual = grid.virtual;
    this.words = grid.words || FIRST_WORDS;
    /** @type {GridStatus} */
    this.status = grid;
    /** Whether a step is being done at the server. */
    this.isBusy = false;
    /** Whether a piece is walked over all sites. */
    this.isWalking = false;
    const onTap = grid.virtual ? this.#toggleMagnet.bind(this) : null;
    this.map = new SensorMap(byId("map"), grid.places, onTap);
  }

  start() {
    byId("back").addEventListener("click", (event) => this.#leave(event));
    this.#render();
    this.#follow();
  }

  async #follow() {
    for (;;) {
      if (document.visibilityState === "visible" && !this.#isOccupied) await this.#look();
      this.#render();
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    }
  }

  async #look() {
    try {
      this.#take(await get("setup/grid"));
    } catch (error) {
      this.words = reasonOf(error);
    }
  }

  /** @param {GridStatus} status */
  #take(status) {
    this.status = status;
    if (status.words) this.words = status.words;
  }

  get #isOccupied() {
    return this.isBusy || this.isWalking;
  }

  /**
   * Does a step at the server, one at a time; returns whether it went well.
   * @param {string} step
   * @param {object} [body]
   * @param {string} [waiting] the words meanwhile
   */
  async #do(step, body = {}, waiting = MEASURING) {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.words = waiting;
    this.#render();
    const isDone = await this.#ask(step, body);
    this.isBusy = false;
    this.#render();
    return isDone;
  }

  /**
   * @param {string} step
   * @param {object} body
   */
  async #ask(step, body) {
    try {
      /** @type {GridStatus | { words: string, spots?: undefined }} */
      const answer = await post(`setup/grid/${step}`, body);
      if (answer.spots) this.#take(answer);
      else this.words = answer.words;
      return true;
    } catch (error) {
      this.words = reasonOf(error);
      return false;
    }
  }

  /**
   * Leaves the page. Play goes on at once, and not only when the grid was left alone for a while.
   * @param {MouseEvent} event
   */
  async #leave(event) {
    event.preventDefault();
    this.isWalking = false;
    await post("setup/grid/end").catch(() => {});
    location.href = "/";
  }

  /** Takes one moment of the walk after the other, until every site was visited or the player has enough. */
  async #walk() {
    this.isWalking = !this.isWalking;
    while (this.isWalking) {
      const isDone = await this.#do("walk", {}, this.words);
      if (!isDone || this.#isWalked) this.isWalking = false;
    }
    this.#render();
  }

  get #isWalked() {
    return this.status.steps.walk === this.sites.length;
  }

  /**
   * @param {Place} place
   * @param {Spot} spot
   */
  #toggleMagnet(place, { felt }) {
    return this.#setMagnets(felt ? [] : [place], felt ? [place] : []);
  }

  /**
   * Puts magnets on sites of a virtual grid, and takes them off others.
   * @param {Place[]} on
   * @param {Place[]} off
   */
  async #setMagnets(on, off) {
    try {
      await post("setup/grid/magnets", { on, off });
    } catch (error) {
      this.words = reasonOf(error);
    }
  }

  #render() {
    const { spots, steps } = this.status;
    this.map.show(spots);
    const key = [this.words, this.isBusy, this.isWalking, steps, spots];
    showIfChanged(byId("side"), key, () => this.#sideContent());
  }

  #sideContent() {
    const { board, sensor } = this.status;
    const about =
      `${capital(board)}, ${sensor}. The fuller a disc, the stronger the sensor feels its magnet: ` +
      "100 % is usual. A blue ring: something is felt there now.";
    return [
      html("p", { class: "said", role: "status" }, this.words),
      this.#faults(),
      html("h2", {}, "Test, in a few seconds"),
      this.#tests(),
      html("h2", {}, "Calibrate"),
      this.#calibration(),
      this.isVirtual && this.#magnets(),
      html("p", { class: "soft" }, about),
    ];
  }

  #faults() {
    const faulty = Object.entries(this.status.spots).filter(([, { verdict }]) => verdict);
    if (!faulty.length) return null;
    const items = faulty.map(([site, { verdict, advice }]) =>
      html("li", {}, html("b", {}, `${site}: ${verdict}`), ` – ${advice}`),
    );
    return html("ul", { class: "bad" }, items);
  }

  get #fullWords() {
    return `${this.sites.length} magnets: every site has one`;
  }

  /** @returns {Child[]} */
  #tests() {
    const test = (/** @type {string} */ words, /** @type {"" | "empty" | "full"} */ stands) =>
      button(words, () => this.#do("test", { stands }), {
        class: "button",
        disabled: this.#isOccupied,
      });
    const known = [test("It is empty", "empty"), test(this.#fullWords, "full")];
    return [test("The board as it is", ""), html("div", { class: "pair" }, known)];
  }

  /** @returns {Child[]} */
  #calibration() {
    const { steps, saved } = this.status;
    const isWaiting = this.#isOccupied;
    const hasEmpty = steps.empty > 0;
    const canKeep = steps.full > 0 || steps.walk > 0;
    const walk = {
      disabled: !hasEmpty || (this.isBusy && !this.isWalking),
      "aria-pressed": String(this.isWalking),
    };
    const walkWords = this.isWalking ? "Enough: end the walk" : "Move one piece over all sites";
    const walked = this.#isWalked ? DONE : `${steps.walk} of ${this.sites.length}`;
    const keep = {
      class: "button step strong",
      disabled: isWaiting || !canKeep,
    };
    const stop = { class: "button quiet", disabled: isWaiting };
    const tick = (/** @type {boolean} */ isDone) => (isDone ? DONE : "");
    return [
      this.#step("1. The board is empty", tick(hasEmpty), () => this.#do("empty")),
      this.#step(`2. ${walkWords}`, walked, () => this.#walk(), walk),
      this.#step(`Or: ${this.#fullWords}`, tick(steps.full > 0), () => this.#do("full"), {
        disabled: isWaiting || !hasEmpty,
      }),
      this.#step("3. Keep the calibration", tick(saved), () => this.#do("calibration", {}, "Keeping…"), keep),
      hasEmpty && button("Stop without keeping anything", () => this.#do("end", {}, "…"), stop),
    ];
  }

  /**
   * @param {string} words
   * @param {string} progress
   * @param {() => unknown} act
   * @param {import("../shared/types.d.ts").Attributes<HTMLButtonElement>} [attributes]
   */
  #step(words, progress, act, attributes = {}) {
    const label = [html("span", {}, words), html("span", {}, progress)];
    return button(label, act, {
      class: "button step",
      disabled: this.#isOccupied,
      ...attributes,
    });
  }

  /** @returns {Child[]} */
  #magnets() {
    const quiet = { class: "button quiet" };
    const buttons = [
      button("Magnets on all sites", () => this.#setMagnets(this.sites, []), quiet),
      button("Take all magnets off", () => this.#setMagnets([], this.sites), quiet),
    ];
    return [
      html("h2", {}, "This grid is virtual: tap a site for a magnet"),
      html("div", { class: "pair" }, buttons),
    ];
  }
}
