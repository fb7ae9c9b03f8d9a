// The arbiter's role, and the PIN that is asked for wherever only the arbiter may act.

import { get, post } from "./api.js";
import { sayWhy } from "./attempt.js";
import { button, form, html, submitButton, textField } from "./dom.js";
import { t } from "./language.js";
import { closeSheet, openSheet } from "./sheet.js";

/** @import { Session } from "./types.d.ts" */
/** @typedef {(session: Session) => unknown} SessionHandler */

export const ENTER_PIN = t("Enter the arbiter’s PIN");

/** What only the arbiter does; where no PIN makes one, only a browser on the machine itself. */
const ONLY = {
  start: {
    arbiter: t("Only the arbiter starts a game."),
    here: t("Only a browser on the machine itself starts a game."),
  },
  camera: {
    arbiter: t("Only the arbiter sets the camera up."),
    here: t("Only a browser on the machine itself sets the camera up."),
  },
  grid: {
    arbiter: t("Only the arbiter sets the grid up."),
    here: t("Only a browser on the machine itself sets the grid up."),
  },
};

/** @param {Session} session */
export function isArbiter({ role }) {
  return role === "arbiter" || role === "home";
}

/**
 * Makes the way to become the arbiter, for those alone who are not and can be.
 * @param {Session} session
 * @param {SessionHandler} onSession is called with the arbiter's session
 */
export function pinButton(session, onSession) {
  return session.pin && !isArbiter(session) && button(ENTER_PIN, () => askPin(onSession));
}

/**
 * Says who alone may do something, and offers the way to become so.
 * @param {Session} session
 * @param {keyof typeof ONLY} deed
 * @param {SessionHandler} onSession
 */
export function onlyArbiter(session, deed, onSession) {
  const words = ONLY[deed][session.pin ? "arbiter" : "here"];
  return html(
    "section",
    { class: "only" },
    html("p", { class: "said" }, words),
    pinButton(session, onSession),
  );
}

/** @param {SessionHandler} onSession */
export function askPin(onSession) {
  const input = textField({
    type: "password",
    inputmode: "numeric",
    "aria-label": t("PIN"),
    required: true,
  });
  const submit = async () => {
    const pin = input.value;
    input.value = ""; // now, not once it is answered: what is typed meanwhile stays
    /** @type {Session | null} */
    const session = await post("session/pin", { pin })
      .then(() => get("session"))
      .catch(sayWhy);
    if (!session) return;
    closeSheet(); // not before: the next dialog shows what the arbiter may do
    onSession(session);
  };
  openSheet(t("The arbiter’s PIN"), form(submit, { class: "row" }, input, submitButton(t("Enter"))));
  input.focus();
}
