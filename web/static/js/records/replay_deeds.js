// The buttons of an earlier game's page: they comment on it, save, correct, delete and continue it.

import { post, Refusal } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { openCopying } from "../shared/copying.js";
import { button, html, textField } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { colourOf } from "../shared/players.js";
import { askToConfirm, closeSheet, openSheet } from "../shared/sheet.js";
import { LONGEST_NAME } from "../shared/text.js";
import { opponentChoice, writeCompanion } from "../shared/opponent_choice.js";
import { changesOf, typedAction } from "./record_changes.js";
import { stepTitle } from "./replay_steps.js";

/** @import { Child, Player } from "../shared/types.d.ts" */
/** @import { Replay } from "./replay.js" */

const LONGEST_COMMENT = 2_000;
/** The level at which the companion plays on, unless another one is chosen. */
const USUAL_LEVEL = 4;
const showTable = () => location.assign("/");

/** @type {Record<string, string>} */
const FORM_NAMES = {
  record: t("Record: all that happened"),
  text: t("Game text"),
  pgn: "PGN",
  pdn: "PDN",
  abstract: t("Abstract Play record (JSON)"),
  gif: t("Moving picture (GIF)"),
  webp: t("Moving picture (WebP, smaller)"),
  pdf: t("Score sheet (PDF)"),
  svg: t("Board at this step (SVG)"),
  png: t("Board at this step (PNG)"),
};

/** @type {Record<string, string>} */
const HEAD_NAMES = { event: t("Event"), place: t("Place"), round: t("Round") };

/** The forms that other programs take as a copied text. */
const COPIED_FORMS = ["pgn", "pdn"];

/** The forms that show one step, and not the whole game. */
const DIAGRAM_FORMS = ["svg", "png"];

/**
 * Makes the buttons below a replay.
 * @param {Replay} replay
 * @returns {Child[]}
 */
export function replayDeeds(replay) {
  const { game, isArbiter } = replay;
  const bringBack = () => post(`records/${game.number}/return`).then(() => location.reload(), sayWhy);
  return [
    game.author && button(t("Comment"), () => openComment(replay)),
    button(t("Save as…"), () => openSaving(replay)),
    isArbiter && game.deleted && button(t("Bring it back"), bringBack),
    isArbiter && !game.deleted && button(t("More…"), () => openMore(replay)),
  ];
}

/** @param {Replay} replay */
function openComment(replay) {
  replay.stop();
  const { game, step, at } = replay;
  const own = step.notes.find((note) => note.by === game.author && note.line === step.line);
  const field = html("textarea", {
    rows: 5,
    maxlength: LONGEST_COMMENT,
    "aria-label": t("Comment"),
  });
  field.value = own?.text || "";
  const showIt = () => {
    closeSheet();
    replay.refresh();
  };
  const comment = () =>
    post(`records/${game.number}/notes`, { text: field.value, line: step.line }).then(showIt, sayWhy);
  openSheet(
    at ? t("Comment on {move}", { move: stepTitle(step, game.players) }) : t("Comment on the game"),
    field,
    button(t("Save"), comment, { class: "button strong" }),
  );
  field.focus();
}

/** @param {Replay} replay */
function openSaving(replay) {
  replay.stop();
  const { game, at } = replay;
  const address = `/api/v1/records/${game.number}`;
  const link = (/** @type {string} */ form) => {
    const file = DIAGRAM_FORMS.includes(form)
      ? {
          href: `${address}/${at}.${form}`,
          download: `game-${game.number}-${at}.${form}`,
        }
      : { href: `${address}/export/${form}`, download: true };
    return html("a", { class: "button wide", ...file }, FORM_NAMES[form] || form);
  };
  const { fen } = replay.step;
  const notations = game.forms.filter((form) => COPIED_FORMS.includes(form));
  openSheet(
    t("Save as"),
    game.forms.map(link),
    fen &&
      button(t("Copy the position or the game"), () => openCopying({ fen, number: game.number, notations }), {
        class: "button wide",
      }),
  );
}

/** @param {Replay} replay */
function openMore(replay) {
  replay.stop();
  openSheet(
    t("This game"),
    resumeButton(replay.game.number),
    replay.game.outcome && button(t("Play on from this step…"), () => openBranch(replay)),
    button(t("Correct the record…"), () => openCorrection(replay)),
    button(t("Delete…"), () => confirmDeletion(replay), {
      class: "button danger",
    }),
  );
}

