// Links to the other pages, and to what the companion sees with, for who may use them.

import { isArbiter } from "./arbiter.js";
import { button, html } from "./dom.js";
import { chooseEyes } from "./eyes.js";
import { icon } from "./icons.js";
import { t } from "./language.js";

/** @import { IconName } from "./icons.js" */
/** @import { Child, Session } from "./types.d.ts" */

/**
 * @param {Session} session
 * @returns {Child[]}
 */
export function pageLinks(session) {
  const canSetUp = isArbiter(session);
  return [
    link("games", "/records", t("Earlier games")),
    canSetUp &&
      session.eyes &&
      button([icon("camera"), t("Play on my own board")], chooseEyes, { class: "button wide" }),
    canSetUp && session.bench && link("camera", "/setup", t("Set up the camera")),
    canSetUp && session.grid && link("grid", "/setup/grid", t("Set up the sensor grid")),
  ];
}

/**
 * @param {IconName} picture
 * @param {string} href
 * @param {string} words
 */
function link(picture, href, words) {
  return html("a", { class: "button wide", href }, icon(picture), words);
}
