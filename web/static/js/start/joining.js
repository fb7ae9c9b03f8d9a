// Joining the game of another table, by a code of six letters and the address of its companion.

import { attempt } from "../shared/attempt.js";
import { form, html, submitButton, textField } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { closeSheet, openSheet } from "../shared/sheet.js";
import { keep, recall } from "../shared/storage.js";

/** Under this the browser keeps the address of the table that was joined last. */
const KEY = "other-table";

/**
 * @param {object} meant says which game is on: another one is begun in its place
 * @param {() => unknown} onBegun
 */
export function openJoining(meant, onBegun) {
  const code = textField({ name: "code", maxlength: "6", autocapitalize: "characters", required: true });
  const address = textField({
    name: "address",
    inputmode: "url",
    placeholder: "https://192.168.1.20:8000",
    value: recall("localStorage", KEY) || "",
    required: true,
  });
  const join = async () => {
    const joining = { address: address.value, code: code.value, ...meant };
    if (!(await attempt("two-tables/joining", joining))) return;
    keep("localStorage", KEY, address.value);
    closeSheet();
    onBegun();
  };
  openSheet(
    t("Play with another table"),
    html(
      "p",
      {},
      t(
        "To begin here, choose a game, and “At another table” for one of its players. A code appears, which is " +
          "entered there.",
      ),
    ),
    html("p", {}, t("To join a game that was begun at another table, enter what is shown there:")),
    form(
      join,
      { class: "joining" },
      html("label", {}, t("Code of six letters"), code),
      html("label", {}, t("Address"), address),
      submitButton(t("Join the game")),
    ),
  );
}
