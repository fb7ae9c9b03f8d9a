// A board drawn from its data, with pieces and marks laid on it, and the place under a finger.

import { placeAt, spotOf } from "./board_geometry.js";
import { centredText, drawArrow, drawMark, ghostParts, liesUnderPieces } from "./board_marks.js";
import { svg } from "./dom.js";
import { describeLook } from "./text.js";

/** @import { BoardContents, BoardData, Look, Place, Point } from "./types.d.ts" */

/** A finger that moves farther than this between down and up does not tap. */
const LONGEST_TAP_PX = 18;
/** Where a marker lies on a piece. */
const ON_TOP = "translate(.22 -.22)";

/** The drawing of a board, with its layers for what lies on it. */
class Drawing {
  /** @param {string} source */
  constructor(source) {
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
    this.root = /** @type {SVGSVGElement} */ (document.importNode(/** @type {Element} */ (parsed), true));
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", "Board");
    this.whole = svg("g");
    this.whole.append(...[...this.root.children].filter((child) => child.tagName === "g"));
    this.root.append(this.whole);
    this.under = this.#layer("under");
    this.pieces = this.#layer("pieces");
    this.over = this.#layer("over");
    this.hits = this.#layer("hits");
  }

  /** @param {string} name */
  #layer(name) {
    return /** @type {SVGGElement} */ (this.whole.querySelector(`g.${name}`));
  }

  get ratio() {
    const box = this.root.viewBox.baseVal;
    return box.width / box.height;
  }

  /**
   * The point around which the board is turned.
   * @returns {Point}
   */
  get middle() {
    const [x, y] = (this.root.dataset.middle || "0 0").split(" ").map(Number);
    return [x, y];
  }

  /**
   * Turns the board round; its inscriptions stay upright, and coordinates at its left and lower edge.
   * @param {boolean} isTurned
   */
  turn(isTurned) {
    const [x, y] = this.middle;
    this.whole.setAttribute("transform", isTurned ? `rotate(180 ${x} ${y})` : "");
    const texts = /** @type {NodeListOf<SVGTextElement>} */ (this.whole.querySelectorAll(".wood text"));
    for (const text of texts) turnText(text, isTurned);
  }

  /**
   * Returns the point of the drawing under a point of the screen.
   * @param {Point} client
   */
  pointAt([clientX, clientY]) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.whole.getScreenCTM()?.inverse());
  }
}

/**
 * @param {SVGTextElement} text
 * @param {boolean} isTurned
 */
function turnText(text, isTurned) {
  const own = `${text.getAttribute("x")} ${text.getAttribute("y")}`;
  const [x, y] = own.split(" ").map(Number);
  const [toX, toY] = (text.dataset.turned || own).split(" ").map(Number);
  const turned = `translate(${toX - x} ${toY - y}) rotate(180 ${own})`;
  text.setAttribute("transform", isTurned ? turned : "");
  text.setAttribute("visibility", isTurned && text.dataset.turned === "" ? "hidden" : "");
}

