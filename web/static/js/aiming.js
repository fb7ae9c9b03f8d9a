// The camera's live picture, with the board's four corners on it, which a finger can drag under a magnifier.

import { byId } from "./dom.js";

const PICTURE_EVERY = 400;
const REACH = 40; // pixels of the screen

export class Aiming {
  constructor() {
    this.corners = [];
    this.moved = false; // by hand
    this.canvas = byId("picture");
    this.pen = this.canvas.getContext("2d");
    for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"])
      this.canvas.addEventListener(kind, (event) => this.#pointer(event));
    this.#next();
  }

  place(corners, moved = false) {
    [this.corners, this.moved] = [corners, moved];
    this.draw();
  }

  async #next() {
    if (document.visibilityState === "visible") await this.#fetch().catch(() => {});
    setTimeout(() => this.#next(), PICTURE_EVERY);
  }

  async #fetch() {
    const answer = await fetch("/api/v1/picture.jpg", { cache: "no-store" });
    if (answer.status !== 200) return;
    const picture = await createImageBitmap(await answer.blob());
    this.picture?.close();
    this.picture = picture;
    [this.canvas.width, this.canvas.height] = [picture.width, picture.height];
    document.documentElement.style.setProperty("--camera-ratio", picture.width / picture.height);
    this.draw();
  }

  draw() {
    if (!this.picture) return;
    const { pen, corners } = this;
    pen.drawImage(this.picture, 0, 0);
    if (corners.length < 4) return;
    const thick = this.canvas.width / 320;
    [pen.lineWidth, pen.strokeStyle, pen.fillStyle] = [thick * 1.5, "#ffe600", "#ffe600"];
    pen.beginPath();
    corners.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
    pen.stroke();
    pen.font = `bold ${thick * 9}px system-ui, sans-serif`;
    corners.forEach(([x, y], i) => {
      pen.beginPath();
      pen.arc(x, y, thick * 4, 0, 7);
      pen.stroke();
      pen.fillText(["SW", "SE", "NE", "NW"][i], x + thick * 6, y - thick * 4);
    });
  }

  #pixel(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale, scale];
  }

  #pointer(event) {
    const [x, y, scale] = this.#pixel(event);
    if (event.type === "pointerdown") {
      const far = this.corners.map(([cx, cy]) => Math.hypot(cx - x, cy - y));
      const nearest = far.indexOf(Math.min(...far));
      if (nearest < 0 || far[nearest] > REACH * scale) return;
      this.held = nearest;
      this.canvas.setPointerCapture(event.pointerId);
    }
    if (this.held === undefined) return;
    event.preventDefault();
    this.moved = true;
    this.corners[this.held] = [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
    const held = event.type === "pointerdown" || event.type === "pointermove";
    this.#magnify(held, x, y);
    if (!held) this.held = undefined;
    this.draw();
  }

  // Four times as large, in the upper corner that is farther from the finger.
  #magnify(held, x, y) {
    const glass = byId("magnifier");
    glass.hidden = !held;
    if (!held || !this.picture) return;
    glass.dataset.side = x < this.canvas.width / 2 ? "right" : "left";
    const pen = glass.getContext("2d");
    const part = 40;
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, glass.width, glass.height);
    pen.drawImage(this.picture, x - part / 2, y - part / 2, part, part, 0, 0, glass.width, glass.height);
    pen.strokeStyle = "#ffe600";
    pen.strokeRect(glass.width / 2 - 6, glass.height / 2 - 6, 12, 12);
  }
}
