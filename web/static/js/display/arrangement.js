// The pieces that fill in the blanks of an action: a player lays one of the stock on each site.
// Their letters, in the order of the sites, complete the action's text. What is laid outlasts a reload of the page and
// a table that is not reached, and is shown to that player alone, as all secrets are: to whoever has the seat, or is
// handed the tablet.

import { button, byId, html, replaceContent, row } from "../shared/dom.js";
import { t, tn } from "../shared/language.js";
import { nameOf } from "../shared/players.js";
import { keep, recall } from "../shared/storage.js";
import { capital, describePlace } from "../shared/text.js";
import { isHelping } from "./first_game.js";
import { palette, swatch } from "./swatch.js";

/** @import { BoardView } from "../shared/board_view.js" */
/** @import { ActionForm, BoardData, GameState, Place, StockPiece } from "../shared/types.d.ts" */

/** The blank of an action that is a pattern. */
const BLANK = "?";
/** The name under which the browser's window keeps what is laid. */
const LAID = "laid";

export class Arrangement {
  /**
   * @param {GameState} state
   * @param {{ action: string, form: ActionForm }} entry
   * @param {BoardData} board
   * @param {BoardView} view
   * @param {(action: string) => unknown} onReady
   */
  constructor(state, { action, form }, board, view, onReady) {
    this.state = state;
    this.pattern = action;
    this.form = form;
    this.board = board;
    this.view = view;
    this.onReady = onReady;
    /** @type {Record<Place, StockPiece>} */
    this.laid = this.#recall();
    this.chosen = this.#next() || form.stock[0];
    this.draw();
  }

  /** Returns what this player had laid already. @returns {Record<Place, StockPiece>} */
  #recall() {
    const { number, to_act } = this.state;
    const { of, letters = {} } = recall("sessionStorage", LAID) || {};
    if (of !== `${number} ${to_act}`) return {};
    const pieces = this.form.sites.map((site) => [
      site,
      this.form.stock.find((p) => p.letter === letters[site]),
    ]);
    return Object.fromEntries(pieces.filter(([, piece]) => piece));
  }

  /** Keeps what is laid, and draws it. */
  #change() {
    const { number, to_act } = this.state;
    const letters = Object.fromEntries(Object.entries(this.laid).map(([site, { letter }]) => [site, letter]));
    keep("sessionStorage", LAID, { of: `${number} ${to_act}`, letters });
    this.draw();
  }

  /** Returns a piece of the stock that is left. */
  #next() {
    return this.form.stock.find((piece) => this.left(piece) > 0);
  }

  /**
   * Returns how many pieces of this kind are left.
   * @param {StockPiece} piece
   */
  left({ letter, number }) {
    return number - Object.values(this.laid).filter((piece) => piece.letter === letter).length;
  }

  /**
   * Lays the chosen piece on a site; a tap on one of its kind takes it away.
   * @param {Place} place
   */
  tap(place) {
    if (!this.form.sites.includes(place)) return;
    const stood = this.laid[place];
    delete this.laid[place];
    if (stood !== this.chosen && this.left(this.chosen) > 0) this.laid[place] = this.chosen;
    if (this.left(this.chosen) <= 0) {
      this.chosen = this.#next() || this.chosen;
    }
    this.#change();
  }

  /** Lays the rest of the stock by chance. */
  fill() {
    const rest = this.form.stock.flatMap((piece) => Array(this.left(piece)).fill(piece));
    for (const site of this.form.sites) {
      if (this.laid[site]) continue;
      const [piece] = rest.splice(Math.floor(Math.random() * rest.length), 1);
      this.laid[site] = piece;
    }
    this.#change();
  }

  clear() {
    this.laid = {};
    this.#change();
  }

  submit() {
    const letters = this.form.sites.map((site) => this.laid[site].letter);
    this.onReady(this.pattern.replace(BLANK, letters.join("")));
  }

  /**
   * Forgets what is laid, once the game has it.
   * @param {GameState} state
   */
  leave({ plies }) {
    if (plies !== this.state.plies) keep("sessionStorage", LAID, null);
  }

  draw() {
    const { sites } = this.form;
    const looks = Object.fromEntries(Object.entries(this.laid).map(([site, { look }]) => [site, look]));
    const taps = sites.map((site) => [site, describePlace(this.board, site, looks[site])]);
    this.view.draw({
      pieces: { ...this.state.pieces, ...looks },
      marks: [{ kind: "can", sites: sites.filter((site) => !looks[site]) }],
      taps: Object.fromEntries(taps),
    });
    replaceContent(byId("news"), this.#makeCard(sites.length - Object.keys(looks).length));
  }

  /** @param {number} missing the sites that are still blank */
  #makeCard(missing) {
    const ready = missing ? tn("{n} to go", "{n} to go", missing) : t("Ready");
    const { prompt, to_act } = this.state;
    const chosen = { piece: capital(this.chosen.words) };
    const what = missing
      ? t("{piece}: tap its place, or choose another piece.", chosen)
      : t("All pieces stand. Tap Ready, or a place to change it.");
    return html(
      "section",
      { class: "card correct arrange", "aria-live": "off" },
      html("h2", {}, t("{player}: {prompt}.", { player: nameOf(this.state, to_act), prompt })),
      isHelping() && html("p", {}, this.state.game.goal),
      html("p", { class: "soft" }, what),
      palette(this.form.stock.map((piece) => this.#swatch(piece))),
      row(
        button(ready, () => this.submit(), {
          class: "button strong",
          disabled: missing > 0,
        }),
        missing > 0 && button(t("The rest by chance"), () => this.fill()),
        button(t("Clear"), () => this.clear()),
      ),
    );
  }

  /** @param {StockPiece} piece */
  #swatch(piece) {
    const left = this.left(piece);
    const shown = {
      label: t("{piece}, {n} left", { piece: capital(piece.words), n: left }),
      words: piece.words,
      isChosen: piece === this.chosen,
    };
    const attributes = {
      disabled: left <= 0,
      onclick: () => this.choose(piece),
    };
    return swatch(this.board, piece.look, shown, attributes, html("small", {}, `×${left}`));
  }

  /** @param {StockPiece} piece */
  choose(piece) {
    this.chosen = piece;
    this.draw();
  }
}
