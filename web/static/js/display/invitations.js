// Invites phones and other displays: codes to scan, each with its address as a link, to watch and to take a seat.

import { get } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { html } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { nameOf } from "../shared/players.js";
import { openSheet } from "../shared/sheet.js";

/** @import { GameState, Invitations } from "../shared/types.d.ts" */

const OPEN_TO_NETWORK = "./run --host 0.0.0.0";

/** @param {GameState} state */
export async function showInvitations(state) {
  /** @type {Invitations | null} */
  const found = await get("invitations").catch(sayWhy);
  if (!found) return;
  openSheet(t("Join with a phone"), found.reachable ? codes(state, found) : notReachable());
}

/** Says why no phone can join, and what opens the page to phones. */
function notReachable() {
  return [
    html(
      "p",
      {},
      t("Only this computer can open the page now. To open it to phones and tablets, start it with"),
    ),
    html("p", {}, html("code", {}, OPEN_TO_NETWORK)),
  ];
}

/**
 * @param {GameState} state
 * @param {Invitations} found
 */
function codes(state, { watch, seats }) {
  const players = Object.entries(seats).map(([player, link]) =>
    code(nameOf(state, player), link, `seats/${player}/qr.svg`),
  );
  const words = players.length
    ? t("The phone must be in the same network. A seat is given for this game.")
    : t("The phone must be in the same network.");
  return [
    html("p", { class: "soft" }, words),
    html("div", { class: "seats" }, code(t("Watch"), watch, "invitations/qr.svg"), players),
  ];
}

/**
 * Makes a code with its address as a link, for who cannot scan it.
 * @param {string} words
 * @param {string} link
 * @param {string} path of the code's picture
 */
function code(words, link, path) {
  return html(
    "figure",
    {},
    html("img", { src: `/api/v1/${path}`, alt: t("Code: {words}", { words }) }),
    html("figcaption", {}, words, html("a", { href: link }, link)),
  );
}
