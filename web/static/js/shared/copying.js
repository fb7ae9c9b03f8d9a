// Texts for other programs, to be copied: a position as FEN, a game as PGN or PDN.

import { button, html } from "./dom.js";
import { t } from "./language.js";
import { openSheet } from "./sheet.js";

/**
 * Offers a position, and the game that it belongs to, for other programs.
 * @param {{ fen: string, number: number | null, notations: string[] }} game `number` is null where it is not kept
 */
export async function openCopying({ fen, number, notations }) {
  const names = number === null ? [] : notations;
  const texts = await Promise.all(names.map((name) => textOf(`/api/v1/records/${number}/export/${name}`)));
  openSheet(
    t("Copy for other programs"),
    fen && copyField(t("The position (FEN)"), fen, 2),
    names.map(
      (name, i) => texts[i] && copyField(t("The game ({name})", { name: name.toUpperCase() }), texts[i], 8),
    ),
  );
}

/** @param {string} address */
async function textOf(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? answer.text() : "";
}

/**
 * Makes a text that can be copied by a button.
 * @param {string} label
 * @param {string} text
 * @param {number} rows
 */
export function copyField(label, text, rows) {
  const field = html("textarea", { rows, readonly: true, "aria-label": label, spellcheck: "false" });
  field.value = text.trim();
  const press = button(t("Copy"), async () => (press.textContent = await copy(field)), {
    "aria-live": "polite",
  });
  return html("div", { class: "copy" }, html("h3", {}, label), field, press);
}

/**
 * Copies a field's text, and says whether that went well. Browsers give their clipboard to secure pages; on others
 * the field is copied as by hand.
 * @param {HTMLTextAreaElement} field
 */
async function copy(field) {
  field.select();
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy");
    return t("Copied");
  } catch {
    return t("The text is marked: copy it by hand");
  }
}
