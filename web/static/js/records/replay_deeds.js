// The buttons of an earlier game's page: they comment on it, save, correct, delete and continue it.

import { post, reasonOf } from "../shared/api.js";
import { button, html } from "../shared/dom.js";
import { askToConfirm, closeSheet, complain, openSheet } from "../shared/sheet.js";
import { LONGEST_NAME, capital } from "../shared/text.js";
import { changesOf } from "./record_changes.js";
import { stepTitle } from "./replay_steps.js";

/** @import { Child } from "../shared/types.d.ts" */
/** @import { Replay } from "./replay.js" */

const LONGEST_COMMENT = 2_000;

/** @type {Record<string, string>} */
const FORM_NAMES = {
  record: "Record: all that happened",
  text: "Game text",
  pgn: "PGN",
  pdn: "PDN",
  abstract: "Abstract Play record (JSON)",
  gif: "Moving picture (GIF)",
  webp: "Moving picture (WebP, smaller)",
  pdf: "Score sheet (PDF)",
  svg: "Board at this step (SVG)",
  png: "Board at this step (PNG)",
};

/** The forms that show one step, and not the whole game. */
const DIAGRAM_FORMS = ["svg", "png"];

/**
 * Makes the buttons below a replay.
 * @param {Replay} replay
 * @returns {Child[]}
 */
export function replayDeeds(replay) {
  const { game, isArbiter } = replay;
  const bringBack = () => post(`records/${game.number}/return`);
  return [
    game.author && button("Comment", () => openComment(replay)),
    button("Save as…", () => openSaving(replay)),
    isArbiter && game.deleted && button("Bring it back", () => attempt(bringBack, () => location.reload())),
    isArbiter && !game.deleted && button("More…", () => openMore(replay)),
  ];
}

/**
 * Does something, and says in the dialog why it failed.
 * @template T
 * @param {() => Promise<T>} deed
 * @param {(answer: T) => unknown} onDone
 */
async function attempt(deed, onDone) {
  try {
    onDone(await deed());
  } catch (error) {
    complain(reasonOf(error));
  }
}

/** @param {Replay} replay */
function openComment(replay) {
  replay.stop();
  const { game, step, at } = replay;
  const own = step.notes.find((note) => note.by === game.author && note.line === step.line);
  const field = html("textarea", {
    rows: 5,
    maxlength: LONGEST_COMMENT,
    "aria-label": "Comment",
  });
  field.value = own?.text || "";
  const comment = () =>
    post(`records/${game.number}/notes`, {
      text: field.value,
      line: step.line,
    });
  const showIt = () => {
    closeSheet();
    replay.refresh();
  };
  openSheet(
    at ? `Comment on ${stepTitle(step, game.players)}` : "Comment on the game",
    field,
    button("Save", () => attempt(comment, showIt), { class: "button strong" }),
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
    return html("a", { class: "button", ...file }, FORM_NAMES[form] || form);
  };
  openSheet("Save as", game.forms.map(link));
}

/** @param {Replay} replay */
function openMore(replay) {
  replay.stop();
  openSheet(
    "This game",
    resumeButton(replay.game.number),
    button("Correct the record…", () => openCorrection(replay)),
    button("Delete…", () => confirmDeletion(replay), {
      class: "button danger",
    }),
  );
}

/** @param {number} number of the game that is gone on with */
export function resumeButton(number) {
  const resume = () => post("openings", { number });
  return button("Go on with it at the table", () => attempt(resume, () => location.assign("/")));
}

/** @param {Replay} replay */
function openCorrection(replay) {
  replay.stop();
  const { game, at, step } = replay; // the dialog names this step: it is the one that is corrected
  const isAction = at > 0 && step.player !== "arbiter";
  const action = isAction ? actionField(step.action || "") : null;
  const end = at < replay.last ? html("input", { type: "checkbox" }) : null;
  const names = [...game.players, "event", "place"].map((key) => nameField(key, game.head[key] || ""));
  const correct = () => {
    const typed = names.map(({ name, value }) => [name, value]);
    const changes = changesOf(game, at, {
      action: action ? action.value.trim() : null,
      names: Object.fromEntries(typed),
      endsHere: Boolean(end?.checked),
    });
    return post(`records/${game.number}/corrections`, changes);
  };
  const showIt = (/** @type {{ number: number }} */ { number }) => {
    closeSheet();
    location.hash = `${number}/${at}`;
  };
  openSheet(
    "Correct the record",
    html("p", {}, "A corrected copy is added; this game stays as it is."),
    action && html("label", { class: "seat" }, `Step ${at}`, action),
    end && html("label", { class: "check" }, end, "The game ends with this step"),
    names.map((field) => html("label", { class: "seat" }, capital(field.name), field)),
    button("Add the corrected game", () => attempt(correct, showIt), {
      class: "button strong",
    }),
  );
}

/** @param {string} action */
function actionField(action) {
  const field = html("input", {
    type: "text",
    "aria-label": "Action",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  field.value = action;
  return field;
}

/**
 * @param {string} key
 * @param {string} value
 */
function nameField(key, value) {
  const field = html("input", {
    type: "text",
    name: key,
    maxlength: LONGEST_NAME,
    autocomplete: "off",
  });
  field.value = value;
  return field;
}

/** @param {Replay} replay */
function confirmDeletion(replay) {
  replay.stop();
  const { game } = replay;
  askToDelete(
    game.number,
    game.steps.some(({ pictures }) => pictures.length),
  );
}

/**
 * @param {number} number
 * @param {boolean} hasPictures
 */
export function askToDelete(number, hasPictures) {
  const words = "It goes to the deleted games and can come back from there.";
  const remove = () => post(`records/${number}/deletion`);
  askToConfirm(
    "Delete this game?",
    hasPictures ? `${words} Its pictures are erased for good.` : words,
    "Delete",
    () => attempt(remove, () => (location.hash = "")),
  );
}
