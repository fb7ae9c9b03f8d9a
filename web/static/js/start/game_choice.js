// A game that is about to begin: its options, its players' names, its clock and its markers.

import { t, tn } from "../shared/language.js";
import { ELSEWHERE, writeCompanion } from "../shared/opponent_choice.js";
import { OWN, newOwnClock, writeControl } from "./clock_choice.js";

/** @import { OwnClock } from "./clock_choice.js" */
/** @import { GameOffer, Player } from "../shared/types.d.ts" */

/**
 * What stays when another game is chosen.
 * @typedef {object} Habits
 * @property {string} clock such as `10+5`; '' for none, OWN for what is in `own`
 * @property {OwnClock} own
 * @property {boolean} markers the players lay markers, which are checked
 * @property {boolean} practice the companion gives hints
 */

/** @returns {Habits} */
export function newHabits() {
  return { clock: "", own: newOwnClock(), markers: false, practice: false };
}

/**
 * Returns the address of a game's start position as a picture.
 * @param {string} name
 * @param {string} [option] `name=value`, for one that has a board of its own
 */
export function pictureAddress(name, option) {
  return `/api/v1/boards/${name}.svg${option ? `?${option}` : ""}`;
}

/**
 * Says how many play a game, which its options may change.
 * @param {GameOffer} game
 */
export function playerCounts({ players, seats }) {
  const counts = [players, ...Object.values(seats)].map(({ length }) => length);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  if (most === 1) return t("Solitaire");
  if (fewest === most) return tn("{n} player", "{n} players", most);
  return t("{fewest} to {most} players", { fewest, most });
}

/**
 * Puts games into groups with their titles, the first without one; those that are empty are left out.
 * @param {GameOffer[]} games
 * @returns {[title: string, games: GameOffer[]][]}
 */
export function groupsOf(games) {
  const isPuzzle = (/** @type {GameOffer} */ { players }) => players.length === 1;
  const rest = games.filter((game) => !isPuzzle(game));
  /** @type {[string, GameOffer[]][]} */
  const groups = [
    ["", rest.filter(({ classic }) => !classic)],
    [t("Classics"), rest.filter(({ classic }) => classic)],
    [t("Puzzles"), games.filter(isPuzzle)],
  ];
  return groups.filter(([, own]) => own.length > 0);
}

/**
 * Returns the address of a picture of the game in play.
 * @param {string} name
 */
export function inPlayAddress(name) {
  return `/api/v1/boards/${name}/in-play.svg`;
}

export class GameChoice {
  /**
   * @param {GameOffer} game
   * @param {Habits} habits
   */
  constructor(game, habits) {
    this.game = game;
    this.habits = habits;
    /** @type {Record<string, string>} the value of each option */
    this.options = Object.fromEntries(game.options.map((option) => [option.name, option.default]));
    /** @type {Record<Player, string>} the players' names as they are typed */
    this.names = {};
    /** @type {Record<Player, string>} how the companion plays a seat: its level; "" for a person, or ELSEWHERE */
    this.levels = {};
  }

  get isSolo() {
    return this.game.players.length === 1;
  }

  /** The chosen options, each as `name=value`. */
  get #optionTexts() {
    return Object.entries(this.options).map(([name, value]) => `${name}=${value}`);
  }

  /** The seats: some options have others than the game usually has. */
  get seats() {
    const text = this.#optionTexts.find((option) => this.game.seats[option]);
    return text ? this.game.seats[text] : this.game.players;
  }

  /** The address of the board's picture: some options have a board of their own. */
  get picture() {
    const texts = this.game.options.filter(({ name, values }) => !values.length && this.options[name]);
    const board = this.#optionTexts.find((option) => this.game.boards[option]);
    if (!texts.length) return pictureAddress(this.game.name, board);
    const query = new URLSearchParams(texts.map(({ name }) => [name, this.options[name]]));
    return pictureAddress(this.game.name, [board, query].filter(Boolean).join("&"));
  }

  /** The seat whose player sits at another table; '' for none. */
  get elsewhere() {
    return this.seats.find((seat) => this.levels[seat] === ELSEWHERE) || "";
  }

  /** The request that begins the game; it names only the options that differ from their default. */
  get request() {
    const { game, habits } = this;
    const changed = game.options.filter((option) => this.options[option.name] !== option.default);
    return {
      game: game.name,
      options: Object.fromEntries(changed.map(({ name }) => [name, this.options[name]])),
      names: Object.fromEntries(this.seats.map((seat) => [seat, this.names[seat] || ""])),
      clock: habits.clock === OWN ? writeControl(habits.own, this.seats) : habits.clock,
      markers: habits.markers && game.markers,
      companion: writeCompanion(this.levels, this.seats),
      practice: habits.practice && !this.isSolo,
      elsewhere: this.elsewhere,
    };
  }
}
