// The page on which a game is chosen: it lists all games, then asks for the options and players of one.

import { openHowToPlay } from "../display/how_to_play.js";
import { get } from "../shared/api.js";
import { attempt, sayWhy } from "../shared/attempt.js";
import { isArbiter, onlyArbiter, pinButton } from "../shared/arbiter.js";
import {
  button,
  fieldset,
  byId,
  elementOf,
  form,
  html,
  segments,
  showIfChanged,
  submitButton,
  textField,
} from "../shared/dom.js";
import { isUntested } from "../shared/eyes.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { pageLinks } from "../shared/page_links.js";
import { colourOf } from "../shared/players.js";
import { openPrograms } from "../shared/programs.js";
import { opponentChoice } from "../shared/opponent_choice.js";
import { remember, setting } from "../shared/settings.js";
import { languageChoice, openSettings } from "../shared/settings_sheet.js";
import { LONGEST_NAME, capital } from "../shared/text.js";
import { clockField } from "./clock_choice.js";
import { openJoining } from "./joining.js";
import { GameChoice, groupsOf, inPlayAddress, newHabits, playerCounts } from "./game_choice.js";
import { puzzlesField } from "./puzzles.js";

/** @import { Card } from "../display/card.js" */
/** @import { GameOffer, GameOption, Player, Session } from "../shared/types.d.ts" */

/** @type {[value: boolean, words: string][]} */
const MARKERS = [
  [false, t("Kept by the companion")],
  [true, t("Laid on the board, and checked")],
];

/** @type {[value: boolean, words: string][]} */
const HINTS = [
  [false, t("No")],
  [true, t("Yes: we practise")],
];

/** The letters of an option that is free text. */
const LONGEST_TEXT = 200;
/** A position that is typed is shown when the fingers rest for so long. */
const SHOW_AFTER_MS = 300;

export class StartPage {
  /**
   * @param {HTMLElement} element
   * @param {(session: Session) => unknown} onSession is called when the caller has become the arbiter
   * @param {() => unknown} onBegun is called when the game that was chosen has begun
   */
  constructor(element, onSession, onBegun) {
    this.element = element;
    this.onSession = onSession;
    this.onBegun = onBegun;
    /** @type {GameOffer[] | null} all that can be played here */
    this.games = null;
    /** @type {GameChoice | null} */
    this.choice = null;
    this.habits = newHabits();
    /** @type {Session | null} */
    this.session = null;
    /** @type {(() => unknown) | null} */
    this.onBack = null;
    /** Where a game that a round has for this board is offered: it may come at any time. */
    this.proposed = html("div", { class: "proposed arriving" });
    this.meant = {};
    /** @type {{ name: string, options: string[] } | null} the game to choose as soon as all are known */
    this.wanted = null;
  }

  /**
   * Chooses a game by its name, with options as `name=value`.
   * @param {string} name
   * @param {string[]} options
   */
  want(name, options) {
    this.wanted = { name, options };
  }

  /**
   * @param {Session} session
   * @param {(() => unknown) | null} onBack goes back to the game that is on, where there is one
   * @param {Card | null} proposal offers the game that a round has for this board
   * @param {object} meant says which game is on: another one is begun in its place
   */
  async render(session, onBack, proposal, meant) {
    this.session = session;
    this.onBack = onBack;
    this.meant = meant;
    showIfChanged(this.proposed, proposal?.key || "", () => [proposal?.make()]);
    this.games ||= await get("games").catch(sayWhy);
    this.#draw();
  }

