// The steps of an earlier game: in words, as entries of the list of moves, and with all that is kept of them.

import { html } from "../shared/dom.js";
import { token } from "../shared/players.js";
import { openSheet } from "../shared/sheet.js";
import { capital } from "../shared/text.js";

/** @import { BoardData, StoredGame, StoredStep } from "../shared/types.d.ts" */

const ABOUT_PICTURE = "What the camera saw, and how it was read";

/** @param {StoredGame} game */
export function gameTitle({ title, players, head }) {
  const names = players.map((seat) => head[seat]).filter(Boolean);
  return names.length ? `${title}: ${names.join(" – ")}` : title;
}

/**
 * Says what was done at a step, and after the last one how the game ended.
 * @param {StoredGame} game
 * @param {number} at
 */
export function stepWords({ steps, outcome }, at) {
  const { action, words } = steps[at];
  const start = at ? `${at}. ${action}  ` : "";
  const said = words || ["The start."];
  const isEnd = at === steps.length - 1 && outcome && !said.includes(outcome.words);
  return `${start}${[...said, ...(isEnd ? [outcome.words] : [])].join(" ")}`;
}

/**
 * Returns the signs of what is kept of a step besides the action, each with its words.
 * @param {StoredStep} step
 */
export function stepSigns({ notes, asides, pictures }) {
  return [
    notes.length > 0 && { sign: "✎", words: "a comment" },
    asides.length > 0 && { sign: "!", words: "a refusal or takeback" },
    pictures.length > 0 && { sign: "▣", words: "a picture" },
  ].filter((kept) => kept !== false);
}

/**
 * @param {StoredStep} step
 * @param {number} n
 * @param {BoardData} board
 * @param {(n: number) => unknown} onChoose
 */
export function moveItem(step, n, board, onChoose) {
  const signs = stepSigns(step);
  const label = signs.map(({ words }) => words).join(", ");
  const choose = html(
    "button",
    { type: "button", onclick: () => onChoose(n) },
    html("span", { class: "n" }, n),
    token(board, step.player || ""),
    html("span", {}, step.action),
    signs.length > 0 &&
      html(
        "span",
        { class: "signs", role: "img", "aria-label": label },
        signs.map(({ sign }) => sign),
      ),
  );
  return html("li", {}, choose);
}

/**
 * Makes all that is kept of a step: refusals and takebacks, pictures, and comments.
 * @param {StoredGame} game
 * @param {number} at
 */
export function stepDetails({ number, steps }, at) {
  const { asides, pictures, notes } = steps[at];
  const comments = notes.map(({ by, text }) =>
    html("blockquote", {}, by && html("cite", {}, capital(by)), html("p", {}, text)),
  );
  return [
    ...asides.map(({ words }) => html("p", { class: "aside" }, words)),
    ...pictures.map((line) => pictureButton(`/api/v1/records/${number}/pictures/${line}.jpg`)),
    ...comments,
  ];
}

/**
 * Makes a small picture that a tap shows large.
 * @param {string} src
 */
function pictureButton(src) {
  const enlarge = () =>
    openSheet("Seen", html("img", { src, alt: ABOUT_PICTURE }), html("p", {}, ABOUT_PICTURE));
  const small = html("img", { src, alt: ABOUT_PICTURE, loading: "lazy" });
  return html("button", { type: "button", class: "seen", onclick: enlarge }, small);
}
