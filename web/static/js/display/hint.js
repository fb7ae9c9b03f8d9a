// A puzzle's hint. It first tells whether the puzzle can still be solved, and the next step only when asked.

import { get } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { t } from "../shared/language.js";
import { toast } from "../shared/sheet.js";

/** @import { Advice, LegalAction, Place } from "../shared/types.d.ts" */

export class Hint {
  /** @param {() => unknown} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {{ advice: Advice, isOpen: boolean } | null} */
    this.shown = null;
  }

  async ask() {
    toast(t("Looking for a hint…"));
    /** @type {Advice | null} */
    const advice = await get("advice").catch(sayWhy);
    if (!advice) return;
    this.shown = { advice, isOpen: false };
    toast("");
    this.onChange();
  }

  /** Shows what to do. */
  open() {
    if (this.shown) this.shown = { ...this.shown, isOpen: true };
    this.onChange();
  }

  close() {
    this.shown = null;
    this.onChange();
  }

  /**
   * Returns the places of the action that the open hint names.
   * @param {LegalAction[]} legal
   * @returns {Place[]}
   */
  places(legal) {
    if (!this.shown?.isOpen) return [];
    const { action } = this.shown.advice;
    return legal.find((entry) => entry.action === action)?.path || [];
  }
}
