// The queue of finger movements on the virtual table: it sends them to the server in their order.

/** @typedef {[kind: string, x: number, y: number]} FingerMove */

/**
 * Gathers movements and sends them in order, one batch after the other. Of moves that wait, only the last one
 * counts.
 */
export class FingerQueue {
  /**
   * @param {(moves: FingerMove[]) => Promise<unknown>} send
   * @param {number} pauseMs between two batches
   */
  constructor(send, pauseMs) {
    this.send = send;
    this.pauseMs = pauseMs;
    /** @type {FingerMove[]} */
    this.waiting = [];
    this.isSending = false;
  }

  /** @param {FingerMove} move */
  add(move) {
    const isSuperseding = move[0] === "move" && this.waiting.at(-1)?.[0] === "move";
    if (isSuperseding) this.waiting.pop();
    this.waiting.push(move);
    if (!this.isSending) this.#sendAll();
  }

  async #sendAll() {
    this.isSending = true;
    while (this.waiting.length) {
      await this.send(this.waiting.splice(0)).catch(() => {});
      await new Promise((done) => setTimeout(done, this.pauseMs));
    }
    this.isSending = false;
  }
}
