// The wall: all boards of the hall that the filter shows, on as many pages as they need, which follow each other.

import { button, byId, elementOf, html, showIfChanged } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t, tn } from "../shared/language.js";
import { keepScreenOn } from "../shared/screen_wake.js";
import { perPage } from "./arrangement.js";
import { STATES, writeFilter } from "./filter.js";
import { dueNeeds, Hall, isSilent } from "./hall.js";
import { OpenedBoard } from "./opened_board.js";
import { Tiles } from "./tiles.js";
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
    this.opened = new OpenedBoard(byId("opened"), () => this.#opened());
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
    this.tiles = new Tiles(this.hall, (name) => this.open(name));
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
    if (this.tiles.showNews(this.#onPage(), changed)) this.#layOut();
    else this.#showOpened();
  }

  /**
   * Returns the boards of the page that is shown.
   * @returns {Tile[]}
   */
  #onPage() {
    const { shown, list } = this.tiles;
    const room = [shown.length, list.clientWidth, list.clientHeight].join();
    if (room !== this.room) this.each = perPage(shown.length, list.clientWidth, list.clientHeight);
    this.room = room;
    const { each } = this;
    this.pages = Math.max(1, Math.ceil(shown.length / each));
    this.page = Math.min(this.page, this.pages - 1);
    return shown.slice(this.page * each, (this.page + 1) * each);
  }

  #layOut() {
    const shown = this.#onPage();
    this.tiles.layOut(shown, this.tiles.list.clientWidth, this.tiles.list.clientHeight);
    byId("nothing").hidden = shown.length > 0 || !this.hall.isKnown;
    this.#showPages();
    this.#showOpened();
  }

  #tick() {
    this.tiles.tick();
    const tile = this.hall.tiles.get(this.opened.name);
    if (tile) this.opened.tick(tile, this.hall.now);
    this.#count();
    if (this.pages > 1 && !this.isHeld && !this.opened.isOpen && Date.now() >= this.turnsAt) this.#turn(1);
  }

  /** Says how many boards there are, and how many of them wait or are silent. */
  #count() {
    const { hall } = this;
    const { shown } = this.tiles;
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
    this.tiles.list.querySelector("button")?.focus({ preventScroll: true });
  }

  #makeTools() {
    const search = elementOf("words", HTMLInputElement);
    search.value = this.tiles.filter.words;
    search.addEventListener("input", () => this.#choose({ words: search.value.trim() }));
    for (const name of /** @type {const} */ (["game", "round", "state"])) {
      const select = elementOf(name, HTMLSelectElement);
      select.addEventListener("change", () => this.#choose({ [name]: select.value }));
    }
    const states = STATES.map((state) => html("option", { value: state }, STATE_WORDS[state]));
    byId("state").append(...states);
    elementOf("state", HTMLSelectElement).value = this.tiles.filter.state;
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
    const chosen = this.tiles.filter[name];
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
    const filter = { ...this.tiles.filter, ...change };
    this.tiles.filter = filter;
    history.replaceState(null, "", `${location.pathname}${writeFilter(filter, location.search)}`);
    this.page = 0;
    this.#layOut();
  }
}
