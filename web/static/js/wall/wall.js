// The wall: all boards of the hall that the filter shows, on as many pages as they need, which follow each other.

import { button, byId, elementOf, html, replaceContent, showIfChanged } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t, tn } from "../shared/language.js";
import { keepScreenOn } from "../shared/screen_wake.js";
import { arrange, perPage } from "./arrangement.js";
import { isShown, readFilter, statesOf, STATES, writeFilter } from "./filter.js";
import { dueNeeds, Hall, isSilent } from "./hall.js";
import { OpenedBoard } from "./opened_board.js";
import { TileView } from "./tile.js";
import { STATE_WORDS } from "./words.js";

/** @import { Tile } from "../shared/wire.d.ts" */
/** @import { Filter } from "./filter.js" */

const TICK_MS = 200;
/** A page of boards is shown for so long. */
const PAGE_S = 12;
/** After a tap or a key the pages stay for so long. */
const HELD_S = 60;

export class Wall {
  constructor() {
    this.element = byId("wall");
    this.list = byId("tiles");
    this.filter = readFilter(location.search);
    this.opened = new OpenedBoard(byId("opened"), () => this.#opened());
    /** @type {Map<string, TileView>} the tiles that are on the page now */
    this.views = new Map();
    this.page = 0;
    this.pages = 1;
    /** The tiles on a page, and what that was worked out for. */
    this.each = 1;
    this.room = "";
    this.turnsAt = Date.now() + 1000 * PAGE_S;
    this.isHeld = false;
    this.hall = new Hall({
      onBoards: (changed) => this.#receive(changed),
      onNotes: () => this.#receive(new Set()),
      onConnection: (isConnected) => (byId("lost").hidden = isConnected),
    });
    this.#makeTools();
    addEventListener("resize", () => this.#layOut());
    addEventListener("keydown", (event) => this.#press(event));
    setInterval(() => document.visibilityState === "visible" && this.#tick(), TICK_MS);
    keepScreenOn();
  }

  /** @param {Set<string>} changed */
  #receive(changed) {
    byId("lost-broker").hidden = !this.hall.notes.lost;
    this.#showChoices();
    const names = this.#onPage().map(({ name }) => name);
    const isSame = names.length === this.views.size && names.every((name) => this.views.has(name));
    if (!isSame) {
      this.#layOut();
      return;
    }
    for (const name of changed) this.#show(name);
    this.#showOpened();
  }

  /** @param {string} name */
  #show(name) {
    const tile = this.hall.tiles.get(name);
    if (tile) this.views.get(name)?.show(tile, this.hall.now);
  }

  /** Returns the boards that the filter shows. */
  get shown() {
    const now = this.hall.now;
    return this.hall.all.filter((tile) => isShown(this.filter, tile, this.#statesOf(tile, now)));
  }

  /**
   * @param {Tile} tile
   * @param {number} now
   */
  #statesOf(tile, now) {
    return statesOf(tile, { isWaiting: dueNeeds(tile, now).length > 0, isSilent: isSilent(tile, now) });
  }

  /**
   * Returns the boards of the page that is shown.
   * @returns {Tile[]}
   */
  #onPage() {
    const { shown } = this;
    const { width, height } = this.#room();
    const room = [shown.length, width, height].join();
    if (room !== this.room) this.each = perPage(shown.length, width, height);
    this.room = room;
    const { each } = this;
    this.pages = Math.max(1, Math.ceil(shown.length / each));
    this.page = Math.min(this.page, this.pages - 1);
    return shown.slice(this.page * each, (this.page + 1) * each);
  }

  #room() {
    const { clientWidth, clientHeight } = this.list;
    return { width: clientWidth, height: clientHeight };
  }

  /** Lays the tiles of this page out; those that stay keep their elements. */
  #layOut() {
    const tiles = this.#onPage();
    const { width, height } = this.#room();
    const { columns, rows, form, letter } = arrange(tiles.length, width, height);
    this.list.dataset.form = form;
    const properties = { "--columns": columns, "--rows": rows, "--letter": `${letter.toFixed(2)}px` };
    for (const [name, value] of Object.entries(properties)) this.list.style.setProperty(name, String(value));
    const before = this.views;
    this.views = new Map(
      tiles.map(({ name }) => [name, before.get(name) || new TileView((opened) => this.open(opened))]),
    );
    replaceContent(
      this.list,
      [...this.views.values()].map(({ element }) => element),
    );
    for (const tile of tiles) this.views.get(tile.name)?.show(tile, this.hall.now);
    byId("nothing").hidden = tiles.length > 0 || !this.hall.isKnown;
    this.#showPages();
    this.#showOpened();
  }

