// Boards without anything around them, for programs that broadcast: one (?board=Hall A/7), or those of a filter.

import { byId, replaceContent } from "../shared/dom.js";
import { arrange } from "./arrangement.js";
import { isShown, readFilter, statesOf } from "./filter.js";
import { dueNeeds, Hall, isSilent } from "./hall.js";
import { TileView } from "./tile.js";

const TICK_MS = 100;

class Overlay {
  constructor() {
    this.list = byId("tiles");
    this.filter = readFilter(location.search);
    /** @type {Map<string, TileView>} */
    this.views = new Map();
    this.hall = new Hall({ onBoards: (changed) => this.#receive(changed), onConnection: () => {} });
    addEventListener("resize", () => this.#layOut());
    setInterval(() => this.#tick(), TICK_MS);
  }

  get shown() {
    const { now } = this.hall;
    return this.hall.all.filter((tile) => {
      const isWaiting = dueNeeds(tile, now).length > 0;
      return isShown(this.filter, tile, statesOf(tile, { isWaiting, isSilent: isSilent(tile, now) }));
    });
  }

  /** @param {Set<string>} changed */
  #receive(changed) {
    const names = this.shown.map(({ name }) => name);
    if (names.length !== this.views.size || !names.every((name) => this.views.has(name))) this.#layOut();
    else for (const name of changed) this.#show(name);
  }

  #layOut() {
    const tiles = this.shown;
    const { columns, rows, form, letter } = arrange(tiles.length, innerWidth, innerHeight);
    this.list.dataset.form = form;
    this.list.style.setProperty("--columns", String(columns));
    this.list.style.setProperty("--rows", String(rows));
    this.list.style.setProperty("--letter", `${letter.toFixed(2)}px`);
    const before = this.views;
    this.views = new Map(tiles.map(({ name }) => [name, before.get(name) || new TileView()]));
    replaceContent(
      this.list,
      [...this.views.values()].map(({ element }) => element),
    );
    for (const { name } of tiles) this.#show(name);
  }

  /** @param {string} name */
  #show(name) {
    const tile = this.hall.tiles.get(name);
    if (tile) this.views.get(name)?.show(tile, this.hall.now);
  }

  #tick() {
    for (const view of this.views.values()) view.tick(this.hall.now);
  }
}

new Overlay();
