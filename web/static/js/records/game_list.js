// Earlier games: a list that can be searched and added to, and what the arbiter may set.

import { get, post, reasonOf } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { isArbiter, pinButton } from "../shared/arbiter.js";
import { button, byId, elementOf, html, replaceContent } from "../shared/dom.js";
import { t, tn } from "../shared/language.js";
import { closeSheet, isSheetOpen, openSheet } from "../shared/sheet.js";
import { asSentence } from "../shared/text.js";
import { gameWords } from "./game_words.js";

/** @import { GameOffer, GameSummary, Session } from "../shared/types.d.ts" */

const SEARCH_AFTER_MS = 200;

/**
 * Makes a line that says what cannot be shown or done.
 * @param {string} words
 */
export function alarm(words) {
  return html("li", { class: "alarm", role: "alert" }, words);
}

export class GameList {
  constructor() {
    this.isOfDeleted = false;
    /** How many searches have begun. */
    this.searches = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.searchTimer = undefined;
    this.searchField = elementOf("search", HTMLInputElement);
    this.searchField.addEventListener("input", () => {
      clearTimeout(this.searchTimer);
      this.searchTimer = setTimeout(() => this.#showGames(), SEARCH_AFTER_MS);
    });
    this.gameField = elementOf("game", HTMLSelectElement);
    this.playerField = elementOf("player", HTMLSelectElement);
    this.endedField = elementOf("ended", HTMLSelectElement);
    for (const field of [this.gameField, this.playerField, this.endedField]) {
      field.addEventListener("change", () => this.#showGames());
    }
    const fileField = elementOf("file", HTMLInputElement);
    fileField.addEventListener("change", () => addFile(fileField));
    byId("paste").addEventListener("click", openPasting);
  }

  show() {
    return Promise.all([this.#showGames(), this.#showSettings(), this.#offerGames(), this.#offerPlayers()]);
  }

  /** Fills the choice of games, once. */
  async #offerGames() {
    if (this.gameField.options.length > 1) return;
    /** @type {GameOffer[]} */
    const games = await get("games");
    const options = games.map(({ name, title }) => html("option", { value: name }, title));
    if (this.gameField.options.length === 1) this.gameField.append(...options);
  }

  /** Fills the choice of players, who may have become more; without any there is nothing to choose. */
  async #offerPlayers() {
    /** @type {{ players: string[] }} */
    const { players } = await get("records/players");
    const [anybody] = this.playerField.options;
    const chosen = this.playerField.value;
    this.playerField.replaceChildren(anybody, ...players.map((name) => html("option", {}, name)));
    this.playerField.value = players.includes(chosen) ? chosen : "";
    this.playerField.hidden = !players.length;
  }

  /** @param {number | null} before shows the games older than this one, below the others */
  async #showGames(before = null) {
    const words = this.searchField.value;
    const fields = [this.searchField, this.gameField, this.playerField, this.endedField];
    const search = ++this.searches;
    const query = new URLSearchParams({
      words,
      game: this.gameField.value,
      player: this.playerField.value,
      ended: this.endedField.value,
      before: String(before ?? ""),
      deleted: this.isOfDeleted ? "1" : "0",
    });
    /** @type {{ games: GameSummary[], more: boolean }} */
    const { games, more } = await get(`records?${query}`);
    if (search !== this.searches) return; // a later search overtook this one
    const items = games.map(gameItem);
    if (more) items.push(this.#moreItem(games[games.length - 1].number));
    if (before !== null) byId("list").append(...items);
    else {
      byId("list").replaceChildren(
        ...(items.length ? items : [this.#noGames(fields.some(({ value }) => value))]),
      );
    }
  }

  /** @param {number} oldest the number of the last game shown */
  #moreItem(oldest) {
    const item = html("li");
    const showMore = () => {
      item.remove();
      this.#showGames(oldest);
    };
    item.append(button(t("Show more"), showMore, { class: "button wide" }));
    return item;
  }

  /** @param {boolean} sought the games were to be like something */
  #noGames(sought) {
    const none = this.isOfDeleted ? t("No game is deleted.") : t("No games yet.");
    return html("li", { class: "soft" }, sought ? t("No game is like this.") : none);
  }

  /** Shows what the arbiter may choose: the games that were deleted, or those that are kept. */
  async #showSettings() {
    replaceContent(byId("settings"), this.#settings(await get("session")));
  }

  /** @param {Session} session */
  #settings(session) {
    if (!isArbiter(session)) return pinButton(session, () => this.#showSettings());
    return button(this.isOfDeleted ? t("Games that are kept") : t("Deleted games"), () => this.#switch());
  }

  /** Shows the deleted games, or those that are kept. */
  #switch() {
    this.isOfDeleted = !this.isOfDeleted;
    this.#showSettings();
    this.#showGames();
  }
}

/** @param {GameSummary} summary */
function gameItem(summary) {
  const lost = summary.head.damaged ?? "";
  if (summary.damaged && !lost) {
    return alarm(t("Game {number} is damaged and cannot be opened.", { number: summary.number }));
  }
  const { title, result, occasion } = gameWords(summary);
  return html(
    "li",
    {},
    html(
      "a",
      { class: "button", href: `#${summary.number}` },
      summary.picture && lastPicture(summary),
      html("span", {}, title),
      html("span", { class: "when" }, result),
      html("span", { class: "when" }, occasion),
      ...(lost ? [html("span", { class: "when" }, t("Damaged: {what}.", { what: lost }))] : []),
    ),
  );
}

/** @param {GameSummary} summary */
function lastPicture({ number }) {
  return html("img", { src: `/api/v1/records/${number}/last.svg`, alt: "", loading: "lazy", class: "last" });
}

/**
 * Adds the games of a file, and opens the first.
 * @param {HTMLInputElement} field
 */
async function addFile(field) {
  const file = field.files?.[0];
  if (!file) return;
  try {
    await addGames("records/files", new Blob([file], { type: "application/octet-stream" }));
  } catch (error) {
    byId("list").prepend(alarm(`${file.name}: ${reasonOf(error)}`));
  }
  field.value = "";
}

/** Takes in games that were copied elsewhere. */
function openPasting() {
  const field = html("textarea", { rows: "5", "aria-label": t("Games as text") });
  const add = () => addGames("records", { record: field.value }).catch(sayWhy);
  openSheet(
    t("Paste a game"),
    html("p", {}, t("A record, a game text, PGN or PDN; also many games at once.")),
    field,
    button(t("Add"), add, { class: "button strong" }),
  );
  field.focus();
}

/**
 * Adds the games of a text or a file, says what is to be said of them, and opens the first.
 * @param {string} path
 * @param {object} body
 */
async function addGames(path, body) {
  /** @type {{ number: number, numbers: number[], wrong: string[], remarks: string[] }} */
  const { number, numbers, wrong, remarks } = await post(path, body);
  location.hash = String(number);
  const told = [...remarks, ...wrong];
  if (!told.length) {
    if (isSheetOpen()) closeSheet();
    return;
  }
  const items = told.map((words) => html("li", {}, asSentence(words)));
  openSheet(tn("{n} game added", "{n} games added", numbers.length), html("ul", {}, ...items));
}
