// The board of the game that is on, fetched when another game begins.

import { get } from "../shared/api.js";

/** @import { BoardView } from "../shared/board_view.js" */
/** @import { BoardData, TableState } from "../shared/types.d.ts" */

export class BoardLoader {
  /**
   * @param {BoardView} view
   * @param {{ onStart: () => unknown, onFailure: () => unknown }} handlers
   */
  constructor(view, { onStart, onFailure }) {
    this.view = view;
    this.onStart = onStart;
    this.onFailure = onFailure;
    this.key = "";
    this.loading = Promise.resolve();
  }

  /** Makes the next state load its board anew. */
  forget() {
    this.key = "";
  }

  /**
   * Returns once the view shows this state's board. Nothing is drawn on a board that is not the game's: a state
   * that comes while one is loading waits for it.
   * @param {TableState} state
   */
  async load({ game, number }) {
    if (!game) return;
    const key = `${game.name} ${game.board} ${JSON.stringify(game.options)} ${number}`;
    if (this.key !== key) {
      this.key = key;
      this.onStart();
      this.loading = this.#fetch(key);
    }
    await this.loading.catch(() => {
      this.forget();
      this.onFailure();
    });
  }

  /** @param {string} key of the board that is asked for */
  async #fetch(key) {
    /** @type {BoardData} */
    const board = await get("board");
    if (key === this.key) this.view.load(board); // else another game has begun meanwhile
  }
}
