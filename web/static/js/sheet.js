// The one dialog of the page, and short messages that pass.

import { button, byId, h } from "./dom.js";

let timer = 0;

export function toast(words) {
  const element = byId("toast");
  element.textContent = words;
  element.hidden = !words;
  clearTimeout(timer);
  timer = setTimeout(() => (element.hidden = true), 6_000);
}

export function openSheet(title, ...content) {
  const sheet = byId("sheet");
  sheet.replaceChildren(
    h("header", {}, h("h2", {}, title), button("Close", closeSheet, { class: "button quiet" })),
    h("div", { class: "content" }, content),
  );
  if (!sheet.open) sheet.showModal();
  else sheet.querySelector("button").focus(); // what had the focus is gone
}

export function closeSheet() {
  byId("sheet").close();
}

// What went wrong, where the eye is: in the open dialog, which lies over everything, else in passing.
export function complain(words) {
  const content = byId("sheet").open && byId("sheet").querySelector(".content");
  if (!content) return toast(words);
  content.querySelector(".wrong")?.remove();
  content.append(h("p", { class: "wrong", role: "alert" }, words));
}

// Asks before something that is hard to take back.
export function confirm(title, words, yes, action) {
  openSheet(
    title,
    h("p", {}, words),
    h("div", { class: "row" }, button(yes, () => (closeSheet(), action()), { class: "button danger" }), button("No, go on", closeSheet)),
  );
}