  #draw() {
    const { session, games, onBack } = this;
    if (!session || !games) return;
    this.#takeWanted(games);
    const { choice } = this;
    const { role, pin, bench, eyes, grid } = session;
    const key = [choice?.game.name, role, pin, bench, eyes, grid, Boolean(onBack)];
    showIfChanged(this.element, key, () =>
      choice ? this.#details(choice, session) : this.#cards(games, session),
    );
  }

  /** @param {GameOffer[]} games */
  #takeWanted(games) {
    const { wanted } = this;
    const game = wanted && games.find(({ name }) => name === wanted.name);
    this.wanted = null;
    if (!game) return;
    this.choice = new GameChoice(game, this.habits);
    for (const [name, value] of wanted.options.map((option) => option.split("="))) {
      if (name in this.choice.options) this.choice.options[name] = value;
    }
  }

  /**
   * @param {GameOffer[]} games
   * @param {Session} session
   */
  #cards(games, session) {
    return [
      html(
        "header",
        {},
        wordmark(),
        html(
          "nav",
          { class: "pages", "aria-label": t("Other pages") },
          pageLinks(session),
          isArbiter(session) &&
            button([icon("program"), t("Connect an app")], () => openPrograms([]), { class: "button wide" }),
          languageChoice(),
          button([icon("display"), t("Sound and colours")], () => openSettings(() => {}), {
            class: "button wide",
          }),
        ),
      ),
      html(
        "div",
        { class: "asked" },
        html("h1", {}, t("What shall we play?")),
        isUntested() &&
          html("p", { class: "notice" }, t("Now choose a game, and lay its pieces on your board.")),
        this.onBack && button(t("Back to the game"), this.onBack),
        pinButton(session, this.onSession),
        isArbiter(session) &&
          button(t("Play with another table"), () => openJoining(this.meant, this.onBegun)),
      ),
      groupsOf(games).map(([title, own]) => [
        title && html("h2", { class: "of-games" }, title),
        html(
          "div",
          { class: "games" },
          own.map((game) => this.#card(game)),
        ),
      ]),
      this.proposed,
    ];
  }

  /** @param {GameOffer} game */
  #card(game) {
    const choose = html(
      "button",
      {
        type: "button",
        class: "game",
        onclick: () => this.#choose(game),
        "data-game": game.name,
      },
      html("img", { src: inPlayAddress(game.name), alt: "", loading: "lazy" }),
      html("span", { class: "title" }, game.title),
      html("span", { class: "line" }, game.line),
      html("span", { class: "seats" }, playerCounts(game)),
    );
    return html("div", { class: "card-of-game" }, choose, howToPlay(game));
  }

  /** @param {GameOffer | null} game null for the list of all games */
  #choose(game) {
    this.choice = game && new GameChoice(game, this.habits);
    this.#draw();
    scrollTo(0, 0);
  }

  /**
   * @param {GameChoice} choice
   * @param {Session} session
   */
  #details(choice, session) {
    const { game } = choice;
    const mayStart = isArbiter(session);
    const choices = game.options.filter(({ values }) => values.length);
    const texts = game.options.filter(({ values }) => !values.length);
    return [
      html(
        "header",
        { class: "fixed" },
        button(t("All games"), () => this.#choose(null), {
          class: "button quiet",
        }),
        html("h1", {}, game.title),
        game.tutorial && howToPlayHere(choice),
        submitButton(t("Start the game"), {
          form: "choices",
          disabled: !mayStart,
        }),
      ),
      html(
        "div",
        { class: "detail" },
        html("img", {
          id: "start-board",
          src: choice.picture,
          alt: t("The board of {game}", { game: game.title }),
        }),
        form(
          () => this.#start(choice),
          { id: "choices" },
          !mayStart && onlyArbiter(session, "start", this.onSession),
          html("fieldset", { id: "players" }, playerFields(choice)),
          !choice.isSolo && this.#habitField(t("Hints"), "practice", HINTS),
          helpField(),
          choices.map((option) => this.#optionField(choice, option)),
          clockField(this.habits, () => choice.seats),
          game.markers && this.#habitField(t("Markers"), "markers", MARKERS),
          texts.map((option) => positionField(choice, option)),
          // Last, for it arrives late: what stands below would move away under a finger.
          mayStart && !choice.isSolo && puzzlesField(game.name, this.meant, () => this.#begun()),
        ),
      ),
    ];
  }

  #begun() {
    this.choice = null;
    this.onBegun();
  }

  /**
   * @param {string} title
   * @param {"practice" | "markers"} name
   * @param {[value: boolean, words: string][]} values
   */
  #habitField(title, name, values) {
    const { habits } = this;
    return fieldset(
      title,
      segments(name, values, habits[name], (value) => (habits[name] = value)),
    );
  }

  /**
   * @param {GameChoice} choice
   * @param {GameOption} option
   */
  #optionField(choice, { name, values, labels, about }) {
    /** @type {[string, string][]} */
    const choices = values.map((value, i) => [value, capital(labels[i])]);
    const choose = (/** @type {string} */ value) => setOption(choice, name, value);
    return fieldset(capital(about || name), segments(name, choices, choice.options[name], choose));
  }

  /** @param {GameChoice} choice */
  async #start(choice) {
    if (!(await attempt("games", { ...choice.request, ...this.meant }))) return;
    if (!choice.elsewhere || (await attempt("two-tables/codes"))) this.#begun();
  }
}

