// The page that commissions and tests the sensor grid, with a live map of each sensor's strength.

import { get, isUnreached, post, reasonOf } from "../shared/api.js";
import { button, byId, html, showIfChanged } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { capital, formatShare } from "../shared/text.js";
import { isSoundOn, setSound, tellNews } from "../display/sound.js";
import { deedOfKey, panel, usualMeaning, wireWords } from "./commissioning.js";
import { SensorMap } from "./sensor_map.js";

/** @import { Child, GridCommissioning, GridStatus, Place, Point } from "../shared/types.d.ts" */
/** @import { TapMeaning } from "./commissioning.js" */
/**
 * @typedef {GridStatus & { places: Record<Place, Point>, magnets: Place[] | null, commissioning: boolean }} WiredGrid
 */

const LOOK_EVERY_MS = 600;
const FOLLOW_EVERY_MS = 300;
const WORK = "setup/grid/commissioning";
/** @type {Record<string, string>} */
const SENSORS = {
  reed: t("reed switches"),
  digital: t("digital Hall sensors"),
  analogue: t("analogue Hall sensors"),
};
const FIRST_WORDS = t("Commission it site by site, or test it in a few seconds.");
const MEASURING = t("Measuring: keep your hands off the board…");

export class GridPage {
  /** @param {WiredGrid} grid */
  constructor(grid) {
    this.sites = Object.keys(grid.places);
    this.isVirtual = grid.magnets !== null;
    /** The sites of a virtual grid on which magnets are. */
    this.magnets = grid.magnets || [];
    /** Whether a commissioning was begun, that can be gone on with. */
    this.isBegun = grid.commissioning;
    /** @type {GridCommissioning | null} the commissioning that is shown */
    this.work = null;
    /** @type {TapMeaning} what was chosen for the next tap */
    this.chosenMeaning = "";
    this.told = -1;
    /** Why the last step of the commissioning was refused. */
    this.refusal = "";
    /** Why the last look at the grid failed; '' when it did not. */
    this.trouble = "";
    this.words = grid.words || FIRST_WORDS;
    /** @type {GridStatus} */
    this.status = grid;
    /** Whether a step is being done at the server. */
    this.isBusy = false;
    /** The look at the grid that is on its way, or was the last one. */
    this.looking = Promise.resolve();
    this.isLeaving = false;
    this.map = new SensorMap(byId("map"), grid.places, null);
  }

  start() {
    byId("back").addEventListener("click", (event) => this.#leave(event));
    addEventListener("keydown", (event) => this.#pressKey(event));
    this.#render();
    this.#follow();
  }

  async #follow() {
    while (!this.isLeaving) {
      if (document.visibilityState === "visible" && !this.isBusy) {
        this.looking = this.#look();
        await this.looking;
      }
      this.#render();
      const pause = this.work ? FOLLOW_EVERY_MS : LOOK_EVERY_MS;
      await new Promise((done) => setTimeout(done, pause));
    }
  }

  async #look() {
    try {
      if (this.work) {
        const work = /** @type {GridCommissioning} */ (await get(WORK));
        if (this.work) this.#takeWork(work);
      } else {
        this.#takeGrid(await get("setup/grid"));
      }
      this.trouble = "";
    } catch (error) {
      this.trouble = reasonOf(error);
      if (!isUnreached(error)) this.work = null; // the companion has started anew, and knows of none
    }
  }

