// The virtual table: pictures of its camera one after another, and fingers on them.

import { post } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { html } from "../shared/dom.js";
import { FingerQueue } from "./finger_queue.js";
import { t } from "../shared/language.js";
import { LivePicture } from "./live_picture.js";
import { describePlace } from "../shared/text.js";

/** @import { BoardContents, BoardData, Point } from "../shared/types.d.ts" */
/** @import { FingerMove } from "./finger_queue.js" */

const PICTURE_EVERY_MS = 66;
const SEND_EVERY_MS = 45;
const DOUBLE_TAP_MS = 350;
/** Two taps are one double tap within this share of the picture's width. */
const DOUBLE_TAP_REACH = 0.03;
/** How pieces are moved, by what a double tap turns. */
const HELP = {
  disc: t("Drag the pieces as on wood. A double tap turns one over."),
  port: t("Drag the pieces as on wood. A double tap turns a Port a quarter."),
  "": t("Drag the pieces as on wood."),
};
const LABEL = t("The table as the camera sees it. Pieces can be dragged; a double tap turns one over.");
const KEYS = t(
  "By the keys: the arrows move a finger, Enter lifts and puts down, T turns over, Escape puts back.",
);
/** The ways right and down that the arrow keys lead. */
const WAYS = /** @type {Record<string, Point>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});
/** A place that is farther away than so many strides is not come to by one key. */
const FARTHEST = 1.7;
/** Where no place is that way, a key leads by this share of a stride: things lie close beside a board. */
const BESIDE = 0.5;

export class VirtualTable {
  /**
   * @param {HTMLElement} frame
   * @param {() => boolean} mayAct
   */
  constructor(frame, mayAct) {
    this.mayAct = mayAct;
    this.picture = new LivePicture(LABEL, () => ({ every: PICTURE_EVERY_MS, isSmall: false }));
    this.canvas = this.picture.canvas;
    this.picture.element.append(html("p", { class: "coming soft" }, t("The picture is on its way.")));
    this.help = html("p", { class: "soft", "aria-live": "polite" });
    frame.replaceChildren(this.picture.element, this.help);
    this.queue = new FingerQueue(
      (moves) => this.#send(moves),
      SEND_EVERY_MS,
      (error) => this.#giveUp(error),
    );
    this.lastTap = { at: 0, x: 0, y: 0 };
    /** @type {number | null} the pointer that is down */
    this.finger = null;
    /** @type {Point | null} where the keys took hold of a piece that they carry */
    this.takenAt = null;
    this.isTold = false;
    this.canvas.role = "application"; // it takes the arrow keys, also of those who have the page read out
    this.canvas.tabIndex = 0;
    this.canvas.ariaLabel = `${LABEL} ${KEYS}`;
    this.canvas.addEventListener("keydown", (event) => this.#press(event));
    this.canvas.addEventListener("focus", () => this.#redraw());
    this.canvas.addEventListener("blur", () => this.#endKeys());
    // The focus is for the keys alone: who drags goes on to step through the moves by the arrows.
    this.canvas.addEventListener("mousedown", (event) => event.preventDefault());
    for (const kind of /** @type {const} */ (["pointerdown", "pointermove", "pointerup", "pointercancel"])) {
      this.canvas.addEventListener(kind, (event) => this.#follow(event));
    }
  }

  /** @param {FingerMove[]} moves */
  async #send(moves) {
    /** @type {{ missed: boolean }} */
    const { missed } = await post("table/fingers", { moves });
    if (missed && !this.queue.waiting.length) this.#letGo();
  }

  /** @param {unknown} error */
  #giveUp(error) {
    sayWhy(error);
    this.#letGo();
  }

  /** Notes that the keys carry nothing. */
  #letGo() {
    this.takenAt = null;
    this.#redraw();
  }

  /** Hides the picture, which is of another game, until the table shows this one. */
  clear() {
    this.takenAt = this.picture.finger = null;
    this.picture.clear();
  }

  /**
   * @param {{ board: BoardData, contents: BoardContents } | null} shown
   * @param {boolean} isTold a card tells already how pieces are moved
   */
  draw(shown, isTold) {
    this.isTold = isTold;
    this.picture.draw(shown);
    const words = this.#fingerWords();
    this.help.hidden = !this.mayAct() || (isTold && !words);
    this.help.textContent = words || HELP[shown?.board.turns || ""];
  }

  /** Says what the keys do, and on which place the finger is that they lead; '' while they are for something else. */
  #fingerWords() {
    const { finger, shown } = this.picture;
    if (document.activeElement !== this.canvas || !shown) return "";
    if (!finger) return KEYS;
    const place = this.picture.placeAt(finger);
    const words = place
      ? describePlace(shown.board, place, shown.contents.pieces[place])
      : t("Beside the board");
    return this.takenAt ? t("{place} · Enter lets go.", { place: words }) : words;
  }

