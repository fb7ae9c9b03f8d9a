// The dialog in which an action is written by hand.

import { form, html, submitButton, textField } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { nameOf } from "../shared/players.js";
import { closeSheet, openSheet } from "../shared/sheet.js";

/** @import { GameState } from "../shared/types.d.ts" */
/** @import { Display } from "./display.js" */

/**
 * Opens the field in which the action is written.
 * @param {GameState} state
 * @param {Display} display
 * @param {string} start what the action begins with
 */
export function writeAction(state, display, start = "") {
  const input = textField({
    autocapitalize: "off",
    "aria-label": t("Action"),
    value: start,
    required: true,
  });
  const submit = () => {
    closeSheet();
    display.play.submit(input.value.trim());
  };
  openSheet(
    t("Write an action"),
    html(
      "p",
      { class: "soft" },
      t("{player}: {prompt}.", { player: nameOf(state, state.to_act), prompt: state.prompt }),
    ),
    form(submit, { class: "row" }, input, submitButton(t("Play it"))),
  );
  input.focus();
}