  /**
   * Takes how the grid is now. One of another board, which was plugged in meanwhile, has another map.
   * @param {WiredGrid} grid
   */
  #takeGrid(grid) {
    if (grid.board !== this.status.board) location.reload();
    [this.magnets, this.isBegun] = [grid.magnets || [], grid.commissioning];
    this.#take(grid);
  }

  /** @param {GridStatus} status */
  #take(status) {
    this.status = status;
    if (status.words) this.words = status.words;
  }

  /** @param {GridCommissioning} work */
  #takeWork(work) {
    const isNews = this.told !== work.told && this.told >= 0;
    if (this.work?.stage !== work.stage) byId("side").scrollTop = 0;
    if (this.work?.stage !== work.stage || this.work?.asked !== work.asked) this.chosenMeaning = "";
    [this.work, this.told, this.magnets] = [work, work.told, work.magnets || []];
    if (isNews) tellNews(`${work.said} ${work.sheet?.verdict || work.words}`, work.good);
  }

  /**
   * Does a step of the commissioning at the server.
   * @param {string} step '' begins it anew
   * @param {object} [body]
   */
  async #commission(step, body = {}) {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      this.#takeWork(await post(step ? `${WORK}/${step}` : WORK, body));
      this.isBegun = true;
      this.refusal = "";
    } catch (error) {
      this.refusal = this.words = reasonOf(error);
    }
    this.isBusy = false;
    this.#render();
  }

  /** Goes on with a commissioning that was begun before. */
  async #resume() {
    this.told = -1;
    try {
      this.#takeWork(await get(WORK));
    } catch (error) {
      this.words = reasonOf(error);
    }
    this.#render();
  }

  /** Goes back to the test; the commissioning can be gone on with. */
  async #endWork() {
    this.work = null;
    byId("side").scrollTop = 0;
    await this.#do("end", {}, "…");
  }

  /** @param {KeyboardEvent} event */
  #pressKey(event) {
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.repeat;
    const deed = this.work && isPlain && deedOfKey(event.key, this.work);
    if (deed) this.#commission(deed);
  }

  /** @param {Place} place */
  #tap(place) {
    switch (this.#meaning) {
      case "ask":
      case "lamp":
      case "dark":
        this.#commission(this.#meaning, { site: place });
        this.chosenMeaning = "";
        break;
      case "magnet":
        this.#toggleMagnet(place);
    }
  }

  /** @returns {TapMeaning} */
  get #meaning() {
    if (!this.work) return this.isVirtual ? "magnet" : "";
    return this.chosenMeaning || usualMeaning(this.work);
  }

  /**
   * Does a step at the server, one at a time.
   * @param {string} step
   * @param {object} [body]
   * @param {string} [waiting] the words meanwhile
   */
  async #do(step, body = {}, waiting = MEASURING) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.words = waiting;
    this.#render();
    try {
      /** @type {GridStatus | { words: string, spots?: undefined }} */
      const answer = await post(`setup/grid/${step}`, body);
      if (answer.spots) this.#take(answer);
      else this.words = answer.words;
    } catch (error) {
      this.words = reasonOf(error);
    }
    this.isBusy = false;
    this.#render();
  }

  /**
   * Leaves the page. Play goes on at once, and not only when the grid was left alone for a while: a look that came
   * to the server after the end would hold play again.
   * @param {MouseEvent} event
   */
  async #leave(event) {
    event.preventDefault();
    this.isLeaving = true;
    await this.looking;
    await post("setup/grid/end").catch(() => {});
    location.href = "/";
  }

  /**
   * Puts a magnet on a site of a virtual grid, or takes it off; while one is commissioned, there is only one.
   * @param {Place} place
   */
  #toggleMagnet(place) {
    const isThere = this.magnets.includes(place);
    const others = this.work ? this.magnets.filter((site) => site !== place) : [];
    return this.#setMagnets(isThere ? [] : [place], isThere ? [place] : others);
  }

  /**
   * Puts magnets on sites of a virtual grid, and takes them off others.
   * @param {Place[]} on
   * @param {Place[]} off
   */
  async #setMagnets(on, off) {
    try {
      /** @type {{ magnets: Place[] }} */
      const answer = await post("setup/grid/magnets", { on, off });
      this.magnets = answer.magnets;
    } catch (error) {
      this.words = reasonOf(error);
    }
  }

  #render() {
    const { spots, wires } = this.status;
    this.map.onTap = this.#meaning ? (place) => this.#tap(place) : null;
    if (this.work) {
      this.#renderWork(this.work);
      return;
    }
    this.map.show(spots);
    const key = [this.trouble || this.words, this.isBusy, spots, wires, this.isBegun];
    showIfChanged(byId("side"), key, () => this.#sideContent());
  }

  /** @param {GridCommissioning} work */
  #renderWork(work) {
    this.map.show(work.spots, work.asked);
    const key = { ...work, spots: null, magnets: null };
    const deeds = {
      act: (/** @type {string} */ deed) => this.#commission(deed),
      mean: (/** @type {TapMeaning} */ meaning) => {
        this.chosenMeaning = meaning;
        this.#render();
      },
      keep: (/** @type {boolean} */ map) => this.#commission("keeping", { map }),
      ask: (/** @type {Place} */ site) => this.#commission("ask", { site }),
      begin: () => this.#commission(""),
      end: () => this.#endWork(),
    };
    const side = byId("side");
    const refusal = this.trouble || this.refusal;
    const focused = side.querySelector(":focus")?.textContent;
    const isChanged = showIfChanged(side, [key, this.#meaning, isSoundOn(), refusal], () => [
      panel(work, this.#meaning, this.sites.length, deeds, refusal),
      this.#soundButton(),
    ]);
    if (isChanged && focused) refocus(side, focused);
  }

  #soundButton() {
    const words = isSoundOn() ? t("Sound is on") : t("Say it aloud");
    const toggle = () => {
      setSound(isSoundOn() ? "off" : "speech");
      this.#render();
    };
    return button(words, toggle, { class: "button quiet", "aria-pressed": String(isSoundOn()) });
  }

  #sideContent() {
    const { board, sensor } = this.status;
    const about = t(
      "{board}, {sensor}. The fuller a disc, the stronger the sensor feels its magnet: {share} is usual. " +
        "A blue ring: something is felt there now.",
      { board: capital(board), sensor: SENSORS[sensor] || sensor, share: formatShare(1) },
    );
    return [
      html("p", { class: "said", role: "status" }, this.trouble || this.words),
      this.#faults(),
      html("h2", {}, t("Commission: site by site, with a sheet at the end")),
      this.#commissioning(),
      html("h2", {}, t("Test, in a few seconds")),
      html("div", { class: "pair" }, [
        this.#test(t("The board as it is"), false),
        this.#test(t("It is empty"), true),
      ]),
      this.isVirtual && this.#magnets(),
      html("p", { class: "soft" }, about),
    ];
  }

  /** @returns {Child[]} */
  #commissioning() {
    const waiting = { disabled: this.isBusy };
    const begin = button(
      this.isBegun ? t("Begin anew") : t("Commission the grid"),
      () => this.#commission(""),
      {
        ...waiting,
        class: this.isBegun ? "button" : "button strong",
      },
    );
    const resume = button(t("Go on where it was"), () => this.#resume(), {
      ...waiting,
      class: "button strong",
    });
    return [this.isBegun ? html("div", { class: "pair" }, [resume, begin]) : begin, this.#map()];
  }

  /** Says which map of the wires is in use, and offers to take it away. */
  #map() {
    const words = wireWords(this.status.wires);
    const forget = () => this.#do("map-removal", {}, "…");
    return (
      words && [
        html("p", {}, t("Wires that are exchanged for you: {wires}.", { wires: words })),
        button(t("Read the wires as in the table"), forget, {
          class: "button quiet",
          disabled: this.isBusy,
        }),
      ]
    );
  }

  #faults() {
    const faulty = Object.entries(this.status.spots).filter(([, { verdict }]) => verdict);
    if (!faulty.length) return null;
    const items = faulty.map(([site, { verdict, advice }]) =>
      html("li", {}, html("b", {}, `${site}: ${verdict}`), ` – ${advice}`),
    );
    return html("ul", { class: "bad" }, items);
  }

  /**
   * @param {string} words
   * @param {boolean} empty
   */
  #test(words, empty) {
    return button(words, () => this.#do("test", { empty }), { class: "button", disabled: this.isBusy });
  }

  /** @returns {Child[]} */
  #magnets() {
    return [
      html("h2", {}, t("This grid is virtual: tap a site for a magnet")),
      button(t("Take all magnets off"), () => this.#setMagnets([], this.sites), { class: "button quiet" }),
    ];
  }
}

/**
 * Gives the focus to the button with these words, which took the place of one that had it.
 * @param {Element} side
 * @param {string} words
 */
function refocus(side, words) {
  [...side.querySelectorAll("button")].find(({ textContent }) => textContent === words)?.focus();
}
