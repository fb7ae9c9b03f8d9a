// The arbiter's PIN: asked for wherever only the arbiter may act.

import { get, post } from "./api.js";
import { button, h } from "./dom.js";
import { closeSheet, complain, openSheet } from "./sheet.js";

export const ASK = "Enter the arbiter’s PIN";
export const isArbiter = ({ role }) => role === "arbiter" || role === "home";

// Only who is not the arbiter yet, and can become it, is offered the way; `onGiven` hears the new session.
export function pinButton(session, onGiven) {
  return session.pin && !isArbiter(session) && button(ASK, () => askPin(onGiven));
}

// Who alone may do this, and the way to become so.
export function onlyArbiter(session, does, onGiven) {
  const who = session.pin ? "the arbiter" : "a browser on the machine itself";
  return h("section", { class: "only" }, h("p", { class: "said" }, `Only ${who} ${does}.`), pinButton(session, onGiven));
}

export function askPin(onGiven) {
  const input = h("input", { type: "password", inputmode: "numeric", autocomplete: "off", "aria-label": "PIN", required: true });
  const submit = async (event) => {
    event.preventDefault();
    const pin = input.value;
    input.value = ""; // now, not once it is answered: what is typed meanwhile stays
    try {
      await post("session/pin", { pin });
      const session = await get("session");
      closeSheet(); // not before: what is opened next shows what the arbiter may do
      onGiven(session);
    } catch (error) {
      complain(error.message);
    }
  };
  openSheet("The arbiter’s PIN", h("form", { class: "row", onsubmit: submit }, input, h("button", { type: "submit", class: "button strong" }, "Enter")));
  input.focus();
}
