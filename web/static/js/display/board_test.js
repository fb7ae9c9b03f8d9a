// The test before play: three pieces are lifted and put back, and the companion says when it has seen each.

import { get, isUnreached } from "../shared/api.js";
import { attempt } from "../shared/attempt.js";
import { button, html } from "../shared/dom.js";
import { howItShouldBe } from "../shared/how_it_should_be.js";
import { t } from "../shared/language.js";
import { asSentence } from "../shared/text.js";
import { card } from "./card.js";

/** @import { BoardTestShown, GameState, Mark, SourceStatus, TriedPlace } from "../shared/types.d.ts" */
/** @import { Card } from "./card.js" */

const LOOK_EVERY_MS = 600;
const CAMERAS = new Set(["camera", "picamera", "phone", "virtual"]);

export class BoardTest {
  /** @param {() => unknown} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {BoardTestShown | null} how it goes; null while no test is on */
    this.shown = null;
    this.isOn = false;
    /** Whether it is asked for its end: how it goes is not asked then, as there may be none any more. */
    this.isEnding = false;
    /** @type {Promise<void> | null} what was asked last of how it goes */
    this.look = null;
    /** The position that was shown last. */
    this.ply = "";
    /** Whether something that was moved is to be put back before the test can be left out. */
    this.isHeld = false;
  }

  async begin() {
    if (!(await attempt("eyes/test"))) return;
    this.isHeld = false;
    this.isOn = true;
    while (this.isOn) {
      this.look = this.#look();
      await this.look;
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    }
  }

  async #look() {
    if (this.isEnding) return;
    /** @type {BoardTestShown | null} */
    const shown = await get("eyes/test").catch((error) => (isUnreached(error) ? this.shown : null));
    if (!this.isOn) return; // it was ended meanwhile
    this.isOn = shown !== null && !shown.done;
    if (JSON.stringify(shown) === JSON.stringify(this.shown)) return;
    this.shown = shown;
    this.onChange();
  }

  /**
   * Goes on to play; a test that is not done is left out.
   * @param {boolean} [anyway] whatever was moved
   */
  async end(anyway = false) {
    if (this.shown && !this.shown.done && !(await this.#askForEnd(anyway))) {
      this.isHeld = true;
      this.onChange();
      return;
    }
    this.shown = null;
    this.isOn = false;
    this.onChange();
  }

  /** @param {boolean} anyway */
  async #askForEnd(anyway) {
    this.isEnding = true;
    await this.look;
    const isEnded = await attempt("eyes/test/end", { anyway });
    this.isEnding = false;
    return isEnded;
  }

  /**
   * Leaves what was begun or shown in another position.
   * @param {GameState} state
   */
  follow({ number, moves }) {
    const ply = `${number} ${moves.length}`;
    if (ply !== this.ply && this.ply) {
      this.isOn = false;
      this.shown = null;
    }
    this.ply = ply;
  }

  /**
   * Marks the places that are still to be tried.
   * @returns {Mark[]}
   */
  get marks() {
    const left = this.shown?.places.filter(({ stage }) => stage !== "done") || [];
    return [{ kind: "guide", sites: left.map(({ place }) => place) }];
  }

  /**
   * @param {SourceStatus[]} sources
   * @returns {Card | null}
   */
  card(sources) {
    const { shown, isHeld } = this;
    if (!shown) return null;
    const isCamera = sources.some(({ name }) => CAMERAS.has(name.split(":")[0]));
    const isTold = sources.some(({ words }) => words === shown.words); // on a card of its own
    const fill = () => [
      html("h2", {}, shown.done ? t("The board is seen well") : t("Try the board first")),
      shown.words && !isTold
        ? html("p", { class: "notice" }, asSentence(shown.words))
        : html("p", {}, shown.done ? t("All was seen. The game can begin.") : advice(shown, isCamera)),
      html("ol", {}, shown.places.map(placeItem)),
      shown.picture && isCamera && howItShouldBe(),
      html("div", { class: "choices" }, this.#buttons(shown)),
    ];
    return card(["board test", shown, isCamera, isTold, isHeld], "board-test", fill);
  }

  /** @param {BoardTestShown} shown */
  #buttons({ done }) {
    if (done) return button(t("Begin to play"), () => this.end(), { class: "button strong" });
    if (this.isHeld) return button(t("Play with the board as it is"), () => this.end(true));
    return button(t("Play without this test"), () => this.end());
  }
}

/**
 * @param {BoardTestShown} shown
 * @param {boolean} isCamera
 */
function advice({ places }, isCamera) {
  const isLifted = places.every(({ taken }) => taken);
  if (!isLifted) return t("Put a piece on each of these places, and take it away once it is seen.");
  return isCamera
    ? t(
        "Lift these pieces, one after the other. Take your hand away until it is seen, then put the piece back.",
      )
    : t("Lift these pieces, one after the other. Put each back once it is seen.");
}

/** @param {TriedPlace} tried */
function placeItem({ called, taken, stage }) {
  const words = {
    waiting: t("not laid yet"),
    ready: taken ? t("lift it") : t("put a piece there"),
    changed: taken ? t("seen: put it back") : t("seen: take it away"),
    done: t("seen"),
  };
  return html("li", { "data-stage": stage }, html("strong", {}, called), html("span", {}, words[stage]));
}