  /**
   * Leads a finger by the keys.
   * @param {KeyboardEvent} event
   */
  #press(event) {
    const isShortcut = event.altKey || event.ctrlKey || event.metaKey;
    if (isShortcut || !this.mayAct() || !this.#act(event.key)) return;
    event.preventDefault();
    event.stopPropagation(); // the page steps through the moves by the same keys
  }

  /**
   * Does what a key is for; returns whether it is for anything.
   * @param {string} key
   */
  #act(key) {
    const { spots, stride, finger } = this.picture;
    if (!spots.length) return false;
    const at = finger || nearest(spots, [this.canvas.width / 2, this.canvas.height / 2]);
    const next = nextSpot(key, at, spots, stride);
    /** @type {Record<string, () => unknown>} */
    const acts = {
      enter: () => this.#liftOrPut(at),
      " ": () => this.#liftOrPut(at),
      t: () => this.queue.add(["turn", ...at]),
      ...(finger && { escape: () => this.#putBack() }), // without a finger it is for the page
    };
    const act = next ? () => this.#lead(finger ? next : at) : acts[key.toLowerCase()]; // the first key shows it
    act?.();
    return Boolean(act);
  }

  /** @param {Point} to */
  #lead([x, y]) {
    const inside = (/** @type {number} */ value, /** @type {number} */ end) =>
      Math.min(Math.max(value, 0), end);
    const at = /** @type {Point} */ ([inside(x, this.canvas.width), inside(y, this.canvas.height)]);
    this.picture.finger = at;
    if (this.takenAt) this.queue.add(["move", ...at]);
    this.#redraw();
  }

  /** @param {Point} at */
  #liftOrPut(at) {
    this.picture.finger = at;
    this.queue.add([this.takenAt ? "up" : "down", ...at]);
    this.takenAt = this.takenAt ? null : at;
    this.#redraw();
  }

  #putBack() {
    if (this.takenAt) this.queue.add(["move", ...this.takenAt]);
    if (this.takenAt) this.#liftOrPut(this.takenAt);
  }

  /** Takes the finger away that the keys lead; what it carries is put back. */
  #endKeys() {
    this.#putBack();
    this.picture.finger = null;
    this.#redraw();
  }

  #redraw() {
    this.draw(this.picture.shown, this.isTold);
  }

  /**
   * Takes what a pointer does; one finger counts at a time.
   * @param {PointerEvent} event
   */
  #follow(event) {
    const isOurs = event.pointerId === this.finger;
    if (!this.mayAct() || (event.type === "pointermove" && !isOurs)) return;
    event.preventDefault();
    const [x, y] = this.picture.pixelAt(event);
    if (event.type === "pointerdown") {
      if (this.#isDoubleTap(x, y)) {
        this.queue.add(["turn", x, y]);
        return;
      }
      this.finger = event.pointerId;
      this.canvas.setPointerCapture(event.pointerId);
    }
    if (event.pointerId !== this.finger) return;
    if (event.type === "pointerup" || event.type === "pointercancel") {
      this.finger = null;
      if (!this.#isNearLastTap(x, y)) this.lastTap.at = 0; // something was dragged: that was no tap
    }
    this.queue.add([event.type.replace("pointer", ""), x, y]);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #isDoubleTap(x, y) {
    const now = performance.now();
    const isDouble = this.#isNearLastTap(x, y) && now - this.lastTap.at < DOUBLE_TAP_MS;
    this.lastTap = { at: isDouble ? 0 : now, x, y };
    return isDouble;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #isNearLastTap(x, y) {
    return Math.hypot(x - this.lastTap.x, y - this.lastTap.y) < this.canvas.width * DOUBLE_TAP_REACH;
  }
}

/**
 * @param {Point[]} spots
 * @param {Point} to
 */
function nearest(spots, [x, y]) {
  const away = (/** @type {Point} */ spot) => Math.hypot(spot[0] - x, spot[1] - y);
  return spots.reduce((best, spot) => (away(spot) < away(best) ? spot : best));
}

/**
 * Returns where an arrow key leads a finger: to the next place that way, else a little into the free. Null for other
 * keys. All are pixels of the picture.
 * @param {string} key
 * @param {Point} at
 * @param {Point[]} spots the places
 * @param {number} stride from one place to the next, about
 * @returns {Point | null}
 */
export function nextSpot(key, [x, y], spots, stride) {
  const way = WAYS[key];
  if (!way) return null;
  const [right, down] = way;
  let [found, shortest] = [/** @type {Point | null} */ (null), FARTHEST * stride];
  for (const [spotX, spotY] of spots) {
    const along = (spotX - x) * right + (spotY - y) * down;
    const aside = Math.abs((spotX - x) * down - (spotY - y) * right);
    const length = along + 2 * aside; // rather straight on than near
    if (along > 1 && aside <= along && length < shortest) [found, shortest] = [[spotX, spotY], length];
  }
  return found || [x + right * BESIDE * stride, y + down * BESIDE * stride];
}
