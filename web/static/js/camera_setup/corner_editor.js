// The camera's live picture, with the board's four corners on it, which a finger can drag under a magnifier.

import { elementOf } from "../shared/dom.js";
import { nearestWithin, toTenth } from "./corners.js";
import { t } from "../shared/language.js";

/** @import { Point } from "../shared/types.d.ts" */

const PICTURE_EVERY_MS = 400;
/** How near a finger must come to a corner, in pixels of the screen. */
const REACH_PX = 40;
const CORNER_NAMES = [t("SW"), t("SE"), t("NE"), t("NW")];
const YELLOW = "#ffe600";
/** The width of a picture on which lines are drawn one pixel wide. */
const PLAIN_WIDTH_PX = 320;

/** The side of the part that the magnifier shows, in pixels of the picture. */
const MAGNIFIED_PX = 40;
const CROSSHAIR_PX = 12;

/** @param {HTMLCanvasElement} canvas */
function penOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

export class CornerEditor {
  /** @param {() => string} camera returns the name of the one whose picture is shown; '' for the first */
  constructor(camera = () => "") {
    this.camera = camera;
    /** @type {Point[]} four corners in pixels of the picture, or none */
    this.corners = [];
    /** Whether a corner was dragged by hand. */
    this.isMoved = false;
    /** @type {ImageBitmap | null} */
    this.picture = null;
    /** @type {number | null} the corner that a finger holds */
    this.held = null;
    this.canvas = elementOf("picture", HTMLCanvasElement);
    this.magnifier = elementOf("magnifier", HTMLCanvasElement);
    for (const kind of /** @type {const} */ (["pointerdown", "pointermove", "pointerup", "pointercancel"])) {
      this.canvas.addEventListener(kind, (event) => this.#follow(event));
    }
    this.#showPictures();
  }

  /** @param {Point[]} corners */
  place(corners) {
    this.corners = corners;
    this.isMoved = false;
    this.draw();
  }

  async #showPictures() {
    for (;;) {
      if (document.visibilityState === "visible") await this.#showPicture().catch(() => {});
      await new Promise((done) => setTimeout(done, PICTURE_EVERY_MS));
    }
  }

  async #showPicture() {
    const camera = this.camera();
    const address = `/api/v1/picture.jpg?${new URLSearchParams({ camera })}`;
    const answer = await fetch(address, { cache: "no-store" });
    if (answer.status !== 200 || camera !== this.camera()) return;
    const picture = await createImageBitmap(await answer.blob());
    this.picture?.close();
    this.picture = picture;
    [this.canvas.width, this.canvas.height] = [picture.width, picture.height];
    document.documentElement.style.setProperty("--camera-ratio", String(picture.width / picture.height));
    this.draw();
  }

  draw() {
    if (!this.picture) return;
    const pen = penOf(this.canvas);
    pen.drawImage(this.picture, 0, 0);
    if (this.corners.length === CORNER_NAMES.length) {
      this.#drawCorners(pen, this.canvas.width / PLAIN_WIDTH_PX);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {number} scale of lines and letters
   */
  #drawCorners(pen, scale) {
    pen.lineWidth = scale * 1.5;
    pen.strokeStyle = pen.fillStyle = YELLOW;
    pen.font = `bold ${scale * 9}px system-ui, sans-serif`;
    pen.beginPath();
    for (const [x, y] of this.corners) pen.lineTo(x, y);
    pen.closePath();
    pen.stroke();
    for (const [i, [x, y]] of this.corners.entries()) {
      pen.beginPath();
      pen.arc(x, y, scale * 4, 0, 2 * Math.PI);
      pen.stroke();
      pen.fillText(CORNER_NAMES[i], x + scale * 6, y - scale * 4);
    }
  }

  /** @param {PointerEvent} event */
  #follow(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / box.width;
    /** @type {Point} */
    const point = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const isDown = event.type === "pointerdown";
    if (isDown && !this.#take(point, REACH_PX * scale, event.pointerId)) return;
    if (this.held === null) return;
    event.preventDefault();
    const isHeld = isDown || event.type === "pointermove";
    this.isMoved = true;
    this.corners[this.held] = [toTenth(point[0]), toTenth(point[1])];
    this.#magnify(isHeld, point);
    if (!isHeld) this.held = null;
    this.draw();
  }

  /**
   * Takes hold of the nearest corner within reach; returns whether there is one.
   * @param {Point} point
   * @param {number} reach
   * @param {number} pointerId
   */
  #take(point, reach, pointerId) {
    const nearest = nearestWithin(this.corners, point, reach);
    if (nearest === null) return false;
    this.held = nearest;
    this.canvas.setPointerCapture(pointerId);
    return true;
  }

  /**
   * Shows what is under the finger four times as large, in the upper corner that is farther from it.
   * @param {boolean} isHeld
   * @param {Point} point
   */
  #magnify(isHeld, [x, y]) {
    const { magnifier, picture } = this;
    magnifier.hidden = !isHeld;
    if (!isHeld || !picture) return;
    magnifier.dataset.side = x < this.canvas.width / 2 ? "right" : "left";
    const { width, height } = magnifier;
    const pen = penOf(magnifier);
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, width, height);
    const [left, top] = [x - MAGNIFIED_PX / 2, y - MAGNIFIED_PX / 2];
    pen.drawImage(picture, left, top, MAGNIFIED_PX, MAGNIFIED_PX, 0, 0, width, height);
    pen.strokeStyle = YELLOW;
    pen.strokeRect((width - CROSSHAIR_PX) / 2, (height - CROSSHAIR_PX) / 2, CROSSHAIR_PX, CROSSHAIR_PX);
  }
}