/** A board in its frame on the page. */
export class BoardView {
  /**
   * @param {HTMLElement} frame
   * @param {(place: Place) => unknown} onTap
   */
  constructor(frame, onTap) {
    this.frame = frame;
    this.onTap = onTap;
    this.isTurned = false;
    /** @type {BoardData | null} */
    this.board = null;
    /** @type {Drawing | null} */
    this.drawing = null;
    /** @type {BoardContents | null} */
    this.contents = null;
    /** @type {Point | null} */
    this.pressedAt = null;
    frame.addEventListener("pointerdown", (event) => (this.pressedAt = [event.clientX, event.clientY]));
    frame.addEventListener("pointerup", (event) => this.#release([event.clientX, event.clientY]));
  }

  /** @param {BoardData} board */
  load(board) {
    this.board = board;
    this.drawing = new Drawing(board.svg);
    document.documentElement.style.setProperty("--board-ratio", String(this.drawing.ratio));
    this.frame.replaceChildren(this.drawing.root);
    this.turn(this.isTurned);
  }

  /** @param {boolean} isTurned */
  turn(isTurned) {
    this.isTurned = isTurned;
    this.drawing?.turn(isTurned);
    if (this.contents) this.draw(this.contents);
  }

  /** @param {BoardContents} contents */
  draw(contents) {
    this.contents = contents;
    const { board, drawing } = this;
    if (!board || !drawing) return;
    const { pieces, ghosts = {}, marks = [], arrows = [], taps = {} } = contents;
    const over = marks.filter((mark) => !liesUnderPieces(mark));
    drawing.under.replaceChildren(...this.#drawMarks(board, marks.filter(liesUnderPieces), pieces));
    drawing.pieces.replaceChildren(...this.#drawPieces(board, drawing, pieces, ghosts));
    drawing.over.replaceChildren(
      ...arrows.flatMap((arrow) => drawArrow(board, arrow) || []),
      ...this.#drawMarks(board, over, pieces),
    );
    const tappable = Object.entries(taps).filter(([place]) => board.places[place]);
    drawing.hits.replaceChildren(...tappable.map(([place, words]) => this.#drawHit(board, place, words)));
  }

  /**
   * @param {BoardData} board
   * @param {NonNullable<BoardContents["marks"]>} marks
   * @param {Record<Place, Look>} pieces
   */
  #drawMarks(board, marks, pieces) {
    return marks.flatMap((mark) => drawMark(board, mark, pieces, this.isTurned));
  }

  /**
   * Draws the pieces; the elements of those that stay are kept.
   * @param {BoardData} board
   * @param {Drawing} drawing
   * @param {Record<Place, Look>} pieces
   * @param {Record<Place, Look>} ghosts
   */
  #drawPieces(board, drawing, pieces, ghosts) {
    const known = new Map([...drawing.pieces.children].map((node) => [node.getAttribute("data-key"), node]));
    const all = [
      ...Object.entries(pieces).map(([place, look]) => ({
        place,
        look,
        kind: "",
      })),
      ...Object.entries(ghosts).map(([place, look]) => ({
        place,
        look,
        kind: "ghost",
      })),
    ];
    return all.flatMap(({ place, look, kind }) => {
      const spot = spotOf(board, place);
      if (!spot || look === "empty") return [];
      const isTaken = kind === "ghost" && (pieces[place] || "empty") !== "empty";
      const key = `${place} ${look} ${kind} ${this.isTurned} ${isTaken}`;
      return [known.get(key) || this.#drawPiece(board, spot, place, look, { kind, key, isTaken })];
    });
  }

  /**
   * @param {BoardData} board
   * @param {[x: number, y: number, angle: number]} spot
   * @param {Place} place
   * @param {Look} look
   * @param {{ kind: string, key: string, isTaken: boolean }} drawn a ghost may lie where another piece stands
   */
  #drawPiece(board, [x, y, angle], place, look, { kind, key, isTaken }) {
    const upright = this.isTurned && place in board.sites ? 180 : 0;
    const transform = `translate(${x} ${y}) rotate(${angle + upright})`;
    const parts = look.split(/(?=\+)/); // the piece, then the markers on it
    const symbols = parts.map((part, i) => drawSymbol(board, part, i > 0 && parts[0] !== "" ? ON_TOP : ""));
    return svg(
      "g",
      {
        class: `piece ${kind}`,
        transform,
        "data-look": look,
        "data-place": place,
        "data-key": key,
      },
      kind === "ghost" ? ghostParts(board, place, look, symbols, isTaken) : symbols,
      svg("title", {}, `${place}: ${describeLook(look)}`),
    );
  }

  /**
   * Draws the circle that takes the focus and the keys of a place that can be tapped.
   * @param {BoardData} board
   * @param {Place} place
   * @param {string} words
   */
  #drawHit(board, place, words) {
    const [cx, cy] = board.places[place];
    /** @param {KeyboardEvent} event */
    const onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.onTap(place);
    };
    const role = {
      role: "button",
      tabindex: 0,
      "aria-label": words,
      "data-place": place,
    };
    return svg("circle", {
      class: "hit",
      cx,
      cy,
      r: board.spacing / 2,
      ...role,
      onkeydown,
    });
  }

  /** @param {Point} client */
  #release([clientX, clientY]) {
    if (!this.pressedAt || !this.board || !this.drawing) return;
    const moved = Math.hypot(clientX - this.pressedAt[0], clientY - this.pressedAt[1]);
    this.pressedAt = null;
    if (moved > LONGEST_TAP_PX) return;
    const point = this.drawing.pointAt([clientX, clientY]);
    const place = placeAt(this.board, point, Object.keys(this.contents?.taps || {}));
    if (place) this.onTap(place);
  }
}

/**
 * Draws a look by its symbol; one that has none as a disc with its first letters.
 * @param {BoardData} board
 * @param {Look} look
 * @param {string} transform
 */
function drawSymbol(board, look, transform) {
  const id = board.symbols[look];
  if (id) return svg("use", { href: `#${id}`, transform });
  const words = look.replace("+", "").split("/").pop() || "";
  const radius = look.startsWith("+") ? 0.19 : 0.34;
  return svg(
    "g",
    { class: "unknown", transform },
    svg("circle", { r: radius }),
    centredText(words.slice(0, 3), 0.22),
  );
}
