// Looking back at an earlier position while the game goes on: what is played meanwhile is told, and changes nothing.

import { get } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { button, html, showIfChanged } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { moveNumber } from "../shared/move_list.js";
import { unbroken } from "../shared/text.js";

/** @import { BoardContents, GameState, Move, PastPosition } from "../shared/types.d.ts" */

export class LookBack {
  /** @param {() => unknown} onChange is called when another position is shown, or the game itself again */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {PastPosition | null} the position that is shown; null while the game itself is */
    this.shown = null;
    /** How many actions stood when looking back began. */
    this.begunAt = 0;
    /** How many positions were asked for: an answer that another one overtook is dropped. */
    this.asked = 0;
  }

  /**
   * Shows the position after so many actions; after all of them the game itself.
   * @param {number} n
   * @param {GameState} state
   */
  async go(n, { moves, number }) {
    if (n >= moves.length) {
      this.leave();
      return;
    }
    const asked = ++this.asked;
    /** @type {PastPosition | null} */
    const past = await get(`positions/${Math.max(n, 0)}`).catch(sayWhy);
    if (asked !== this.asked || past?.number !== number) return;
    if (!this.shown) this.begunAt = moves.length;
    this.shown = past;
    this.onChange();
  }

  /** Shows the game itself again. */
  leave() {
    this.asked += 1;
    if (!this.shown) return;
    this.shown = null;
    this.onChange();
  }

  /**
   * Goes on with another state. What no longer stands in it is not looked at any more.
   * @param {GameState} state
   */
  follow({ number, moves }) {
    if (!this.shown) return;
    const { n, last } = this.shown;
    const stands = n === 0 ? moves.length > 0 : moves[n - 1]?.action === last?.action;
    if (number !== this.shown.number || n >= moves.length || !stands) {
      this.asked += 1;
      this.shown = null;
    }
  }

  /**
   * Returns the move to which a key leads; null for other keys.
   * @param {string} key
   * @param {GameState} state
   */
  moveOf(key, { moves }) {
    const at = this.shown ? this.shown.n : moves.length;
    /** @type {Record<string, number>} */
    const moveOfKey = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moves.length };
    if (this.shown) moveOfKey.Escape = moves.length;
    return moveOfKey[key] ?? null;
  }

  /** @returns {BoardContents | null} */
  get contents() {
    if (!this.shown) return null;
    const { pieces, checked, last } = this.shown;
    return {
      pieces,
      marks: [
        { kind: "last", sites: last?.sites || [] },
        { kind: "check", sites: checked },
      ],
    };
  }

  /**
   * Says which position is shown, and what was played since looking back began.
   * @param {HTMLElement} element
   * @param {GameState} state
   */
  render(element, { moves, game }) {
    const { shown } = this;
    element.hidden = !shown;
    const since = moves.slice(this.begunAt);
    showIfChanged(element, shown && [shown.n, since], () => {
      if (!shown) return [];
      const move = shown.n > 0 && moves[shown.n - 1];
      return [
        html("strong", {}, move ? lookingWords(move, game.players) : t("Looking back at the start")),
        since.length > 0 &&
          html("span", { class: "since" }, sinceWords(since[since.length - 1], game.players)),
        button(t("Back to the game"), () => this.leave(), { class: "button strong" }),
      ];
    });
  }
}

/**
 * @param {Move} move
 * @param {string[]} players
 */
function lookingWords(move, players) {
  return t("Looking back at {number} {move}", {
    number: moveNumber(move, players),
    move: unbroken(move.written),
  });
}

/**
 * @param {Move} move the newest one
 * @param {string[]} players
 */
function sinceWords(move, players) {
  return t("Play went on: {number} {move}", {
    number: moveNumber(move, players),
    move: unbroken(move.written),
  });
}
