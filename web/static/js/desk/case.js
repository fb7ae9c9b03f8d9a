// The board that was chosen at the desk: drawn large, with what its arbiter can do there.

import { LaidPosition } from "../display/laid_position.js";
import { post, reasonOf } from "../shared/api.js";
import { button, form, html, replaceContent, row, submitButton, textField } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { colourOf } from "../shared/players.js";
import { askToConfirm, toast } from "../shared/sheet.js";
import { TileView } from "../wall/tile.js";
import { rulingWords } from "./ruling_words.js";

/** @import { Child, Place, Player } from "../shared/types.d.ts" */
/** @import { Tile } from "../shared/wire.d.ts" */

/** The times that can be given to a player, in seconds. */
const TIMES = [-60, 60, 120, 300];

export class Case {
  /**
   * @param {HTMLElement} element
   * @param {() => boolean} isArbiter
   */
  constructor(element, isArbiter) {
    this.element = element;
    this.isArbiter = isArbiter;
    this.name = "";
    /** @type {Tile | null} */
    this.tile = null;
    this.address = "";
    this.view = new TileView();
    this.view.view.onTap = (place) => this.#lay(place);
    this.deeds = html("div", { class: "deeds" });
    /** @type {LaidPosition | null} the correction that is being made */
    this.edit = null;
    this.answer = { words: "", isGood: true };
    this.key = "";
  }

  /** @param {string} name of the board */
  open(name) {
    if (name === this.name) return;
    this.name = name;
    this.edit = null;
    this.answer = { words: "", isGood: true };
    this.view = new TileView();
    this.view.view.onTap = (place) => this.#lay(place);
    this.element.replaceChildren(this.view.element, this.deeds);
    this.redraw();
  }

  /** Draws what can be done anew the next time. */
  redraw() {
    this.key = "";
    if (this.tile && this.name === this.tile.name) this.#draw();
  }

  /**
   * @param {Tile} tile
   * @param {number} now
   * @param {string} address of the board's API; '' where the desk knows none
   */
  show(tile, now, address) {
    const isAnotherGame = this.tile?.name === tile.name && this.tile.number !== tile.number;
    if (isAnotherGame) this.#end();
    this.tile = tile;
    this.address = address;
    if (this.edit) this.view.tick(now);
    else this.view.show(tile, now);
    this.#draw();
  }

  #draw() {
    const { tile } = this;
    if (!tile) return;
    this.element.classList.toggle("editing", this.edit !== null);
    const { name, number, state, game, question, clock, ending, ruled, turn } = tile;
    const isRunning = clock && [Object.keys(clock.left), clock.held];
    const key = JSON.stringify([
      name,
      number,
      state,
      game,
      question,
      isRunning,
      ending,
      ruled,
      this.edit ? turn : "",
      this.address,
      this.edit && [this.edit.looks, this.edit.chosen],
      this.answer,
      this.isArbiter(),
      Boolean(this.view.board),
    ]);
    if (key === this.key) return;
    this.key = key;
    this.edit?.drawBoard();
    replaceContent(this.deeds, this.#answer(), this.isArbiter() ? this.#tools(tile) : this.#asked());
  }

