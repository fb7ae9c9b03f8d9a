// A position that the arbiter lays by taps: any look on any place, and whose turn it is.

import { segments } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { nameOf } from "../shared/players.js";
import { capital, describeLook, describePlace } from "../shared/text.js";
import { palette, swatch } from "./swatch.js";

/** @import { BoardView } from "../shared/board_view.js" */
/** @import { BoardData, Look, Place, Player } from "../shared/types.d.ts" */

export class LaidPosition {
  /**
   * @param {BoardData} board
   * @param {BoardView} view
   * @param {Record<Place, Look>} pieces that stand there at first
   * @param {Player} turn
   * @param {Look[]} laid the looks that can be laid, `empty` not among them
   */
  constructor(board, view, pieces, turn, laid) {
    this.board = board;
    this.view = view;
    this.looks = { ...pieces };
    this.turn = turn;
    this.palette = laid;
    this.chosen = laid[0];
  }

  /** Lays what is chosen, or takes it away again. @param {Place} place */
  tap(place) {
    if (this.chosen === "empty" || this.looks[place] === this.chosen) delete this.looks[place];
    else this.looks[place] = this.chosen;
  }

  drawBoard() {
    const taps = Object.keys(this.board.places).map((place) => [
      place,
      describePlace(this.board, place, this.looks[place]),
    ]);
    this.view.draw({ pieces: this.looks, taps: Object.fromEntries(taps) });
  }

  /**
   * Makes the choice of a look, and of whose turn it is.
   * @param {Player[]} players
   * @param {Pick<import("../shared/types.d.ts").GameState, "head">} named has the players' names
   * @param {() => unknown} onChoose is called when another look is chosen
   */
  choices(players, named, onChoose) {
    const offered = (/** @type {Look} */ look) => {
      const words = look === "empty" ? t("Take away") : capital(describeLook(this.board, look));
      const onclick = () => {
        this.chosen = look;
        onChoose();
      };
      return swatch(this.board, look, { label: words, words, isChosen: look === this.chosen }, { onclick });
    };
    /** @type {[Player, string][]} */
    const turns = players.map((player) => [player, t("{player} to play", { player: nameOf(named, player) })]);
    const group = { role: "group", "aria-label": t("Whose turn") };
    return [
      palette(["empty", ...this.palette].map(offered)),
      segments("turn", turns, this.turn, (player) => (this.turn = player), group),
    ];
  }
}
