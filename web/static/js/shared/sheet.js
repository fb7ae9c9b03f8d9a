// The one dialog of the page, which lies over everything, and short messages that pass.

import { button, byId, elementOf, html, row } from "./dom.js";
import { t } from "./language.js";
import { asSentence } from "./text.js";

/** @import { Child } from "./types.d.ts" */

const TOAST_MS = 6_000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastTimer;

const theSheet = () => elementOf("sheet", HTMLDialogElement);

/**
 * Shows a message that passes; '' takes the last one away.
 * @param {string} words
 */
export function toast(words) {
  const element = byId("toast");
  element.textContent = asSentence(words);
  element.hidden = !words;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (element.hidden = true), TOAST_MS);
}

/**
 * @param {string} title
 * @param {Child[]} content
 */
export function openSheet(title, ...content) {
  const sheet = theSheet();
  const close = button(t("Close"), closeSheet, { class: "button quiet" });
  sheet.replaceChildren(
    html("header", {}, html("h2", {}, title), close),
    html("div", { class: "content" }, content),
  );
  if (!sheet.open) sheet.showModal();
  else close.focus(); // the element that had the focus is gone
}

export function closeSheet() {
  theSheet().close();
}

/** Tells whether a dialog lies over the page. */
export function isSheetOpen() {
  return theSheet().open;
}

/**
 * Says what went wrong where the eye is: in the open dialog, else in passing.
 * @param {string} words
 */
export function complain(words) {
  const content = isSheetOpen() && theSheet().querySelector(".content");
  if (!content) {
    toast(words);
    return;
  }
  forgetComplaint();
  const wrong = html("p", { class: "wrong", role: "alert" }, asSentence(words));
  content.append(wrong);
  wrong.scrollIntoView({ block: "nearest" });
}

/** Takes away what went wrong in the dialog: something else is tried. */
export function forgetComplaint() {
  theSheet().querySelector(".wrong")?.remove();
}

/**
 * Asks before something that is hard to take back.
 * @param {string} title
 * @param {string} words
 * @param {string} yes the words of the button that does it
 * @param {() => unknown} action
 * @param {"danger" | "strong"} look of that button: `danger` where something would be lost
 */
export function askToConfirm(title, words, yes, action, look = "danger") {
  const agree = () => {
    closeSheet();
    action();
  };
  const choices = [button(yes, agree, { class: `button ${look}` }), button(t("No, go on"), closeSheet)];
  openSheet(title, html("p", {}, words), row(choices));
}
