// Names, glyphs and sentences that several parts of the page share.

import { capital, h, s } from "./dom.js";

export function nameOf(state, player) {
  return state.head?.[player] || capital(player || "");
}

export function ownerOf(board, player) {
  return board?.owners.find((owner) => owner.name === player) || null;
}

// The owner's paint and glyph: never colour alone.
export function token(board, player, label = "") {
  const owner = ownerOf(board, player);
  return h(
    "span",
    { class: "token", vars: { "--paint": owner?.paint || "var(--soft)", "--on-paint": owner?.ink || "var(--ink)" }, role: "img", "aria-label": player },
    s("svg", { viewBox: label === "big" ? "-1.15 -1.15 2.3 2.3" : "-1.7 -1.7 3.4 3.4", "aria-hidden": "true" }, owner && s("path", { d: owner.path })),
  );
}

export const last = (list) => list[list.length - 1];
