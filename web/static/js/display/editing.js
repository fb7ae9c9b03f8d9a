// The two ways to lay pieces on the board of the page: the arbiter's correction, and filling in an action's blanks.

import { byId } from "../shared/dom.js";
import { Arrangement } from "./arrangement.js";
import { Correction } from "./correction.js";

/** @import { BoardView } from "../shared/board_view.js" */
/** @import { BoardData, GameState, Place } from "../shared/types.d.ts" */

export class Editing {
  /**
   * @param {BoardView} view
   * @param {{ onAction: (action: string) => unknown, onEnd: () => unknown }} handlers
   */
  constructor(view, { onAction, onEnd }) {
    this.view = view;
    this.onAction = onAction;
    this.onEnd = onEnd;
    /** @type {Correction | null} */
    this.correction = null;
    /** @type {Arrangement | null} */
    this.arrangement = null;
  }

  /**
   * Gives a tap to what is being edited; returns whether anything is.
   * @param {Place} place
   */
  tap(place) {
    const edited = this.correction || this.arrangement;
    edited?.tap(place);
    return edited !== null;
  }

  /**
   * @param {GameState} state
   * @param {BoardData} board
   */
  startCorrection(state, board) {
    this.correction = new Correction(state, board, this.view, () => {
      this.endCorrection();
      this.onEnd();
    });
  }

  endCorrection() {
    this.correction = null;
    byId("news").replaceChildren();
  }

  /**
   * Offers the blanks of an action where one of the legal actions has any; returns whether one has. Each player
   * begins anew.
   * @param {GameState} state
   * @param {BoardData} board
   * @param {boolean} mayAct
   */
  updateArrangement(state, board, mayAct) {
    const entry = mayAct ? state.legal.find(({ form }) => form) : undefined;
    const isAnothers = this.arrangement?.state.to_act !== state.to_act;
    if (this.arrangement && (!entry || isAnothers)) {
      this.arrangement.leave(state);
      this.arrangement = null;
    }
    if (!entry?.form) return false;
    const { action, form } = entry;
    this.arrangement ||= new Arrangement(state, { action, form }, board, this.view, this.onAction);
    return true;
  }
}
