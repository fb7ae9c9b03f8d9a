// The virtual table: pictures of its camera one after another, and fingers on them.

import { h } from "./dom.js";
import { post } from "./api.js";

const PICTURE_EVERY = 66;
const SEND_EVERY = 45;
const DOUBLE = 350;

export class Tabletop {
  constructor(frame, mayAct) {
    this.frame = frame;
    this.mayAct = mayAct;
    this.image = h("canvas", { role: "img", "aria-label": "The table as the camera sees it. Pieces can be dragged; a double tap turns one over.", class: "picture" });
    this.pen = this.image.getContext("2d", { alpha: false });
    frame.replaceChildren(this.image, h("p", { class: "soft" }, "Drag the pieces as on wood. A double tap turns one over."));
    this.queue = [];
    this.tapped = { at: 0, x: 0, y: 0 };
    for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"])
      this.image.addEventListener(kind, (event) => this.#pointer(event));
    this.#next();
  }

  get seen() {
    return document.visibilityState === "visible" && this.frame.offsetParent !== null;
  }

  async #next() {
    const begun = performance.now();
    if (this.seen) await this.#fetch().catch(() => new Promise((go) => setTimeout(go, 1_000)));
    setTimeout(() => this.#next(), this.seen ? Math.max(0, PICTURE_EVERY - (performance.now() - begun)) : 250);
  }

  async #fetch() {
    const answer = await fetch("/api/v1/picture.jpg", { cache: "no-store" });
    if (answer.status !== 200) throw new Error("no picture");
    const picture = await createImageBitmap(await answer.blob());
    if (this.image.width !== picture.width || this.image.height !== picture.height) {
      [this.image.width, this.image.height] = [picture.width, picture.height];
      document.documentElement.style.setProperty("--table-ratio", picture.width / picture.height);
    }
    this.pen.drawImage(picture, 0, 0);
    this.image.dataset.drawn = "";
    picture.close();
  }

  #pointer(event) {
    if (!this.mayAct() || (event.type === "pointermove" && event.pointerId !== this.finger)) return;
    event.preventDefault();
    const [x, y] = this.#pixel(event);
    const kind = event.type.replace("pointer", "");
    if (kind === "down") {
      if (this.#isDouble(x, y)) return this.#put("turn", x, y);
      this.finger = event.pointerId;
      this.image.setPointerCapture(event.pointerId);
    }
    if (event.pointerId !== this.finger) return;
    if (kind === "up" || kind === "cancel") this.finger = null;
    this.#put(kind, x, y);
  }

  #isDouble(x, y) {
    const now = performance.now();
    const near = Math.hypot(x - this.tapped.x, y - this.tapped.y) < this.image.width * 0.03;
    const double = near && now - this.tapped.at < DOUBLE;
    this.tapped = { at: double ? 0 : now, x, y };
    return double;
  }

  #pixel(event) {
    const box = this.image.getBoundingClientRect();
    const { width, height } = this.image;
    const scale = Math.min(box.width / width, box.height / height);
    const left = box.left + (box.width - width * scale) / 2;
    const top = box.top + (box.height - height * scale) / 2;
    return [(event.clientX - left) / scale, (event.clientY - top) / scale].map((v) => Math.round(v * 10) / 10);
  }

  // Moves are gathered and sent in order; of moves that wait only the last one counts.
  #put(kind, x, y) {
    if (kind === "move" && this.queue.at(-1)?.[0] === "move") this.queue.pop();
    this.queue.push([kind, x, y]);
    this.#send();
  }

  async #send() {
    if (this.sending) return;
    this.sending = true;
    while (this.queue.length) {
      const moves = this.queue.splice(0);
      await post("table/fingers", { moves }).catch(() => {});
      await new Promise((go) => setTimeout(go, SEND_EVERY));
    }
    this.sending = false;
  }
}
