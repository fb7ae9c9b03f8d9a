// One topic of a tutorial: a diagram that goes step by step, or all its steps side by side.

import { BoardView } from "../shared/board_view.js";
import { button, html } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { isStill } from "../shared/piece_motion.js";
import { slide, waysOf } from "./slide.js";

/** @import { Arrow, BoardContents, BoardData, TutorialFrame, TutorialTopic } from "../shared/types.d.ts" */

const SHORTEST_PAUSE_MS = 1_800;
const READING_MS_PER_LETTER = 45;

/** @type {TopicPlayer | null} the one topic that plays by itself */
let playing = null;

/**
 * Collects what lies on the board in a frame.
 * @param {TutorialFrame} frame
 * @returns {BoardContents}
 */
export function frameContents({ pieces, path, breaks }) {
  const isRefused = breaks.length > 0;
  const [start, end] = [path[0], path.at(-1)];
  /** @type {Arrow[]} */
  const arrows = path.length > 1 && start && end ? arrowsAlong(path, isRefused ? "refused" : "played") : [];
  const wrong = isRefused && end ? [end] : [];
  return {
    pieces,
    marks: [
      { kind: "last", sites: isRefused ? [] : path },
      { kind: "broken", sites: wrong },
    ],
    arrows,
  };
}

/**
 * @param {string[]} path
 * @param {"played" | "refused"} kind
 * @returns {Arrow[]}
 */
function arrowsAlong(path, kind) {
  return path.slice(1).map((place, i) => [path[i], place, kind]);
}

/** @param {TutorialFrame} frame */
function captionOf({ words, breaks }) {
  return [breaks.length > 0 && html("b", { class: "cross", "aria-hidden": "true" }, "✗"), words];
}

export class TopicPlayer {
  /**
   * @param {TutorialTopic} topic
   * @param {BoardData} board
   */
  constructor(topic, board) {
    this.topic = topic;
    this.board = board;
    this.at = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.frame = html("div", { class: "frame" });
    this.view = new BoardView(this.frame, () => {});
    this.view.load(board);
    this.caption = html("p", { class: "caption", "aria-live": "polite" });
    this.count = html("span", { class: "soft count" });
    this.back = button("←", () => this.step(-1), { "aria-label": t("One step back") });
    this.next = button("→", () => this.step(1), { "aria-label": t("One step on"), class: "button strong" });
    this.player = button(t("Play"), () => this.toggle());
    const keys = html(
      "div",
      { class: "row keys" },
      this.back,
      this.next,
      !isStill() && this.player,
      this.count,
    );
    this.strip = html("div", { class: "strip" });
    this.element = html("div", { class: "player" }, this.frame, this.caption, keys, this.strip);
    this.show(0);
  }

  get frames() {
    return this.topic.frames;
  }

  /** @param {number} by */
  step(by) {
    this.stop();
    this.show(this.at + by);
  }

  /** @param {number} at */
  show(at) {
    const before = this.frames[this.at];
    const isNext = at === this.at + 1;
    this.at = Math.min(Math.max(at, 0), this.frames.length - 1);
    const frame = this.frames[this.at];
    this.view.draw({ ...frameContents(frame), ...(frame.breaks.length ? {} : { arrows: [] }) });
    this.caption.replaceChildren(...captionOf(frame).filter((part) => part !== false));
    this.element.classList.toggle("wrong", frame.breaks.length > 0);
    this.count.textContent = `${this.at + 1}/${this.frames.length}`;
    this.back.disabled = this.at === 0;
    this.next.disabled = this.at === this.frames.length - 1;
    if (isNext) for (const way of waysOf(before.pieces, frame.pieces, frame.path)) slide(this.view, way);
  }

  toggle() {
    if (playing === this) this.stop();
    else this.play();
  }

  /** Goes through all steps. Another topic that plays is stopped: only one thing moves. */
  play() {
    playing?.stop();
    playing = this;
    this.player.textContent = t("Pause");
    if (this.at === this.frames.length - 1) this.show(0);
    this.#wait();
  }

  #wait() {
    const letters = this.frames[this.at].words.length;
    this.timer = setTimeout(() => this.#goOn(), SHORTEST_PAUSE_MS + letters * READING_MS_PER_LETTER);
  }

  #goOn() {
    const isGone = !this.element.isConnected;
    if (!isGone) this.show(this.at + 1);
    if (isGone || this.at === this.frames.length - 1) this.stop();
    else this.#wait();
  }

  stop() {
    clearTimeout(this.timer);
    if (playing === this) playing = null;
    this.player.textContent = t("Play");
  }

  /** Draws all steps side by side, for paper and for who wants nothing to move. */
  drawStrip() {
    if (this.strip.childElementCount) return;
    const figures = this.frames.map((frame) => {
      const holder = html("div", { class: "frame" });
      const view = new BoardView(holder, () => {});
      view.load(this.board);
      view.draw(frameContents(frame));
      const isWrong = frame.breaks.length > 0;
      return html(
        "figure",
        { class: isWrong ? "wrong" : "" },
        holder,
        html("figcaption", {}, captionOf(frame)),
      );
    });
    this.strip.append(...figures);
  }
}
