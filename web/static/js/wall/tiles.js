// The tiles of the boards that a filter shows, laid out so that they fill the page.

import { byId, replaceContent } from "../shared/dom.js";
import { arrange } from "./arrangement.js";
import { isShown, readFilter, statesOf } from "./filter.js";
import { dueNeeds, isSilent } from "./hall.js";
import { TileView } from "./tile.js";

/** @import { Tile } from "../shared/wire.d.ts" */
/** @import { Hall } from "./hall.js" */

export class Tiles {
  /**
   * @param {Hall} hall
   * @param {(name: string) => unknown} [onOpen]
   */
  constructor(hall, onOpen) {
    this.hall = hall;
    this.onOpen = onOpen;
    this.list = byId("tiles");
    this.filter = readFilter(location.search);
    /** @type {Map<string, TileView>} the tiles that are on the page now */
    this.views = new Map();
  }

  /** Returns the boards that the filter shows. */
  get shown() {
    const { now } = this.hall;
    return this.hall.all.filter((tile) => {
      const isWaiting = dueNeeds(tile, now).length > 0;
      return isShown(this.filter, tile, statesOf(tile, { isWaiting, isSilent: isSilent(tile, now) }));
    });
  }

  /**
   * Shows what has changed on the boards of this page. Returns whether other boards are on it, which then has to be
   * laid out.
   * @param {Tile[]} tiles
   * @param {Set<string>} changed
   */
  showNews(tiles, changed) {
    if (tiles.length !== this.views.size || !tiles.every(({ name }) => this.views.has(name))) return true;
    for (const tile of tiles) if (changed.has(tile.name)) this.#show(tile);
    return false;
  }

  /**
   * Lays tiles out in a room of so many pixels; those that stay keep their elements.
   * @param {Tile[]} tiles
   * @param {number} width
   * @param {number} height
   */
  layOut(tiles, width, height) {
    const { columns, rows, form, letter } = arrange(tiles.length, width, height);
    this.list.dataset.form = form;
    const properties = { "--columns": columns, "--rows": rows, "--letter": `${letter.toFixed(2)}px` };
    for (const [name, value] of Object.entries(properties)) this.list.style.setProperty(name, String(value));
    const before = this.views;
    this.views = new Map(tiles.map(({ name }) => [name, before.get(name) || new TileView(this.onOpen)]));
    replaceContent(
      this.list,
      [...this.views.values()].map(({ element }) => element),
    );
    for (const tile of tiles) this.#show(tile);
  }

  tick() {
    for (const view of this.views.values()) view.tick(this.hall.now);
  }

  /** @param {Tile} tile */
  #show(tile) {
    this.views.get(tile.name)?.show(tile, this.hall.now);
  }
}