/** Makes the companion's name beside its picture. */
function wordmark() {
  const picture = html("img", { src: "/static/icons/icon.svg", alt: "" });
  return html("p", { class: "wordmark" }, picture, html("span", {}, "Board Companion"));
}

/** @param {GameChoice} choice */
function playerFields(choice) {
  return [
    html("legend", {}, choice.isSolo ? t("Player") : t("Players")),
    ...choice.seats.map((seat) => playerField(choice, seat)),
  ];
}

/**
 * @param {GameChoice} choice
 * @param {Player} seat
 */
function playerField(choice, seat) {
  const field = textField({
    maxlength: LONGEST_NAME,
    placeholder: t("Name"),
    value: choice.names[seat],
    oninput: ({ currentTarget }) => (choice.names[seat] = currentTarget.value),
  });
  const label = html("span", {}, choice.isSolo ? t("You") : colourOf(seat));
  if (choice.isSolo) return html("label", { class: "seat" }, label, field);
  const words = t("Who plays {player}?", { player: colourOf(seat) });
  const choose = (/** @type {string} */ chosen) => (choice.levels[seat] = chosen);
  const who = opponentChoice(words, choice.levels[seat] || "", choose, choice.seats.length === 2);
  return html("div", { class: "seat" }, html("label", {}, label, field), who);
}

/**
 * Chooses an option. Only what depends on it is drawn anew: the rest keeps the focus, and what was typed.
 * @param {GameChoice} choice
 * @param {string} name
 * @param {string} value
 */
function setOption(choice, name, value) {
  choice.options[name] = value;
  byId("players").replaceChildren(...playerFields(choice));
  showStart(choice);
}

/**
 * Shows the board with which the game would begin, and says what is wrong with a position that is none.
 * @param {GameChoice} choice
 */
async function showStart(choice) {
  const picture = elementOf("start-board", HTMLImageElement);
  const wrong = document.getElementById("wrong-text");
  const address = choice.picture;
  const isShown = picture.getAttribute("src") === address;
  const answer = wrong && !isShown && (await fetch(address));
  if (choice.picture !== address || !picture.isConnected) return; // a later choice overtook this one
  const isWrong = answer && !answer.ok;
  if (wrong) wrong.textContent = isWrong ? (await answer.json()).error : "";
  if (!isWrong && !isShown) picture.src = address;
}

/**
 * Makes the field of an option that is free text, such as the position to begin from.
 * @param {GameChoice} choice
 * @param {GameOption} option
 */
function positionField(choice, { name, about }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const field = textField({
    name,
    maxlength: LONGEST_TEXT,
    autocapitalize: "off",
    "aria-label": capital(about),
    "aria-describedby": "wrong-text",
    placeholder: t("The usual start"),
    value: choice.options[name],
    oninput: ({ currentTarget }) => {
      choice.options[name] = currentTarget.value.trim();
      clearTimeout(timer);
      timer = setTimeout(() => showStart(choice), SHOW_AFTER_MS);
    },
  });
  const wrong = html("p", { id: "wrong-text", class: "wrong", role: "status" });
  return fieldset(capital(about), [field, wrong]);
}

/** Asks whether this display tells newcomers what can be done. */
function helpField() {
  /** @type {["off" | "on", string][]} */
  const choices = [
    ["off", t("No")],
    ["on", t("Yes: show what can be done")],
  ];
  return fieldset(
    t("Is this your first game?"),
    segments("help", choices, setting("help"), (value) => remember("help", value)),
  );
}

/**
 * Teaches a game over what was chosen and typed for it, which stays.
 * @param {GameChoice} choice
 */
function howToPlayHere({ game: { name, title }, options }) {
  return button(t("How to play"), () => openHowToPlay({ name, title, options }), { class: "button learn" });
}

/**
 * Makes the link to the page that teaches a game.
 * @param {GameOffer} game
 */
function howToPlay({ name, title, tutorial }) {
  const words = t("How to play");
  const label = `${words}: ${title}`; // begins with what can be read: so it is called by who speaks to the browser
  return tutorial && html("a", { class: "learn", href: `/how-to-play/${name}`, "aria-label": label }, words);
}
