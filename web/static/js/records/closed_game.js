// A game that nobody may look through yet, because its players still have secrets: the arbiter can go on with it,
// or delete it.

import { button, html } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { asSentence } from "../shared/text.js";
import { askToDelete, resumeButton } from "./replay_deeds.js";

/**
 * @param {HTMLElement} element
 * @param {number} number
 * @param {string} reason
 * @param {boolean} isArbiter
 */
export function showClosedGame(element, number, reason, isArbiter) {
  const close = button(t("Games"), () => (location.hash = ""), { class: "button quiet" });
  const remove = button(t("Delete…"), () => askToDelete(number), { class: "button danger" });
  element.replaceChildren(
    html(
      "div",
      { class: "beside" },
      html("header", {}, html("h1", {}, t("Game {number}", { number })), close),
      html("p", { role: "status" }, asSentence(reason)),
      html("div", { class: "deeds" }, isArbiter ? [resumeButton(number), remove] : []),
    ),
  );
}
