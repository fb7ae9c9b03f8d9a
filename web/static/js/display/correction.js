// The arbiter's correction, in place of the news; the rules say whether the position can be.

import { meantAt, meantNow } from "../shared/attempt.js";
import { post, reasonOf } from "../shared/api.js";
import { button, byId, html, replaceContent, row } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { toast } from "../shared/sheet.js";
import { LaidPosition } from "./laid_position.js";

/** @import { BoardView } from "../shared/board_view.js" */
/** @import { BoardData, GameState, Place } from "../shared/types.d.ts" */

export class Correction {
  /**
   * @param {GameState} state
   * @param {BoardData} board
   * @param {BoardView} view
   * @param {() => unknown} onEnd
   */
  constructor(state, board, view, onEnd) {
    this.state = state;
    /** The moment that is corrected; once it has passed, and that was told, the one that is shown then. */
    this.meant = meantAt(state);
    this.onEnd = onEnd;
    const looks = state.game.palette.filter((look) => look !== "empty");
    this.laid = new LaidPosition(board, view, state.pieces, state.turn, looks);
    this.refusal = "";
    /** @type {HTMLElement | null} */
    this.card = null;
    this.draw();
  }

  /** @param {Place} place */
  tap(place) {
    this.refusal = "";
    this.laid.tap(place);
    this.draw();
  }

  draw() {
    this.laid.drawBoard();
    this.card = this.#makeCard();
    replaceContent(byId("news"), this.card);
  }

  #makeCard() {
    const { state, laid } = this;
    return html(
      "section",
      { class: "card correct", "aria-live": "off" },
      html("h2", {}, t("Correct the position")),
      this.refusal && html("p", { class: "why", role: "alert" }, this.refusal),
      html("p", { class: "soft" }, t("Tap a piece, then its place.")),
      laid.choices(state.game.players, state, () => this.draw()),
      row(
        button(t("Done"), () => this.submit(), { class: "button strong" }),
        button(t("Clear"), () => this.clear()),
        button(t("Cancel"), () => this.onEnd()),
      ),
    );
  }

  clear() {
    this.laid.looks = {};
    this.draw();
  }

  async submit() {
    const { looks, turn } = this.laid;
    try {
      await post("corrections", { looks, turn, ...this.meant });
      this.onEnd();
    } catch (error) {
      if (!this.card?.isConnected) return; // its game ended meanwhile
      this.refusal = reasonOf(error);
      this.meant = meantNow();
      toast("");
      this.draw();
      this.card.scrollIntoView();
    }
  }
}
