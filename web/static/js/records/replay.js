// One earlier game: step by step by touch and keys, with what was said, seen and refused.

import { get } from "../shared/api.js";
import { BoardView } from "../shared/board_view.js";
import { goneRows } from "../shared/gone_pieces.js";
import { button, html, svg } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { markMove, roundItems } from "../shared/move_list.js";
import { isSheetOpen } from "../shared/sheet.js";
import { LookingBack, lookBackButton } from "./look_back.js";
import { replayDeeds } from "./replay_deeds.js";
import { gameTitle, movesOf, signsOf, stepDetails, stepWords } from "./replay_steps.js";

/** @import { BoardData, StoredGame, StoredStep } from "../shared/types.d.ts" */
/** @typedef {"start" | "back" | "on" | "end"} Jump */

const PLAY_EVERY_MS = 1_400;
/** A finger that moves farther than this swipes. */
const SWIPE_PX = 30;

/** @type {[jump: Jump, label: string, path: string][]} */
const JUMP_BUTTONS = [
  ["start", t("To the start"), "M6 5V19M19 5L9 12L19 19Z"],
  ["back", t("One step back"), "M17 5L7 12L17 19Z"],
  ["on", t("One step on"), "M7 5L17 12L7 19Z"],
  ["end", t("To the end"), "M18 5V19M5 5L15 12L5 19Z"],
];

/** @type {Record<string, Jump | "play">} */
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  Home: "start",
  End: "end",
  " ": "play",
};

/**
 * Tells whether a key belongs to the element that has the focus, and not to the replay.
 * @param {KeyboardEvent} event
 */
function isForElement({ key, target }) {
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea")) return true;
  return key === " " && target.closest("button, a") !== null;
}

/**
 * Loads a stored game. A long one comes in parts.
 * @param {number} number
 */
export async function loadGame(number) {
  /** @type {StoredGame} */
  const game = await get(`records/${number}`);
  while (game.more) {
    /** @type {StoredGame} */
    const { steps, more } = await get(`records/${number}?from=${game.steps.length}`);
    game.steps = game.steps.concat(steps);
    game.more = more;
  }
  return game;
}

export class Replay {
  /**
   * @param {StoredGame} game
   * @param {BoardData} board
   * @param {boolean} isArbiter
   */
  constructor(game, board, isArbiter) {
    this.game = game;
    this.board = board;
    this.isArbiter = isArbiter;
    /** The step that is shown; 0 is the start. */
    this.at = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} runs while the game plays by itself */
    this.timer = undefined;
    this.frame = html("div", { class: "frame" });
    this.lookingBack = new LookingBack(this);
    this.view = new BoardView(this.frame, () => {});
    this.view.load(board);
    this.#listen();
    this.words = html("p", { class: "said", "aria-live": "polite" });
    this.gone = html("div", { class: "gone" });
    this.details = html("div", { class: "told" });
    this.moves = html("ol", { class: "moves" }, this.#moveItems());
    this.slider = html("input", {
      type: "range",
      min: 0,
      max: this.last,
      "aria-label": t("Step"),
      oninput: ({ currentTarget }) => this.go(Number(currentTarget.value)),
    });
    this.player = button(t("Play"), () => this.togglePlay(), {
      "aria-pressed": "false",
      class: "button play",
    });
  }

  /** The last step. */
  get last() {
    return this.game.steps.length - 1;
  }

  /** @returns {StoredStep} */
  get step() {
    return this.game.steps[this.at];
  }

  /**
   * @param {HTMLElement} element
   * @param {number} [at] the step to begin at
   */
  show(element, at) {
    const close = button(t("Games"), () => (location.hash = ""), {
      class: "button quiet",
    });
    const jumps = JUMP_BUTTONS.map(([jump, label, path]) => {
      const sign = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
      return button(sign, () => this.jump(jump), { "aria-label": label });
    });
    const beside = html(
      "div",
      { class: "beside" },
      html("header", {}, html("h1", {}, gameTitle(this.game)), close),
      html("div", { class: "keys" }, jumps, this.player),
      this.slider,
      this.words,
      this.gone,
      this.details,
      this.moves,
      this.lookingBack.element,
      html("div", { class: "deeds" }, lookBackButton(this), replayDeeds(this)),
    );
    element.replaceChildren(this.frame, beside);
    this.go(at ?? this.last);
    new ResizeObserver(() => markMove(this.moves, this.at)).observe(this.moves);
  }

  /** @param {number} step of those there are, the nearest is shown */
  go(step) {
    this.at = Math.min(Math.max(step, 0), this.last);
    this.view.draw({
      pieces: this.step.pieces,
      marks: [
        { kind: "last", sites: this.step.sites || [] },
        { kind: "check", sites: this.step.checked },
        { kind: "guide", sites: this.lookingBack.places },
      ],
    });
    this.words.textContent = stepWords(this.game, this.at);
    this.gone.replaceChildren(...goneRows(this.step.gone, this.board));
    this.details.replaceChildren(...stepDetails(this.game, this.at));
    this.slider.value = String(this.at);
    markMove(this.moves, this.at);
    history.replaceState(null, "", `#${this.game.number}/${this.at}`);
  }

  /** @param {Jump} jump */
  jump(jump) {
    this.stop();
    this.go({ start: 0, back: this.at - 1, on: this.at + 1, end: this.last }[jump]);
  }

  /** Begins to play by itself, or stops that. */
  togglePlay() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.at === this.last) this.go(0);
    this.timer = setInterval(() => this.#playOn(), PLAY_EVERY_MS);
    this.#showPlaying(true);
  }

  #playOn() {
    if (this.at === this.last) this.stop();
    else this.go(this.at + 1);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.#showPlaying(false);
  }

  /** @param {boolean} isPlaying */
  #showPlaying(isPlaying) {
    this.player.textContent = isPlaying ? t("Pause") : t("Play");
    this.player.setAttribute("aria-pressed", String(isPlaying));
  }

  /** @param {KeyboardEvent} event */
  pressKey(event) {
    const deed = KEYS[event.key];
    const isShortcut = event.altKey || event.ctrlKey || event.metaKey;
    if (!deed || isShortcut || isSheetOpen() || isForElement(event)) return;
    event.preventDefault();
    if (deed === "play") this.togglePlay();
    else this.jump(deed);
  }

  /** Steps by swipes and taps on the board: a tap on the left half goes back, one on the right half on. */
  #listen() {
    /** @type {number | null} */
    let from = null;
    this.frame.addEventListener("pointerdown", (event) => (from = event.clientX));
    this.frame.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const moved = event.clientX - from;
      from = null;
      const box = this.frame.getBoundingClientRect();
      const isLeft = event.clientX < box.left + box.width / 2;
      const isBack = Math.abs(moved) > SWIPE_PX ? moved > 0 : isLeft;
      this.jump(isBack ? "back" : "on");
    });
  }

  #moveItems() {
    const { game, board } = this;
    const onChoose = (/** @type {number} */ step) => {
      this.stop();
      this.go(step);
    };
    const beside = (/** @type {number} */ step) => signsOf(game.steps[step]);
    return roundItems(movesOf(game), {
      players: game.players,
      board,
      onChoose,
      beside,
    });
  }

  /** Reads the game anew: something was said of it. */
  async refresh() {
    this.game = await loadGame(this.game.number);
    this.moves.replaceChildren(...this.#moveItems());
    this.go(this.at);
  }
}
