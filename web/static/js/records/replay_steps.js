// The steps of an earlier game: in words, as entries of the list of moves, and with all that is kept of them.

import { html } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { moveNumber } from "../shared/move_list.js";
import { colourOf } from "../shared/players.js";

/** @import { Move, Player, StoredGame, StoredStep } from "../shared/types.d.ts" */

/** The kind of what the companion itself read otherwise later: nobody did anything wrong. */
const REREAD = "reread";

/** The kinds of lines that tell of a refusal or a takeback; others, as a result or the clock, are no offence. */
const UNDONE = ["refused", "takeback", "action", "correction"];

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
export function stepWords({ steps, outcome, players }, at) {
  const { words } = steps[at];
  const start = at ? `${stepTitle(steps[at], players)}  ` : "";
  const said = words || [t("The start.")];
  const isEnd = at === steps.length - 1 && outcome && !steps[at].tells_end;
  return `${start}${[...said, ...(isEnd ? [outcome.words] : [])].join(" ")}`;
}

/**
 * Returns a step by its number and the action as players write it: `12… Nf6`.
 * @param {StoredStep} step
 * @param {Player[]} players
 */
export function stepTitle(step, players) {
  return `${moveNumber(step, players)} ${step.written}`;
}

/**
 * Returns the moves of a game, as a list of moves needs them.
 * @param {StoredGame} game
 * @returns {Move[]}
 */
export function movesOf({ steps }) {
  return steps.slice(1).map(({ round, player = "", action = "", written = "", words = [] }, i) => {
    return {
      n: i + 1,
      round,
      player,
      action,
      written,
      words: words.join(" "),
    };
  });
}

/**
 * Returns the signs of what is kept of a step besides the action, each with its words.
 * @param {StoredStep} step
 */
export function stepSigns({ notes, asides }) {
  return [
    notes.length > 0 && { kind: "note", sign: "✎", words: t("a comment") },
    asides.some(({ kind }) => UNDONE.includes(kind)) && {
      kind: "aside",
      sign: "⊘",
      words: t("a refusal or takeback"),
    },
    asides.some(({ kind }) => kind === REREAD) && {
      kind: "reread",
      sign: "↻",
      words: t("read anew"),
    },
  ].filter((kept) => kept !== false);
}

/**
 * Makes the signs beside a move; nothing where nothing more is kept of it.
 * @param {StoredStep} step
 */
export function signsOf(step) {
  const signs = stepSigns(step);
  if (!signs.length) return null;
  const label = signs.map(({ words }) => words).join(", ");
  const marks = signs.map(({ kind, sign }) => html("span", { class: kind }, sign));
  return html("span", { class: "signs", role: "img", "aria-label": label }, marks);
}

/**
 * Makes all that is kept of a step: refusals and takebacks, and comments.
 * @param {StoredGame} game
 * @param {number} at
 */
export function stepDetails({ steps }, at) {
  const { asides, notes } = steps[at];
  const comments = notes.map(({ by, text }) =>
    html("blockquote", {}, by && html("cite", {}, colourOf(by)), html("p", {}, text)),
  );
  return [
    ...asides.map(({ kind, words }) =>
      html("p", { class: UNDONE.includes(kind) ? "aside" : "reread" }, words),
    ),
    ...comments,
  ];
}
