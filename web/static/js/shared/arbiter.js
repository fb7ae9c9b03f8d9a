// The arbiter's role, and the PIN that is asked for wherever only the arbiter may act.

import { get, post, reasonOf } from "./api.js";
import { button, html, submitButton } from "./dom.js";
import { closeSheet, complain, openSheet } from "./sheet.js";

/** @import { Session } from "./types.d.ts" */
/** @typedef {(session: Session) => unknown} SessionHandler */

export const ENTER_PIN = "Enter the arbiter’s PIN";

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
 * @param {string} deed such as `starts a game`
 * @param {SessionHandler} onSession
 */
export function onlyArbiter(session, deed, onSession) {
  const who = session.pin ? "the arbiter" : "a browser on the machine itself";
  const words = html("p", { class: "said" }, `Only ${who} ${deed}.`);
  return html("section", { class: "only" }, words, pinButton(session, onSession));
}

/** @param {SessionHandler} onSession */
export function askPin(onSession) {
  const input = html("input", {
    type: "password",
    inputmode: "numeric",
    autocomplete: "off",
    "aria-label": "PIN",
    required: true,
  });
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    const pin = input.value;
    input.value = ""; // now, not once it is answered: what is typed meanwhile stays
    try {
      await post("session/pin", { pin });
      /** @type {Session} */
      const session = await get("session");
      closeSheet(); // not before: the next dialog shows what the arbiter may do
      onSession(session);
    } catch (error) {
      complain(reasonOf(error));
    }
  };
  openSheet(
    "The arbiter’s PIN",
    html("form", { class: "row", onsubmit: submit }, input, submitButton("Enter")),
  );
  input.focus();
}
