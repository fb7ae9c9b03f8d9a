// Puzzles from games of the kind that is chosen: today's, and those that were found in own games.

import { get, post } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { button, html, row } from "../shared/dom.js";
import { t, tn } from "../shared/language.js";
import { asSentence } from "../shared/text.js";

/** @import { Puzzles } from "../shared/types.d.ts" */

/**
 * Offers the puzzles of a game; it fills in as soon as they are known.
 * @param {string} game
 * @param {object} meant says which game is on: the puzzle is begun in its place
 * @param {() => unknown} onBegun
 */
export function puzzlesField(game, meant, onBegun) {
  const field = html("fieldset", { class: "puzzles" });
  field.hidden = true;
  const begin = (/** @type {boolean} */ own) =>
    post("puzzles", { game, own, ...meant }).then(onBegun, sayWhy);
  get(`puzzles/${game}`).then(
    (found) => fillIn(field, found, begin),
    () => {}, // a game without puzzles is played all the same
  );
  return field;
}

/**
 * @param {HTMLElement} field
 * @param {Puzzles} found
 * @param {(own: boolean) => unknown} begin
 */
function fillIn(field, { today, solved, own, words }, begin) {
  field.hidden = !today && !own && !words;
  field.replaceChildren(
    html("legend", {}, t("Puzzle: find the best turn")),
    row(
      today && button(solved ? t("Today’s puzzle: solved ✓") : t("Today’s puzzle"), () => begin(false)),
      own > 0 && button(tn("{n} from your games", "{n} from your games", own), () => begin(true)),
    ),
    words && html("p", { class: "soft" }, asSentence(words)),
  );
}
