// The queue of finger movements on the virtual table: it sends them to the server in their order.

import { isUnreached } from "../shared/api.js";

/** @import { Point } from "../shared/types.d.ts" */
/** @typedef {[kind: string, x: number, y: number]} FingerMove */

const RETRY_MS = 1_000;

/**
 * Gathers movements and sends them in order, one batch after the other. Of moves that wait, only the last one
 * counts. Where they do not arrive what was begun is given up, since it would come too late: what the hand holds
 * there is put back as soon as there is a connection.
 */
export class FingerQueue {
  /**
   * @param {(moves: FingerMove[]) => Promise<unknown>} send
   * @param {number} pauseMs between two batches
   * @param {(error: unknown) => unknown} onLoss is told why movements did not arrive
   */
  constructor(send, pauseMs, onLoss) {
    this.send = send;
    this.pauseMs = pauseMs;
    this.onLoss = onLoss;
    /** @type {FingerMove[]} */
    this.waiting = [];
    this.isSending = false;
    /** @type {Point} where the finger came down last */
    this.start = [0, 0];
  }

  /** @param {FingerMove} move */
  add(move) {
    const [kind, ...at] = move;
    if (kind === "down") this.start = at;
    const isSuperseding = kind === "move" && this.waiting.at(-1)?.[0] === "move";
    if (isSuperseding) this.waiting.pop();
    this.waiting.push(move);
    if (!this.isSending) this.#sendAll();
  }

  async #sendAll() {
    this.isSending = true;
    while (this.waiting.length) {
      const moves = this.waiting.splice(0);
      const isLost = await this.send(moves).then(
        () => false,
        (error) => this.#lose(moves, error),
      );
      await new Promise((done) => setTimeout(done, isLost ? RETRY_MS : this.pauseMs));
    }
    this.isSending = false;
  }

  /**
   * Gives up what was begun; returns whether a hand has to be let go of later.
   * @param {FingerMove[]} moves
   * @param {unknown} error
   */
  #lose(moves, error) {
    const isRetry = moves.length === 1 && moves[0][0] === "cancel";
    if (!isRetry) this.onLoss(error);
    const isHeld = isUnreached(error);
    this.waiting = isHeld ? [["cancel", ...this.start]] : [];
    return isHeld;
  }
}
