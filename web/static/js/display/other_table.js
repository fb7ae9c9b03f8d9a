// The other table of a game: the code that invites it, how the line is, a takeback that it asks for, and the seal.

import { get } from "../shared/api.js";
import { isArbiter } from "../shared/arbiter.js";
import { attempt } from "../shared/attempt.js";
import { button, form, html, submitButton, textField } from "../shared/dom.js";
import { t, tn } from "../shared/language.js";
import { asSentence } from "../shared/text.js";
import { card } from "./card.js";

/** @import { Card } from "./card.js" */
/** @import { Child, GameState, LineState, Session, TableState } from "../shared/types.d.ts" */

const SOURCE = "other table";
/** So much of a certificate's fingerprint is compared. */
const COMPARED = 23;

/**
 * Tells whether a player of a game sits at another table.
 * @param {GameState} state
 */
export const isElsewhere = ({ companion }) => Object.values(companion).includes(0);

/**
 * Lists the line to another table with what sees the board: it is there unless something is said of it.
 * @param {TableState} state
 */
export function withLine(state) {
  const { sources } = state;
  if (!state.game || !isElsewhere(state) || wordsOf(state)) return { sources };
  return { sources: [...sources, { name: SOURCE, state: /** @type {const} */ ("ok"), words: "" }] };
}

export class OtherTable {
  /** @param {() => unknown} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {LineState | null} */
    this.line = null;
    this.key = "";
    /** What was typed to be sealed: the card may be drawn anew meanwhile. */
    this.typed = "";
  }

  /**
   * Asks how the line is, where that may have changed.
   * @param {GameState} state
   * @param {Session} session
   */
  async follow(state, session) {
    const isShown = isElsewhere(state) && (isArbiter(session) || Boolean(session.seat));
    const key = isShown ? JSON.stringify([state.number, wordsOf(state), state.plies]) : "";
    if (key === this.key) return;
    this.key = key;
    try {
      this.line = isShown ? await get("two-tables") : null;
      this.onChange();
    } catch {
      this.key = ""; // it is asked again with the next state
    }
  }

  /**
   * @param {string} path
   * @param {object} [body]
   */
  async #do(path, body) {
    this.line = (await attempt(`two-tables/${path}`, body)) || this.line;
    this.onChange();
  }

  /**
   * @param {GameState} state
   * @returns {Card | null}
   */
  card(state) {
    const { line } = this;
    const words = isElsewhere(state) ? wordsOf(state) : "";
    if (!words && !line?.seal && !line?.invites) return null;
    const fill = () => [
      html("h2", {}, t("The other table")),
      words && html("p", {}, asSentence(words)),
      line?.invites && this.#invitation(line),
      line?.wish && this.#takeback(line),
      line?.seal && this.#seal(),
    ];
    return card(["other table", words, line], "other-table", fill);
  }

  /** @param {LineState} line */
  #invitation({ code, address, fingerprint }) {
    const invite = () => this.#do("codes");
    if (!code) return button(t("Show a code"), invite, { class: "button strong" });
    const unreachable = t("Others cannot reach this companion: start it with --host 0.0.0.0 --tls self.");
    return [
      html("p", {}, t("There, choose “Play with another table” and enter:")),
      html("p", { class: "code" }, code),
      html("p", {}, address ? html("code", {}, address) : unreachable),
      fingerprint && html("p", { class: "soft" }, certificateWords(fingerprint)),
      button(t("Another code"), invite),
    ];
  }

  /** @param {LineState} line */
  #takeback({ wish, count }) {
    const answer = (/** @type {boolean} */ agrees) => () => this.#do("answers", { wish, agrees });
    return [
      html("p", {}, tn("{n} action would be taken back.", "{n} actions would be taken back.", count)),
      html(
        "div",
        { class: "choices" },
        button(t("Agree"), answer(true), { class: "button strong" }),
        button(t("Decline"), answer(false)),
      ),
    ];
  }

  /** @returns {Child} */
  #seal() {
    const told = textField({
      required: true,
      value: this.typed,
      oninput: ({ currentTarget }) => (this.typed = currentTarget.value),
    });
    const seal = () => this.#do("seals", { told: told.value.trim() });
    const words = t(
      "Enter your pieces in the order of their places. The other table gets them after the end, and a seal of them " +
        "now: so both can trust what is told.",
    );
    return form(seal, {}, html("label", {}, words, told), submitButton(t("Seal them")));
  }
}

/** @param {GameState} state */
function wordsOf({ sources }) {
  return sources.find(({ name }) => name === SOURCE)?.words || "";
}

/** @param {string} fingerprint */
function certificateWords(fingerprint) {
  return t("Certificate: {fingerprint}…", { fingerprint: fingerprint.slice(0, COMPARED) });
}