  #tick() {
    const { now } = this.hall;
    for (const view of this.views.values()) view.tick(now);
    const tile = this.hall.tiles.get(this.opened.name);
    if (tile) this.opened.tick(tile, now);
    this.#count();
    if (this.pages > 1 && !this.isHeld && !this.opened.isOpen && Date.now() >= this.turnsAt) this.#turn(1);
  }

  /** Says how many boards there are, and how many of them wait or are silent. */
  #count() {
    const { hall, shown } = this;
    const waiting = shown.filter((tile) =>
      dueNeeds(tile, hall.now).some(({ kind }) => kind !== "silent"),
    ).length;
    const silent = shown.filter((tile) => isSilent(tile, hall.now)).length;
    showIfChanged(byId("count"), [shown.length, waiting, silent], () => [
      html("span", {}, tn("{n} board", "{n} boards", shown.length)),
      waiting > 0 && html("b", { class: "waiting" }, icon("rule"), tn("{n} waits", "{n} wait", waiting)),
      silent > 0 && html("b", { class: "silent" }, tn("{n} silent", "{n} silent", silent)),
    ]);
  }

  /**
   * Turns to another page of boards.
   * @param {number} by
   * @param {boolean} [isAsked] somebody asked for it: it stays for a while
   */
  #turn(by, isAsked = false) {
    this.page = (this.page + by + this.pages) % this.pages;
    this.turnsAt = Date.now() + 1000 * (isAsked ? HELD_S : PAGE_S);
    this.#layOut();
  }

  #showPages() {
    const { page, pages, isHeld } = this;
    showIfChanged(byId("pages"), [page, pages, isHeld], () =>
      pages < 2
        ? []
        : [
            button("‹", () => this.#turn(-1, true), { "aria-label": t("Page before") }),
            html("span", {}, t("{n} of {count}", { n: page + 1, count: pages })),
            button("›", () => this.#turn(1, true), { "aria-label": t("Next page") }),
            button(isHeld ? "▶" : "❚❚", () => this.#hold(), {
              "aria-label": isHeld ? t("Turn the pages") : t("Hold this page"),
            }),
          ],
    );
  }

  #hold() {
    this.isHeld = !this.isHeld;
    this.turnsAt = Date.now() + 1000 * PAGE_S;
    this.#showPages();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (event.key === "Escape") this.opened.close();
    if (event.key === "ArrowRight" && this.pages > 1) this.#turn(1, true);
    if (event.key === "ArrowLeft" && this.pages > 1) this.#turn(-1, true);
  }

  /** @param {string} name */
  open(name) {
    this.opened.open(name);
    this.#showOpened();
  }

  #showOpened() {
    const { name } = this.opened;
    const tile = this.hall.tiles.get(name);
    if (!name) return;
    if (tile) this.opened.show(tile, this.hall.now, this.hall.notes.addresses[name] || tile.address);
    else this.opened.close();
  }

  /** Gives the focus back to the tile that was opened. */
  #opened() {
    this.list.querySelector("button")?.focus({ preventScroll: true });
  }

  #makeTools() {
    const search = elementOf("words", HTMLInputElement);
    search.value = this.filter.words;
    search.addEventListener("input", () => this.#choose({ words: search.value.trim() }));
    for (const name of /** @type {const} */ (["game", "round", "state"])) {
      const select = elementOf(name, HTMLSelectElement);
      select.addEventListener("change", () => this.#choose({ [name]: select.value }));
    }
    const states = STATES.map((state) => html("option", { value: state }, STATE_WORDS[state]));
    byId("state").append(...states);
    elementOf("state", HTMLSelectElement).value = this.filter.state;
  }

  /** Offers the games and rounds that there are. */
  #showChoices() {
    const tiles = this.hall.all;
    const games = new Map(tiles.flatMap(({ game }) => (game ? [[game.name, game.title]] : [])));
    const rounds = new Set(tiles.flatMap(({ head }) => (head.round ? [head.round] : [])));
    this.#offer("game", t("Any game"), [...games].sort());
    this.#offer(
      "round",
      t("Any round"),
      [...rounds].sort().map((round) => [round, t("Round {n}", { n: round })]),
    );
  }

  /**
   * @param {"game" | "round"} name
   * @param {string} any
   * @param {[value: string, words: string][]} choices
   */
  #offer(name, any, choices) {
    const chosen = this.filter[name];
    const known = choices.some(([value]) => value === chosen) || !chosen;
    /** @type {[string, string][]} */
    const all = [
      ["", any],
      ...choices,
      ...(known ? [] : [/** @type {[string, string]} */ ([chosen, chosen])]),
    ];
    showIfChanged(byId(name), all, () =>
      all.map(([value, words]) => html("option", { value, selected: value === chosen }, words)),
    );
  }

  /** @param {Partial<Filter>} change */
  #choose(change) {
    this.filter = { ...this.filter, ...change };
    history.replaceState(null, "", `${location.pathname}${writeFilter(this.filter, location.search)}`);
    this.page = 0;
    this.#layOut();
  }
}
