// The camera's picture, one after another, with marks drawn over it where the board lies in it.

import { get, reach } from "../shared/api.js";
import { drawArrow, drawMark } from "../shared/board_marks.js";
import { html, svg } from "../shared/dom.js";

/** @import { Arrow, BoardContents, BoardData, Mark, Place, Point } from "../shared/types.d.ts" */
/** @import { SeenPlace, SeenPlaces } from "../shared/types.d.ts" */

const LOOK_AGAIN_MS = 250; // while the picture is not shown
const RETRY_MS = 1_000;
/** The same picture once more says that nothing moves: the next one is asked for after so long. */
const AT_REST_MS = 250;
const NO_PICTURE_YET = 204;
const SAME = 304;
/** A tap belongs to a place that is not farther from it than this share of a step. */
const REACH = 0.6;
/** Marks for places at which the picture itself shows what is meant. */
const LEFT_OUT = ["can"];

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class LivePicture {
  /**
   * @param {string} label
   * @param {() => { every: number, isSmall: boolean }} pace how often a picture is fetched (in milliseconds), and which
   */
  constructor(label, pace) {
    this.pace = pace;
    this.canvas = html("canvas", { role: "img", "aria-label": label, class: "picture" });
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d", { alpha: false }));
    this.overlay = svg("svg", { class: "overlay", "aria-hidden": "true" });
    this.element = html("div", { class: "live" }, this.canvas, this.overlay);
    /** The tag of the picture that is drawn; "" for none. */
    this.tag = "";
    /** What the last picture says of where the board lies. */
    this.placesName = "";
    /** @type {SeenPlaces} */
    this.seen = { size: null, places: {} };
    /** @type {{ board: BoardData, contents: BoardContents } | null} */
    this.shown = null;
    /** How many games were shown before this one. */
    this.game = 0;
    /** @type {Point | null} where a finger is that the keys lead */
    this.finger = null;
    this.#showPictures();
  }

  get isShown() {
    return document.visibilityState === "visible" && this.element.offsetParent !== null;
  }

  /**
   * Draws marks and arrows over the picture; null for none.
   * @param {{ board: BoardData, contents: BoardContents } | null} shown
   */
  draw(shown) {
    this.shown = shown;
    const { size } = this.seen;
    if (!shown || !size) {
      this.overlay.replaceChildren();
      return;
    }
    this.overlay.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
    const { marks = [], arrows = [] } = shown.contents;
    this.overlay.replaceChildren(
      ...marks.flatMap((mark) => this.#drawMark(shown, mark)),
      ...arrows.flatMap(([from, to, kind]) => {
        const [start, end] = [this.seen.places[from], this.seen.places[to]];
        return start && end ? [drawLongArrow(start, end, kind)] : [];
      }),
      ...this.#drawFinger(),
    );
  }

  #drawFinger() {
    if (!this.finger) return [];
    const [cx, cy] = this.finger;
    return [svg("circle", { class: "finger", cx, cy, r: this.stride / 2 })];
  }

  /**
   * The pixels of all places.
   * @returns {Point[]}
   */
  get spots() {
    return Object.values(this.seen.places).map(([x, y]) => [x, y]);
  }

  /** By how many pixels neighbouring places are apart, about. */
  get stride() {
    const [first] = Object.values(this.seen.places);
    return first && this.shown ? this.shown.board.spacing * stepOf(first) : 0;
  }

  /** Hides the picture, which is of another game, until the table shows this one. */
  clear() {
    this.game += 1;
    this.tag = "";
    delete this.canvas.dataset.drawn;
  }

  /**
   * Draws a mark as if it were painted on the board.
   * @param {{ board: BoardData, contents: BoardContents }} shown
   * @param {Mark} mark
   */
  #drawMark({ board, contents }, mark) {
    if (LEFT_OUT.includes(mark.kind)) return [];
    const { places } = this.seen;
    const sites = mark.sites.filter((site) => places[site]);
    return drawMark(board, { ...mark, sites }, contents.pieces, false).map((node) => {
      const [x, y, ...steps] = places[node.dataset.site || ""];
      const upright = `rotate(${-90 * quartersTurned(steps)})`;
      node.setAttribute("transform", `matrix(${steps.join(" ")} ${x} ${y}) ${upright}`);
      return node;
    });
  }

  /**
   * Returns the place that lies at a pixel of the picture; null where there is none.
   * @param {Point} pixel
   */
  placeAt(pixel) {
    const { size, places } = this.seen;
    if (!size) return null;
    const scale = size[0] / this.canvas.width;
    return placeAtPixel(places, [pixel[0] * scale, pixel[1] * scale]);
  }

  /**
   * Returns the pixel of the picture under a pointer, to a tenth; the picture keeps its ratio within its box.
   * @param {MouseEvent} event
   * @returns {Point}
   */
  pixelAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const { width, height } = this.canvas;
    const scale = Math.min(box.width / width, box.height / height);
    const left = box.left + (box.width - width * scale) / 2;
    const top = box.top + (box.height - height * scale) / 2;
    const toTenth = (/** @type {number} */ pixels) => Math.round(pixels * 10) / 10;
    return [toTenth((event.clientX - left) / scale), toTenth((event.clientY - top) / scale)];
  }

  async #showPictures() {
    for (;;) {
      const begun = performance.now();
      const isNew = this.isShown && (await this.#showPicture().catch(() => pause(RETRY_MS)));
      const every = isNew ? this.pace().every : Math.max(this.pace().every, AT_REST_MS);
      const rest = Math.max(0, every - (performance.now() - begun));
      await pause(this.isShown ? rest : LOOK_AGAIN_MS);
    }
  }

  /** Draws the newest picture; returns whether it is another one than before. */
  async #showPicture() {
    const { game } = this;
    const small = this.pace().isSmall ? "?small=1" : "";
    const headers = { "If-None-Match": this.tag };
    const answer = await reach(`picture.jpg${small}`, { cache: "no-store", headers });
    if (answer.status === NO_PICTURE_YET) {
      this.clear();
      return false;
    }
    const isNew = answer.status !== SAME;
    if (isNew) {
      if (answer.status !== 200) throw new Error("no picture");
      const picture = await createImageBitmap(await answer.blob());
      if (game !== this.game) return true; // another game began meanwhile
      this.#resize(picture.width, picture.height);
      this.pen.drawImage(picture, 0, 0);
      this.canvas.dataset.drawn = "";
      this.tag = answer.headers.get("ETag") || "";
      picture.close();
    }
    await this.#follow(answer.headers.get("Seen-Places") || "");
    return isNew;
  }

  /**
   * Fetches where the board lies when that has changed.
   * @param {string} name
   */
  async #follow(name) {
    if (name === this.placesName) return;
    this.seen = await get("seen-places");
    this.placesName = name;
    this.draw(this.shown);
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
}

