// The virtual table: pictures of its camera one after another, and fingers on them.

import { post } from "../shared/api.js";
import { html } from "../shared/dom.js";
import { FingerQueue } from "./finger_queue.js";
import { t } from "../shared/language.js";

/** @import { Point } from "../shared/types.d.ts" */

const PICTURE_EVERY_MS = 66;
const LOOK_AGAIN_MS = 250; // while the table is not shown
const RETRY_MS = 1_000;
const NO_PICTURE_YET = 204;
const SEND_EVERY_MS = 45;
const DOUBLE_TAP_MS = 350;
/** Two taps are one double tap within this share of the picture's width. */
const DOUBLE_TAP_REACH = 0.03;
const HELP = t("Drag the pieces as on wood. A double tap turns one over.");
const LABEL = t("The table as the camera sees it. Pieces can be dragged; a double tap turns one over.");

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class VirtualTable {
  /**
   * @param {HTMLElement} frame
   * @param {() => boolean} mayAct
   */
  constructor(frame, mayAct) {
    this.frame = frame;
    this.mayAct = mayAct;
    this.canvas = html("canvas", {
      role: "img",
      "aria-label": LABEL,
      class: "picture",
    });
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d", { alpha: false }));
    frame.replaceChildren(this.canvas, html("p", { class: "soft" }, HELP));
    this.queue = new FingerQueue((moves) => post("table/fingers", { moves }), SEND_EVERY_MS);
    this.lastTap = { at: 0, x: 0, y: 0 };
    /** How many games were shown before this one. */
    this.game = 0;
    /** @type {number | null} the pointer that is down */
    this.finger = null;
    for (const kind of /** @type {const} */ (["pointerdown", "pointermove", "pointerup", "pointercancel"])) {
      this.canvas.addEventListener(kind, (event) => this.#follow(event));
    }
    this.#showPictures();
  }

  get isShown() {
    return document.visibilityState === "visible" && this.frame.offsetParent !== null;
  }

  async #showPictures() {
    for (;;) {
      const begun = performance.now();
      if (this.isShown) await this.#showPicture().catch(() => pause(RETRY_MS));
      await pause(this.isShown ? Math.max(0, PICTURE_EVERY_MS - (performance.now() - begun)) : LOOK_AGAIN_MS);
    }
  }

  /** Hides the picture, which is of another game, until the table shows this one. */
  clear() {
    this.game += 1;
    delete this.canvas.dataset.drawn;
  }

  async #showPicture() {
    const { game } = this;
    const answer = await fetch("/api/v1/picture.jpg", { cache: "no-store" });
    if (answer.status === NO_PICTURE_YET) {
      this.clear();
      return;
    }
    if (answer.status !== 200) throw new Error("no picture");
    const picture = await createImageBitmap(await answer.blob());
    if (game !== this.game) return; // another game began meanwhile
    this.#resize(picture.width, picture.height);
    this.pen.drawImage(picture, 0, 0);
    this.canvas.dataset.drawn = "";
    picture.close();
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  #resize(width, height) {
    if (this.canvas.width === width && this.canvas.height === height) return;
    [this.canvas.width, this.canvas.height] = [width, height];
    document.documentElement.style.setProperty("--table-ratio", String(width / height));
  }

  /**
   * Takes what a pointer does; one finger counts at a time.
   * @param {PointerEvent} event
   */
  #follow(event) {
    const isOurs = event.pointerId === this.finger;
    if (!this.mayAct() || (event.type === "pointermove" && !isOurs)) return;
    event.preventDefault();
    const [x, y] = this.#pixelAt(event);
    if (event.type === "pointerdown") {
      if (this.#isDoubleTap(x, y)) {
        this.queue.add(["turn", x, y]);
        return;
      }
      this.finger = event.pointerId;
      this.canvas.setPointerCapture(event.pointerId);
    }
    if (event.pointerId !== this.finger) return;
    if (event.type === "pointerup" || event.type === "pointercancel") this.finger = null;
    this.queue.add([event.type.replace("pointer", ""), x, y]);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #isDoubleTap(x, y) {
    const now = performance.now();
    const isNear = Math.hypot(x - this.lastTap.x, y - this.lastTap.y) < this.canvas.width * DOUBLE_TAP_REACH;
    const isDouble = isNear && now - this.lastTap.at < DOUBLE_TAP_MS;
    this.lastTap = { at: isDouble ? 0 : now, x, y };
    return isDouble;
  }

  /**
   * Returns the pixel of the picture under a pointer, to a tenth; the picture keeps its ratio within its box.
   * @param {PointerEvent} event
   * @returns {Point}
   */
  #pixelAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const { width, height } = this.canvas;
    const scale = Math.min(box.width / width, box.height / height);
    const left = box.left + (box.width - width * scale) / 2;
    const top = box.top + (box.height - height * scale) / 2;
    const toTenth = (/** @type {number} */ pixels) => Math.round(pixels * 10) / 10;
    return [toTenth((event.clientX - left) / scale), toTenth((event.clientY - top) / scale)];
  }
}
