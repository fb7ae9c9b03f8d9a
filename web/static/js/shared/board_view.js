// A board drawn from its data, with pieces and marks laid on it, and the place under a finger.

import { placeAt, spotOf } from "./board_geometry.js";
import { centredText, drawArrow, drawMark, ghostParts, liesUnderPieces } from "./board_marks.js";
import { svg } from "./dom.js";
import { t } from "./language.js";
import { slide, slidesBetween, transformOf } from "./piece_motion.js";
import { describePlace } from "./text.js";

/** @import { BoardContents, BoardData, Look, Place, Point } from "./types.d.ts" */

/** A finger that moves farther than this between down and up does not tap. */
const LONGEST_TAP_PX = 18;
/** A piece that was dragged to its place stays there for so long, until the game has it there too. */
const DROPPED_MS = 700;
/** Where a marker lies on a piece. */
const ON_TOP = "translate(.22 -.22)";

/** The drawing of a board, with its layers for what lies on it. */
class Drawing {
  /** @param {string} source */
  constructor(source) {
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
    this.root = /** @type {SVGSVGElement} */ (document.importNode(/** @type {Element} */ (parsed), true));
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", t("Board"));
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
   * @param {(place: Place) => unknown} [onGrab] is called when a piece begins to be dragged; dropped, it is a tap
   */
  constructor(frame, onTap, onGrab = onTap) {
    this.frame = frame;
    this.onTap = onTap;
    this.onGrab = onGrab;
    this.isTurned = false;
    /** @type {BoardData | null} */
    this.board = null;
    /** @type {Drawing | null} */
    this.drawing = null;
    /** @type {BoardContents | null} */
    this.contents = null;
    /** @type {Point | null} */
    this.pressedAt = null;
    /** @type {Place | null} the place of the piece that is dragged */
    this.dragged = null;
    /** @type {Place | null} where a piece was dropped a moment ago: it does not slide there */
    this.droppedAt = null;
    frame.addEventListener("pointerdown", (event) => this.#press(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    frame.addEventListener("pointerup", (event) => this.#release([event.clientX, event.clientY]));
    frame.addEventListener("pointercancel", () => this.#cancel());
  }

  /** @param {BoardData} board */
  load(board) {
    this.board = board;
    this.drawing = new Drawing(board.svg);
    this.contents = null;
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
    const before = this.contents;
    this.contents = contents;
    const { board, drawing } = this;
    if (!board || !drawing) return;
    const { pieces, ghosts = {}, marks = [], arrows = [], taps = {} } = contents;
    const over = marks.filter((mark) => !liesUnderPieces(mark));
    drawing.under.replaceChildren(...this.#drawMarks(board, marks.filter(liesUnderPieces), pieces));
    drawing.pieces.replaceChildren(...this.#drawPieces(board, drawing, pieces, ghosts));
    if (before) this.#slidePieces(before.pieces, pieces);
    drawing.over.replaceChildren(
      ...arrows.flatMap((arrow) => drawArrow(board, arrow) || []),
      ...this.#drawMarks(board, over, pieces),
    );
    const tappable = Object.entries(taps).filter(([place]) => board.places[place]);
    const focused = drawing.hits.querySelector(":focus")?.getAttribute("data-place");
    drawing.hits.replaceChildren(...tappable.map(([place, words]) => this.#drawHit(board, place, words)));
    const hit = focused && drawing.hits.querySelector(`[data-place="${focused}"]`);
    if (hit instanceof SVGElement) hit.focus();
  }

  /**
   * Lets the pieces slide to where they stand now.
   * @param {Record<Place, Look>} before
   * @param {Record<Place, Look>} now
   */
  #slidePieces(before, now) {
    for (const [from, to] of slidesBetween(before, now)) {
      const [start, end, piece] = [this.#spotOfPiece(from), this.#spotOfPiece(to), this.#pieceAt(to)];
      if (to !== this.droppedAt && start && end && piece) slide(piece, start, end);
    }
    if (this.dragged && !now[this.dragged]) this.#cancel();
  }

  /** @param {Place} place */
  #pieceAt(place) {
    const pieces = this.drawing?.pieces.querySelectorAll(".piece:not(.ghost)") || [];
    const found = [...pieces].find((piece) => piece.getAttribute("data-place") === place);
    return found instanceof SVGElement ? found : null;
  }

  /**
   * Returns where a piece is drawn that stands on a place, and by how many degrees it is turned.
   * @param {Place} place
   * @returns {[x: number, y: number, angle: number] | null}
   */
  #spotOfPiece(place) {
    const spot = this.board && spotOf(this.board, place);
    if (!this.board || !spot) return null;
    const upright = this.isTurned && place in this.board.sites ? 180 : 0;
    return [spot[0], spot[1], spot[2] + upright];
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
      svg("title", {}, describePlace(board, place, look)),
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

  /** @param {PointerEvent} event */
  #press(event) {
    this.#cancel();
    this.pressedAt = [event.clientX, event.clientY];
  }

  /**
   * Drags the piece that was pressed, once the finger has moved too far for a tap.
   * @param {PointerEvent} event
   */
  #move(event) {
    const { pressedAt, drawing } = this;
    if (!pressedAt || !drawing) return;
    if (!this.dragged && distance(pressedAt, event) > LONGEST_TAP_PX) this.#grab(event, pressedAt);
    const piece = this.dragged && this.#pieceAt(this.dragged);
    const spot = this.dragged && this.#spotOfPiece(this.dragged);
    if (!piece || !spot) return;
    const { x, y } = drawing.pointAt([event.clientX, event.clientY]);
    piece.style.transform = transformOf([x, y, spot[2]]);
  }

  /**
   * @param {PointerEvent} event
   * @param {Point} pressedAt
   */
  #grab(event, pressedAt) {
    const place = this.#placeUnder(pressedAt, this.contents?.drags || []);
    const piece = place && this.contents?.drags?.includes(place) && this.#pieceAt(place);
    if (!piece) return;
    this.frame.setPointerCapture(event.pointerId);
    this.dragged = place;
    this.onGrab(place);
    piece.classList.add("dragged");
    this.drawing?.pieces.append(piece); // over the others
  }

  /**
   * A tap where a finger went down and up; a piece that was dragged is dropped by a tap on where it ends.
   * @param {Point} client
   */
  #release(client) {
    const { pressedAt, dragged } = this;
    this.pressedAt = null;
    if (!pressedAt) return;
    const isTap = distance(pressedAt, { clientX: client[0], clientY: client[1] }) <= LONGEST_TAP_PX;
    const place = this.#placeUnder(client, Object.keys(this.contents?.taps || {}));
    if (dragged) this.#drop(dragged, place);
    else if (isTap && place) this.onTap(place);
  }

  /**
   * @param {Place} from
   * @param {Place | null} to
   */
  #drop(from, to) {
    const piece = this.#pieceAt(from);
    const spot = to && to !== from && this.#spotOfPiece(to);
    if (!to || !spot || !piece) {
      this.#cancel();
      return;
    }
    piece.style.transform = transformOf(spot);
    this.dragged = null;
    this.droppedAt = to;
    setTimeout(() => this.#putBack(piece, to), DROPPED_MS);
    this.onTap(to);
  }

  /**
   * Puts a piece that was dropped back where the game has it.
   * @param {SVGElement} piece
   * @param {Place} droppedAt
   */
  #putBack(piece, droppedAt) {
    piece.classList.remove("dragged");
    piece.style.transform = "";
    if (this.droppedAt === droppedAt) this.droppedAt = null;
  }

  /** Ends a drag: the piece is again where it was. */
  #cancel() {
    const piece = this.dragged && this.#pieceAt(this.dragged);
    if (piece) this.#putBack(piece, "");
    this.dragged = this.pressedAt = null;
  }

  /**
   * @param {Point} client
   * @param {Place[]} likely places that are found from farther away
   */
  #placeUnder(client, likely) {
    return this.board && this.drawing && placeAt(this.board, this.drawing.pointAt(client), likely);
  }
}

/**
 * @param {Point} from
 * @param {{ clientX: number, clientY: number }} to
 */
function distance([x, y], { clientX, clientY }) {
  return Math.hypot(clientX - x, clientY - y);
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
