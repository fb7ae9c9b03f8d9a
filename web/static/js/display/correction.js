// The arbiter's correction: any look on any place, and whose turn it is; the rules say whether it can be.

import { meantAt } from "../shared/attempt.js";
import { post, reasonOf } from "../shared/api.js";
import { button, byId, html, segments } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { nameOf } from "../shared/players.js";
import { toast } from "../shared/sheet.js";
import { capital, describeLook, describePlace } from "../shared/text.js";
import { palette, swatch } from "./swatch.js";

/** @import { BoardView } from "../shared/board_view.js" */
/** @import { BoardData, GameState, Look, Place, Player } from "../shared/types.d.ts" */

export class Correction {
  /**
   * @param {GameState} state
   * @param {BoardData} board
   * @param {BoardView} view
   * @param {() => unknown} onEnd
   */
  constructor(state, board, view, onEnd) {
    this.state = state;
    this.board = board;
    this.view = view;
    this.onEnd = onEnd;
    this.looks = { ...state.pieces };
    this.turn = state.turn;
    this.chosen = this.#piecesToLay()[0];
    this.refusal = "";
    /** @type {HTMLElement | null} */
    this.card = null;
    this.draw();
  }

  #piecesToLay() {
    return this.state.game.palette.filter((look) => look !== "empty");
  }

  /** @param {Place} place */
  tap(place) {
    if (this.chosen === "empty" || this.looks[place] === this.chosen) delete this.looks[place];
    else this.looks[place] = this.chosen;
    this.draw();
  }

  draw() {
    const taps = Object.keys(this.board.places).map((place) => [
      place,
      describePlace(this.board, place, this.looks[place]),
    ]);
    this.view.draw({ pieces: this.looks, taps: Object.fromEntries(taps) });
    this.card = this.#makeCard();
    byId("news").replaceChildren(this.card);
  }

  #makeCard() {
    const looks = ["empty", ...this.#piecesToLay()];
    return html(
      "section",
      { class: "card correct" },
      html("h2", {}, t("Correct the position")),
      html("p", { class: "soft" }, t("Tap a piece, then its place.")),
      palette(looks.map((look) => this.#swatch(look))),
      this.#turnChoice(),
      this.refusal && html("p", { class: "why", role: "alert" }, this.refusal),
      html(
        "div",
        { class: "row" },
        button(t("Done"), () => this.submit(), { class: "button strong" }),
        button(t("Clear"), () => this.clear()),
        button(t("Cancel"), () => this.onEnd()),
      ),
    );
  }

  #turnChoice() {
    const { state } = this;
    /** @type {[Player, string][]} */
    const choices = state.game.players.map((player) => [
      player,
      t("{player} to play", { player: nameOf(state, player) }),
    ]);
    const choose = (/** @type {Player} */ player) => (this.turn = player);
    return segments("turn", choices, this.turn, choose, {
      role: "group",
      "aria-label": t("Whose turn"),
    });
  }

  /** @param {Look} look */
  #swatch(look) {
    const words = look === "empty" ? t("Take away") : capital(describeLook(this.board, look));
    const shown = { label: words, words, isChosen: look === this.chosen };
    return swatch(this.board, look, shown, {
      onclick: () => this.choose(look),
    });
  }

  /** @param {Look} look */
  choose(look) {
    this.chosen = look;
    this.draw();
  }

  clear() {
    this.looks = {};
    this.draw();
  }

  async submit() {
    const { looks, turn, state } = this;
    try {
      await post("corrections", {
        looks,
        turn,
        ...meantAt(state),
      });
      this.onEnd();
    } catch (error) {
      if (!this.card?.isConnected) return; // its game ended meanwhile
      this.refusal = reasonOf(error);
      toast("");
      this.draw();
    }
  }
}
