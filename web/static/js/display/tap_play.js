// Playing by taps on the board: an action is played, or the referee says which rule forbids it.

import { get, post, Refusal } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { tellRefusal } from "./sound.js";
import { TapSelection } from "./tap_selection.js";

/** @import { Breach, Place, Verdict } from "../shared/types.d.ts" */

export class TapPlay {
  /**
   * @param {() => unknown} onChange is called when what is shown of it changes
   * @param {() => object} meant returns the moment for which an action is meant
   */
  constructor(onChange, meant) {
    this.onChange = onChange;
    this.meant = meant;
    this.selection = new TapSelection();
    /** @type {Verdict | null} the refusal of the last action entered here */
    this.refusal = null;
  }

  /** @param {Place} place */
  tap(place) {
    this.refusal = null;
    const { play, refuse } = this.selection.tap(place);
    if (play) this.submit(play);
    else if (refuse) this.#explain(refuse);
    else this.onChange();
  }

  /**
   * Begins to drag the piece on a place: what is tapped so far may go on from there.
   * @param {Place} place
   */
  grab(place) {
    if (!this.selection.tapped.includes(place)) this.tap(place);
  }

  /** @param {string} action */
  async submit(action) {
    this.selection.clear();
    this.onChange();
    try {
      await post("actions", { action, ...this.meant() });
    } catch (error) {
      const breaks = error instanceof Refusal ? error.breaks : [];
      if (breaks.length) this.#refuse(action, action, breaks);
      else sayWhy(error);
    }
  }

  /** Drops what is tapped so far. */
  drop() {
    this.selection.clear();
    this.onChange();
  }

  dismissRefusal() {
    this.refusal = null;
    this.onChange();
  }

  /**
   * Asks the referee which rules forbid an action, or the way of a piece.
   * @param {Record<string, string>} refused
   */
  async #explain(refused) {
    this.onChange();
    /** @type {Promise<{ action: string, written: string, breaks: Breach[] }>} */
    const asked = get(`judge?${new URLSearchParams(refused)}`);
    const judgement = await asked.catch(sayWhy);
    if (judgement?.breaks.length) this.#refuse(judgement.action, judgement.written, judgement.breaks);
  }

  /**
   * @param {string} action
   * @param {string} written
   * @param {Breach[]} breaks
   */
  #refuse(action, written, breaks) {
    this.refusal = {
      kind: "refused",
      action,
      written,
      words: "",
      breaks,
      steps: [],
    };
    tellRefusal(breaks.map(({ here }) => here).join(" "));
    this.onChange();
  }
}