  #asked() {
    return html("p", { class: "said" }, t("Only the arbiter rules: enter the arbiter’s PIN."));
  }

  #answer() {
    const { words, isGood } = this.answer;
    return words && html("p", { class: `answer ${isGood ? "" : "wrong"}`, role: "status" }, words);
  }

  /** @param {Tile} tile */
  #tools(tile) {
    if (!this.address) return [this.#addressForm(tile)];
    if (this.edit) return [this.#correction(tile)];
    const isOn = tile.game !== null && tile.state !== "empty";
    return [
      isOn && this.#question(tile),
      isOn && this.#results(tile),
      isOn && this.#position(tile),
      isOn && this.#clock(tile),
      this.#reach(tile),
    ];
  }

  /** @param {Tile} tile */
  #question({ question }) {
    if (!question) return null;
    const choose = (/** @type {string} */ action) => () =>
      this.#rule("answer", { question: question.id, choice: action.split(" ") });
    return section(
      t("Which of these was it?"),
      question.choices.map(({ action, words }) => button(words || action, choose(action))),
    );
  }

  /** @param {Tile} tile */
  #results(tile) {
    const { players = [] } = tile.game || {};
    const { ending } = tile;
    const instead = ending ? t("In place of the result: {result}", { result: ending.words }) : "";
    const rule = (/** @type {Player} */ winner) => () => this.#confirm("result", { winner }, instead);
    return section(
      t("Result"),
      row(
        players.map((player) => button(t("{player} wins", { player: colourOf(player) }), rule(player))),
        players.length > 1 && button(t("A draw"), rule("")),
      ),
    );
  }

  /** @param {Tile} tile */
  #position({ ruled }) {
    const takeBack = (/** @type {number} */ count) => () =>
      this.#confirm("takeback", { count, plies: this.tile?.last?.n || 0 });
    return section(
      t("Position"),
      row(
        ruled
          ? button(t("Lift the result"), takeBack(0))
          : button(t("Take back the last action"), takeBack(1)),
        button(t("Correct the position"), () => this.#begin()),
        button(t("The board is right as it stands in the game"), () => this.#confirm("board", {})),
      ),
    );
  }

  /** @param {Tile} tile */
  #clock({ clock, ending }) {
    if (!clock || ending) return null;
    const give = (/** @type {Player} */ player, /** @type {number} */ seconds) => () =>
      this.#rule("give", { player, seconds });
    const run = clock.held
      ? button(t("Let the clock go on"), () => this.#rule("start", {}))
      : button(t("Stop the clock"), () => this.#rule("stop", {}));
    return section(
      t("Clock"),
      run,
      Object.keys(clock.left).map((player) =>
        row(
          html("span", {}, colourOf(player)),
          TIMES.map((seconds) => button(minutes(seconds), give(player, seconds))),
        ),
      ),
    );
  }

  /** @param {Tile} tile */
  #reach(tile) {
    const link = html(
      "a",
      { class: "button", href: this.address, rel: "noreferrer" },
      t("The board’s own page"),
    );
    const forget = button(t("Forget its address"), () => this.#enter(tile, { address: "" }), {
      class: "button quiet",
    });
    return html("section", {}, row(link, forget));
  }

  /**
   * Asks for a board's address and token: only what is entered here is ever sent a token.
   * @param {Tile} tile
   */
  #addressForm(tile) {
    const field = (/** @type {string} */ name, /** @type {string} */ words, /** @type {object} */ more) =>
      html("label", {}, words, textField({ name, ...more }));
    const submit = (/** @type {SubmitEvent} */ event) => {
      const values = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
      const entered = ["address", "token", "fingerprint"].map((name) => [
        name,
        String(values.get(name) || ""),
      ]);
      this.#enter(tile, Object.fromEntries(entered));
    };
    return form(
      submit,
      { name: `address of ${tile.name}` },
      html("h2", {}, t("How does the desk reach this board?")),
      html(
        "p",
        { class: "soft" },
        t("The token is made on the board’s page (More, Connect an app), for the arbiter."),
      ),
      field("address", t("Address"), { placeholder: "http://…:8000", required: true }),
      field("token", t("Token"), { type: "password", required: true }),
      field("fingerprint", t("Fingerprint, where it made its certificate itself"), {}),
      submitButton(t("Keep it")),
    );
  }

  /**
   * @param {Tile} tile
   * @param {{ address: string }} values
   */
  async #enter({ name }, values) {
    try {
      /** @type {{ words: string }} */
      const { words } = await post("desk/boards", { board: name, ...values });
      this.answer = { words, isGood: !words };
    } catch (error) {
      this.answer = { words: reasonOf(error), isGood: false };
    }
    this.redraw();
  }

  /**
   * @param {string} kind
   * @param {Record<string, unknown>} values
   * @param {string} [more] what it changes
   */
  #confirm(kind, values, more = "") {
    const words = `${rulingWords(kind, values)}. ${more}`;
    askToConfirm(this.name, words, t("Rule so"), () => this.#rule(kind, values));
  }

  /**
   * Sends a ruling to the board, for the game that is shown.
   * @param {string} kind
   * @param {Record<string, unknown>} values
   */
  async #rule(kind, values) {
    const { name, tile } = this;
    if (!tile || tile.number === null) return;
    try {
      /** @type {{ words: string }} */
      const { words } = await post("desk/rulings", { board: name, number: tile.number, kind, values });
      this.#end();
      this.answer = { words: `${rulingWords(kind, values)}: ${words}`, isGood: true };
    } catch (error) {
      this.answer = { words: reasonOf(error), isGood: false };
    }
    if (name === this.name) this.redraw();
    else toast(this.answer.words);
  }

  #begin() {
    const { tile, view } = this;
    if (!tile || !view.board) return;
    const looks = Object.keys(view.board.symbols).filter((look) => !look.includes("+"));
    const turn = tile.turn || tile.game?.players[0] || "";
    this.edit = new LaidPosition(view.board, view.view, tile.pieces, turn, looks); // no markers
    this.redraw();
  }

  /** @param {Place} place */
  #lay(place) {
    if (!this.edit) return;
    this.edit.tap(place);
    this.redraw();
  }

  /** @param {Tile} tile */
  #correction(tile) {
    const edit = /** @type {LaidPosition} */ (this.edit);
    const rule = () =>
      this.#rule("correction", { looks: edit.looks, turn: edit.turn, plies: tile.last?.n || 0 });
    return html(
      "section",
      { class: "correct" },
      html("h2", {}, t("Correct the position")),
      html("p", { class: "soft" }, t("Tap a piece, then its place.")),
      edit.choices(tile.game?.players || [], tile, () => this.redraw()),
      row(
        button(t("Done"), rule, { class: "button strong" }),
        button(t("Cancel"), () => this.#end()),
      ),
    );
  }

  #end() {
    this.edit = null;
    this.view.forget();
    this.redraw();
  }
}

/**
 * @param {string} title
 * @param {Child[]} content
 */
function section(title, ...content) {
  return html("section", {}, html("h2", {}, title), content);
}

/** @param {number} seconds */
function minutes(seconds) {
  return `${seconds < 0 ? "−" : "+"}${Math.abs(seconds) / 60} min`;
}