/**
 * Asks who plays on from the step that is shown: another game is begun there, as practice.
 * @param {Replay} replay
 */
function openBranch({ game, at }) {
  const { number, players, steps } = game;
  const next = steps[at + 1]?.player || players[0];
  const others = players.filter((player) => player !== next);
  /** @type {Record<Player, string>} */
  const levels = Object.fromEntries(others.map((player) => [player, String(USUAL_LEVEL)]));
  const choice = (/** @type {Player} */ player) => {
    const field = opponentChoice(colourOf(player), levels[player] || "", (level) => (levels[player] = level));
    return html("label", { class: "seat" }, html("span", {}, colourOf(player)), field);
  };
  const begin = () =>
    post(`records/${number}/branches`, { step: at, companion: writeCompanion(levels, players) }).then(
      showTable,
      sayWhy,
    );
  openSheet(
    t("Who plays?"),
    players.length > 1 && players.map(choice),
    html("p", { class: "soft" }, t("Another game begins at this step, with hints. This one stays as it is.")),
    button(t("Play on"), begin, { class: "button strong" }),
  );
}

/** @param {number} number of the game that is gone on with */
export function resumeButton(number) {
  const resume = () => post("openings", { number }).then(showTable, sayWhy);
  return button(t("Go on with it at the table"), resume);
}

/**
 * Corrects the step that is shown, with each later one that does not fit any more then, or ends the game before it.
 * @param {Replay} replay
 */
function openCorrection(replay) {
  replay.stop();
  const { game, at, step } = replay; // the dialog names this step: it is the one that is corrected
  /** @type {Record<number, HTMLInputElement>} */
  const actions = {};
  const actionFields = html("div");
  const addAction = (/** @type {number} */ number) => {
    const value = typedAction(game.steps[number]);
    actions[number] = textField({ "aria-label": t("Action"), autocapitalize: "off", value });
    const title = stepTitle(game.steps[number], game.players);
    actionFields.append(html("label", { class: "seat" }, title, actions[number]));
  };
  if (at > 0 && step.player !== "arbiter") addAction(at);
  let last = at;
  const end = html("input", { type: "checkbox" });
  const endWords = html("span", {}, t("The game ends with this step"));
  const names = [...game.players, ...Object.keys(HEAD_NAMES)].map((name) =>
    textField({ name, maxlength: LONGEST_NAME, value: game.head[name] || "" }),
  );
  const showIt = (/** @type {{ number: number }} */ { number }) => {
    closeSheet();
    location.hash = `${number}/${at}`;
  };
  const sayWhyNot = (/** @type {unknown} */ error) => {
    const unfit = error instanceof Refusal ? error.step : 0;
    if (unfit && !actions[unfit]) {
      addAction(unfit);
      last = unfit - 1;
      endWords.textContent = t("The game ends before {move}", {
        move: stepTitle(game.steps[unfit], game.players),
      });
    }
    sayWhy(error);
  };
  const correct = () => {
    const typed = (/** @type {[string, HTMLInputElement][]} */ fields) =>
      Object.fromEntries(fields.map(([name, { value }]) => [name, value.trim()]));
    const changes = changesOf(game, {
      actions: typed(Object.entries(actions)),
      names: typed(names.map((field) => [field.name, field])),
      until: end.checked ? last : null,
    });
    return post(`records/${game.number}/corrections`, changes).then(showIt, sayWhyNot);
  };
  openSheet(
    t("Correct the record"),
    html("p", {}, t("A corrected copy is added; this game stays as it is.")),
    actionFields,
    at < replay.last && html("label", { class: "check" }, end, endWords),
    names.map((field) =>
      html("label", { class: "seat" }, HEAD_NAMES[field.name] || colourOf(field.name), field),
    ),
    button(t("Add the corrected game"), correct, {
      class: "button strong",
    }),
  );
}

/** @param {Replay} replay */
function confirmDeletion(replay) {
  replay.stop();
  askToDelete(replay.game.number);
}

/** @param {number} number */
export function askToDelete(number) {
  const remove = () => post(`records/${number}/deletion`).then(() => (location.hash = ""), sayWhy);
  askToConfirm(
    t("Delete this game?"),
    t("It goes to the deleted games and can come back from there."),
    t("Delete"),
    remove,
  );
}
