// Sends what a video shows: a picture while something moves, and at rest only that all is as it was.

import { post, Refusal } from "../shared/api.js";

const TICK_MS = 100;
const BEAT_MS = 1000;
/** At rest a picture is sent this often: some changes are too slow to be noticed here. */
const REST_MS = 3000;
/** Pictures go on for so long after the last move. */
const SETTLING_MS = 1500;
/** The longer side of a picture, in pixels. */
const LONGEST = 1280;
/** The bytes of a picture that the server takes, and the qualities that are tried to stay below. */
const LARGEST = 250_000;
const QUALITIES = [0.88, 0.75, 0.5];
/** The width of the small copy that is compared with the one before. */
const SMALL = 96;
/** The difference of one of its pixels (of 255) that is more than noise, and how many must differ so. */
const NOISE = 24;
const FEWEST = 3;
const GONE = 410;

/** @import { SourceStatus } from "../shared/types.d.ts" */
/** @typedef {{ status: SourceStatus | null, corners: [number, number][] }} Seen */
/** @typedef {{ onSent: (seen: Seen) => void, onTrouble: (error: unknown, isOver: boolean) => void }} Listener */

/** Sends pictures until it is paused. */
export class Sender {
  /**
   * @param {HTMLVideoElement} video
   * @param {string} key of the device that is the camera
   * @param {Listener} listener
   */
  constructor(video, key, listener) {
    this.video = video;
    this.key = key;
    this.listener = listener;
    this.canvas = document.createElement("canvas");
    this.small = document.createElement("canvas");
    /** @type {Uint8ClampedArray | null} */
    this.before = null;
    this.movedAt = this.sentAt = this.heardAt = -Infinity;
    this.isRunning = false;
    /** What is on its way to the table. */
    this.sending = Promise.resolve();
  }

  start() {
    if (this.isRunning) return;
    this.isRunning = true;
    this.sentAt = -Infinity;
    this.#tick();
  }

  /**
   * Says why no more pictures come, after those that are on their way: a later one would take it back. A page that
   * is left has no time to wait.
   * @param {"hidden" | "taken" | "left"} why
   */
  async pause(why) {
    this.isRunning = false;
    if (why !== "left") await this.sending;
    if (this.isRunning) return; // it goes on already
    post(`phone/pause/${this.key}`, { why }, { keepalive: true }).catch(() => {}); // silence tells it as well
  }

  async #tick() {
    if (!this.isRunning) return;
    const now = performance.now();
    if (this.#moves()) this.movedAt = now;
    const isDue = now - this.movedAt < SETTLING_MS || now - this.sentAt >= REST_MS;
    if (isDue || now - this.heardAt >= BEAT_MS) await (this.sending = this.#send(isDue, now));
    setTimeout(() => this.#tick(), Math.max(0, TICK_MS - (performance.now() - now)));
  }

  /**
   * @param {boolean} hasPicture
   * @param {number} now
   */
  async #send(hasPicture, now) {
    const body = (hasPicture && (await this.#picture())) || new Blob([], { type: "image/jpeg" });
    if (!this.isRunning) return;
    try {
      const seen = await post(`phone/pictures/${this.key}`, body);
      this.heardAt = now;
      if (body.size) this.sentAt = now;
      if (this.isRunning) this.listener.onSent(seen);
    } catch (error) {
      const isOver = error instanceof Refusal && error.status === GONE;
      if (isOver) this.isRunning = false;
      this.sentAt = -Infinity; // the first picture after a lost network is a new one
      this.listener.onTrouble(error, isOver);
    }
  }

  /** Returns whether more has changed since the last look than noise. */
  #moves() {
    const { videoWidth: width, videoHeight: height } = this.video;
    if (!width) return false;
    const pixels = drawn(this.small, this.video, SMALL / width).getImageData(
      0,
      0,
      SMALL,
      Math.round((height * SMALL) / width),
    ).data;
    const { before } = this;
    this.before = pixels;
    if (before?.length !== pixels.length) return true;
    let changed = 0;
    for (let at = 1; at < pixels.length; at += 4) {
      changed += Number(Math.abs(pixels[at] - before[at]) > NOISE);
    }
    return changed >= FEWEST;
  }

  /** Returns the picture that the video shows now; null while it shows none. */
  async #picture() {
    const { videoWidth: width, videoHeight: height } = this.video;
    if (!width) return null;
    drawn(this.canvas, this.video, Math.min(1, LONGEST / Math.max(width, height)));
    let picture = null;
    for (const quality of QUALITIES) {
      picture = await new Promise((resolve) => this.canvas.toBlob(resolve, "image/jpeg", quality));
      if (picture && picture.size <= LARGEST) return picture;
    }
    return picture;
  }
}

/**
 * Draws a video on a canvas, smaller by a scale.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLVideoElement} video
 * @param {number} scale
 */
function drawn(canvas, video, scale) {
  const width = Math.round(video.videoWidth * scale);
  const height = Math.round(video.videoHeight * scale);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext("2d", { willReadFrequently: true })
  );
  context.drawImage(video, 0, 0, width, height);
  return context;
}
