// A board opened by a tap: drawn large, with its players, its last moves, its result, and the way to its own page.

import { get } from "../shared/api.js";
import { button, html, replaceContent, showIfChanged } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { nameOf } from "../shared/players.js";
import { dueNeeds } from "./hall.js";
import { TileView } from "./tile.js";
import { needDetails, needWords } from "./words.js";

/** @import { Tile } from "../shared/wire.d.ts" */

/** The moves that are shown: a whole game would push all else away. */
const SHOWN_MOVES = 24;

export class OpenedBoard {
  /**
   * @param {HTMLElement} element
   * @param {() => unknown} onClose
   */
  constructor(element, onClose) {
    this.element = element;
    this.onClose = onClose;
    this.name = "";
    this.view = new TileView();
    this.needs = html("ul", { class: "needs" });
    this.moves = html("ol", { class: "last-moves", "aria-label": t("Last moves") });
    this.link = html("p", { class: "link" });
    this.movesKey = "";
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** @param {string} name of the board */
  open(name) {
    this.name = name;
    this.movesKey = "";
    const close = button(t("Close"), () => this.close(), { class: "button close" });
    replaceContent(
      this.element,
      this.view.element,
      html("div", { class: "beside" }, close, this.needs, this.moves, this.link),
    );
    this.element.hidden = false;
    this.element.setAttribute("aria-label", name);
    close.focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return;
    this.element.hidden = true;
    this.name = "";
    this.onClose();
  }

  /**
   * @param {Tile} tile
   * @param {number} now
   * @param {string} address of the board's own page; '' where none is known
   */
  show(tile, now, address) {
    this.view.show(tile, now);
    this.tick(tile, now);
    showIfChanged(this.link, [address], () =>
      address
        ? html("a", { class: "button", href: address, rel: "noreferrer" }, t("The board’s own page"))
        : "",
    );
    const key = JSON.stringify([tile.name, tile.number, tile.last]);
    if (key === this.movesKey) return;
    this.movesKey = key;
    this.#fetchMoves(tile);
  }

  /**
   * @param {Tile} tile
   * @param {number} now
   */
  tick(tile, now) {
    this.view.tick(now);
    const needs = dueNeeds(tile, now);
    showIfChanged(this.needs, needs, () =>
      needs.map((need) =>
        html(
          "li",
          { "data-kind": need.kind },
          html("b", {}, needWords(tile, need)),
          html("span", { class: "soft" }, needDetails(need)),
        ),
      ),
    );
  }

  /** @param {Tile} tile */
  async #fetchMoves(tile) {
    /** @type {{ moves: { n: number, player: string, written: string }[] }} */
    const { moves } = await get(`moves?board=${encodeURIComponent(tile.name)}`).catch(() => ({ moves: [] }));
    if (tile.name !== this.name) return;
    const items = moves
      .slice(-SHOWN_MOVES)
      .map(({ n, player, written }) =>
        html(
          "li",
          { value: n, title: nameOf(tile, player) },
          html("span", {}, `${n}.`),
          html("b", {}, written),
        ),
      );
    replaceContent(this.moves, items.reverse());
  }
}