/**
 * Returns by how many quarters, clockwise, the board is turned in the picture: words and signs stand upright.
 * @param {number[]} steps how far right and down a step east leads
 */
export function quartersTurned([eastX, eastY]) {
  return Math.round(Math.atan2(eastY, eastX) / (Math.PI / 2)) % 4;
}

/**
 * Returns the place whose middle is nearest to a pixel, if it is near enough.
 * @param {Record<Place, SeenPlace>} places
 * @param {number[]} pixel
 */
export function placeAtPixel(places, [pixelX, pixelY]) {
  let [found, shortest] = [/** @type {Place | null} */ (null), REACH];
  for (const [place, [x, y, eastX, eastY, southX, southY]] of Object.entries(places)) {
    const [right, down] = [pixelX - x, pixelY - y];
    const area = eastX * southY - eastY * southX;
    const east = (right * southY - down * southX) / area;
    const south = (down * eastX - right * eastY) / area;
    const distance = Math.hypot(east, south);
    if (distance < shortest) [found, shortest] = [place, distance];
  }
  return found;
}

/**
 * Draws an arrow over the picture, as broad as the board's steps are large in its middle.
 * @param {SeenPlace} start
 * @param {SeenPlace} end
 * @param {Arrow[2]} kind
 */
function drawLongArrow(start, end, kind) {
  const step = (stepOf(start) + stepOf(end)) / 2;
  const places = { start: scaled(start, step), end: scaled(end, step) };
  const arrow = drawArrow({ places }, ["start", "end", kind]);
  return svg("g", { transform: `scale(${step})` }, arrow);
}

/** @param {SeenPlace} spot */
function stepOf([, , eastX, eastY, southX, southY]) {
  return Math.sqrt(Math.abs(eastX * southY - eastY * southX));
}

/**
 * @param {SeenPlace} place
 * @param {number} step
 * @returns {[x: number, y: number, angle: number]}
 */
function scaled([x, y], step) {
  return [x / step, y / step, 0];
}
