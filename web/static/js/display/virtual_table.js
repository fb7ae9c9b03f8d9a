// The virtual table: pictures of its camera one after another, and fingers on them.

import { post } from "../shared/api.js";
import { html } from "../shared/dom.js";
import { FingerQueue } from "./finger_queue.js";
import { t } from "../shared/language.js";
import { LivePicture } from "./live_picture.js";

/** @import { BoardContents, BoardData } from "../shared/types.d.ts" */

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
    this.help = html("p", { class: "soft" });
    frame.replaceChildren(this.picture.element, this.help);
    this.queue = new FingerQueue((moves) => post("table/fingers", { moves }), SEND_EVERY_MS);
    this.lastTap = { at: 0, x: 0, y: 0 };
    /** @type {number | null} the pointer that is down */
    this.finger = null;
    for (const kind of /** @type {const} */ (["pointerdown", "pointermove", "pointerup", "pointercancel"])) {
      this.canvas.addEventListener(kind, (event) => this.#follow(event));
    }
  }

  /** Hides the picture, which is of another game, until the table shows this one. */
  clear() {
    this.picture.clear();
  }

  /**
   * @param {{ board: BoardData, contents: BoardContents } | null} shown
   * @param {boolean} isTold a card tells already how pieces are moved
   */
  draw(shown, isTold) {
    this.picture.draw(shown);
    this.help.hidden = isTold;
    this.help.textContent = HELP[shown?.board.turns || ""];
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
