// A card of news beside the board.

import { html } from "../shared/dom.js";

/** @import { Attributes, Child } from "../shared/types.d.ts" */

/**
 * A card, and the key of what it shows: it is drawn anew when the key changes.
 * @typedef {{ key: unknown[], make: () => Element }} Card
 */

/**
 * Makes a card.
 * @param {unknown[]} key
 * @param {string} look its classes besides `card`
 * @param {() => Child} fill makes what is on it
 * @param {Attributes<HTMLElement>} [attributes]
 * @returns {Card}
 */
export function card(key, look, fill, attributes = {}) {
  return { key, make: () => html("section", { class: `card ${look}`, ...attributes }, fill()) };
}
