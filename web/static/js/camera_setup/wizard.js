// The wizard of the camera's set-up, one step at a time: the game, where the board lies, the looks, a name.

import { get, post, reasonOf } from "../shared/api.js";
import {
  button,
  byId,
  elementOf,
  form,
  html,
  replaceContent,
  select,
  showIfChanged,
  submitButton,
} from "../shared/dom.js";
import { howItShouldBe } from "../shared/how_it_should_be.js";
import { t } from "../shared/language.js";
import { sensorName } from "../shared/sensor_names.js";
import { pictureAddress } from "../start/game_choice.js";
import { CornerEditor } from "./corner_editor.js";
import { firstCorners } from "./corners.js";
import { placementItems, showArrow } from "./placement.js";
import { listProfiles, madeAt, nameField, openProfiles } from "./profiles.js";
import { forgetPlace, keepPlace, recallPlace } from "./wizard_memory.js";
import { ADVICE, STEPS, TITLES, aimWords, boardsOf, wrongWords } from "./wizard_words.js";

/** @import { Aim, Attributes, Child, GameOffer, Lesson, Placement, Profile } from "../shared/types.d.ts" */
/** @import { Unnamed } from "./profiles.js" */
/** @import { Memory } from "./wizard_memory.js" */
/** @import { Step } from "./wizard_words.js" */

/** Between two looks for the board. */
const LOOK_EVERY_MS = 1_200;
const LEARNED_EVERY_MS = 500;

export class CameraWizard {
  /**
   * @param {GameOffer[]} games
   * @param {string} game the text of the one that is chosen at first
   * @param {Profile[]} profiles
   * @param {{ since: number, cameras: string[] }} setUp when the companion was started (one that was started anew knows
   *   nothing of the steps before), and the names of the table's cameras
   * @param {string} [camera] the name of the one that is chosen at first
   */
  constructor(games, game, profiles, { since, cameras }, camera = cameras[0]) {
    this.boards = games.flatMap(boardsOf);
    this.game = game;
    this.profiles = profiles;
    this.since = since;
    this.cameras = cameras;
    this.camera = camera;
    /** @type {Step} */
    this.step = "game";
    /** What is said at this step; '' for the step's advice. */
    this.words = "";
    /** Whether the last lesson left places that are read wrongly. */
    this.hasMisread = false;
    /** The name under which the profile was kept; '' while it has none. */
    this.savedName = "";
    /** The name that was typed and is not kept yet. */
    this.typedName = "";
    this.isBusy = false;
    /** Whether the server learns for this page, or for the one that it was before it was loaded anew. */
    this.isLearning = false;
    this.isFound = false;
    /** @type {Placement | null} how the camera stands; null where the board is not found */
    this.placement = null;
    this.placementList = html("ul", {
      class: "placement",
      "aria-live": "polite",
    });
    /** Which search for the board is on; a new one ends those before. */
    this.searches = 0;
    /** @type {Unnamed} what was learned, as a profile without a name */
    this.learned = { board: "", title: "", made: 0, camera };
    this.editor = new CornerEditor(() => this.camera);
  }

  start() {
    byId("profiles").addEventListener("click", () => this.#openProfiles());
    byId("profiles").hidden = false;
    addEventListener("pagehide", () => this.#keepPlace());
    const memory = recallPlace();
    const { boards, cameras } = this;
    const isHere = boards.some(({ text }) => text === memory?.game) && cameras.includes(memory?.camera || "");
    if (memory?.since === this.since && isHere) {
      this.#goOnAt(memory);
    } else this.#go("game");
  }

  #keepPlace() {
    const { since, camera, game, step, words, hasMisread, isLearning, learned, typedName, editor } = this;
    if (this.savedName || step === "game") forgetPlace();
    else {
      const corners = editor.isMoved ? editor.corners : [];
      const name = typedName;
      keepPlace({ since, camera, game, step, words, hasMisread, isLearning, corners, learned, name });
    }
  }

  /**
   * Goes on where the page was before it was loaded anew.
   * @param {Memory} memory
   */
  #goOnAt({ camera, game, step, words, hasMisread, isLearning, corners, learned, name }) {
    this.camera = camera;
    this.game = game;
    this.learned = learned;
    this.typedName = name;
    if (step === "board" && !corners.length) {
      this.#findBoard();
      return;
    }
    if (step === "name") this.#showLesson(words);
    else this.#go(step, isLearning ? "" : words);
    if (corners.length) {
      this.editor.place(corners);
      this.editor.isMoved = true;
    }
    this.hasMisread = hasMisread;
    this.render();
    if (isLearning) this.#awaitLesson();
  }

  /** Waits for what the server learns since before the page was loaded anew. */
  async #awaitLesson() {
    this.isBusy = this.isLearning = true;
    this.#say(t("Learning goes on…"));
    /** @type {{ learning: boolean, lesson: Lesson | null }} */
    let found = { learning: true, lesson: null };
    while (found.learning) {
      await new Promise((done) => setTimeout(done, LEARNED_EVERY_MS));
      found = await get("setup/calibration").catch(() => found);
    }
    this.isBusy = this.isLearning = false;
    if (found.lesson) this.#takeLesson(found.lesson);
    else this.#say(t("That was not learned. Try again."));
  }

  get #title() {
    return this.boards.find(({ text }) => text === this.game)?.title || this.game;
  }

  /**
   * @param {Step} step
   * @param {string} [words]
   */
  #go(step, words = "") {
    this.step = step;
    this.words = words;
    this.hasMisread = false;
    this.savedName = "";
    if (step === "game") this.editor.place([]);
    if (step !== "name") byId("seen").hidden = true;
    if (step !== "board") this.#place(null);
    this.render();
    const heading = byId("steps").querySelector("h2");
    heading?.focus({ preventScroll: true });
  }

  #goBack() {
    if (this.step === "empty") this.#findBoard();
    else this.#go(STEPS[STEPS.indexOf(this.step) - 1]);
  }

  /** Looks for the board, again and again while the camera is moved, until somebody drags its corners or the
   * step is left. */
  async #findBoard() {
    this.editor.place([]);
    this.isFound = false;
    this.#place(null);
    this.#go("board", t("Looking for the board…"));
    const search = ++this.searches;
    const isWanted = () => this.searches === search && this.step === "board" && !this.editor.isMoved;
    while (isWanted()) {
      if (document.visibilityState === "visible") await this.#look(isWanted);
      await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
    }
  }

  /** @param {() => boolean} isWanted */
  async #look(isWanted) {
    /** @type {[aim: Partial<Aim>, failure: string]} */
    const [aim, failure] = await post("setup/aim", { game: this.game, camera: this.camera }).then(
      (answer) => [/** @type {Aim} */ (answer), ""],
      (error) => [{}, reasonOf(error)],
    );
    if (!isWanted()) return;
    const { corners = [], size, placement = null } = aim;
    const wasIncomplete = this.editor.corners.length < 4;
    const wasFound = this.isFound;
    this.isFound = corners.length === 4;
    if (this.isFound) this.editor.place(corners);
    else if (size && wasIncomplete) this.editor.place(firstCorners(size));
    this.words = aimWords(aim, failure);
    this.#place(placement);
    if (wasIncomplete || this.isFound !== wasFound) this.render();
    else showWords(this.words); // what has the focus stays where it is
  }

  /**
   * Shows how the camera stands, beside its picture and on it.
   * @param {Placement | null} placement
   */
  #place(placement) {
    this.placement = placement;
    showIfChanged(this.placementList, placement, () => placement && placementItems(placement));
    showArrow(byId("advice-arrow"), placement?.advice[0]);
  }

  /**
   * Does a step at the server, one at a time.
   * @template T
   * @param {string} path
   * @param {object} body
   * @param {(answer: T) => unknown} onDone
   */
  async #do(path, body, onDone) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.#say(t("One moment…"));
    /** @type {Promise<T>} */
    const request = post(`setup/${path}`, body);
    const answer = await request.catch((error) => new Error(reasonOf(error)));
    this.isBusy = this.isLearning = false;
    if (answer instanceof Error) this.words = answer.message;
    else onDone(answer);
    this.render();
  }

  #keepEmpty() {
    return this.#do("empty", this.#boardInPicture, () => this.#go("start"));
  }

  #forgetEmpty() {
    return this.#do("empty/deletion", {}, () => this.#go("start"));
  }

  /** The game and the camera, and the board's corners where they were dragged. */
  get #boardInPicture() {
    const { game, camera, editor } = this;
    return { game, camera, ...(editor.isMoved && { corners: editor.corners }) };
  }

  #learn() {
    this.isLearning = true;
    return this.#do("calibration", this.#boardInPicture, (/** @type {Lesson} */ lesson) =>
      this.#takeLesson(lesson),
    );
  }

  /** @param {Lesson} lesson */
  #takeLesson({ board, read, wrong }) {
    this.typedName = "";
    this.learned = { board, title: this.#title, made: Date.now() / 1000, camera: this.camera };
    if (wrong.length) {
      this.#go("start", wrongWords(wrong));
      this.hasMisread = true;
    } else this.#showLesson(t("All {n} places are read right. The camera is set up.", { n: read }));
  }

  /** @param {string} words */
  #showLesson(words) {
    const seen = elementOf("seen", HTMLImageElement);
    seen.src = `/api/v1/setup/seen.jpg?at=${Date.now()}`;
    seen.hidden = false;
    this.#go("name", words);
  }

  #openProfiles() {
    const onUse = (/** @type {{ name: string }} */ { name }) => {
      this.#go("game");
      this.#say(t("The camera reads by “{name}” now.", { name }));
    };
    return openProfiles({ camera: this.camera, cameras: this.cameras, onUse });
  }

  /** @param {string} words */
  #say(words) {
    this.words = words;
    this.render();
  }

  render() {
    const at = STEPS.indexOf(this.step);
    const count = html(
      "span",
      { class: "soft" },
      t("{n} of {total}", { n: at + 1, total: STEPS.length }),
      " · ",
    );
    const back = button(t("One step back"), () => this.#goBack(), {
      class: "button quiet",
      disabled: this.isBusy,
    });
    replaceContent(
      byId("steps"),
      html("h2", { tabindex: "-1" }, count, TITLES[this.step]),
      html("p", { class: "said", role: "status" }, this.words || ADVICE[this.step]),
      this.#stepContent(),
      at > 0 && !this.savedName && back,
    );
  }

  /** @returns {Child[]} */
  #stepContent() {
    const contents = {
      game: () => this.#gameStep(),
      board: () => this.#boardStep(),
      empty: () => this.#emptyStep(),
      start: () => this.#startStep(),
      name: () => this.#nameStep(),
    };
    return contents[this.step]();
  }

  /**
   * Makes the button that goes on.
   * @param {string} words
   * @param {() => unknown} action
   * @param {Attributes<HTMLButtonElement>} [attributes]
   */
  #next(words, action, attributes = {}) {
    return button(words, action, {
      class: "button wide strong",
      disabled: this.isBusy,
      ...attributes,
    });
  }

  #gameStep() {
    /** @type {[string, string][]} */
    const games = this.boards.map(({ text, title }) => [text, title]);
    const field = select(games, this.game, (text) => (this.game = text), { class: "button wide" });
    const used = this.profiles.find((profile) => profile.used && profile.camera === this.camera);
    return [
      this.cameras.length > 1 && this.#cameraField(),
      html("label", {}, html("span", { class: "hidden" }, t("The game")), field),
      this.#next(t("Find the board"), () => this.#findBoard()),
      used && profileInUse(used),
    ];
  }

  #cameraField() {
    const named = this.cameras.map((name) => ({ name }));
    /** @type {[string, string][]} */
    const choices = this.cameras.map((name) => [name, sensorName(name, named)]);
    const choose = (/** @type {string} */ name) => {
      this.camera = name;
      this.render();
    };
    return html(
      "label",
      {},
      html("span", { class: "hidden" }, t("Camera")),
      select(choices, this.camera, choose, { class: "button wide" }),
    );
  }

  #boardStep() {
    const isIncomplete = this.editor.corners.length < 4;
    return [
      this.placementList,
      !this.isFound && !isIncomplete && howItShouldBe(),
      this.#next(t("The corners are right"), () => this.#go("empty"), {
        disabled: isIncomplete,
      }),
      button(t("Find it again"), () => this.#findBoard(), {
        class: "button wide",
      }),
    ];
  }

  #emptyStep() {
    const skip = { class: "button wide", disabled: this.isBusy };
    return [
      this.#next(t("The board is empty"), () => this.#keepEmpty()),
      button(t("Leave this out"), () => this.#forgetEmpty(), skip),
    ];
  }

  #startStep() {
    const [name, option] = this.game.split(" ");
    const alt = t("The start position of {game}", { game: this.#title });
    const accept = () => this.#showLesson(t("The camera is set up, but does not read all places right yet."));
    const acceptLook = { class: "button wide", disabled: this.isBusy };
    return [
      html("img", { class: "start", src: pictureAddress(name, option), alt }),
      this.#next(this.hasMisread ? t("Learn again") : t("Learn how it looks"), () => this.#learn()),
      this.hasMisread && button(t("Go on with it all the same"), accept, acceptLook),
    ];
  }

  #nameStep() {
    const isSaved = Boolean(this.savedName);
    const play = html(
      "a",
      { class: `button wide ${isSaved ? "strong" : ""}`, href: playAddress(this.game) },
      t("Play now"),
    );
    if (isSaved) {
      return [
        play,
        button(t("Set up another game"), () => this.#go("game"), {
          class: "button wide",
        }),
      ];
    }
    const { field, save } = nameField(
      this.learned,
      (name) => this.#showSaved(name),
      (words) => this.#say(words),
    );
    if (this.typedName) field.value = this.typedName;
    field.addEventListener("input", () => (this.typedName = field.value));
    const keep = submitButton(t("Keep it"), { class: "button wide strong" });
    return [form(save, { class: "keep" }, field, keep), play];
  }

  /** @param {string} name */
  async #showSaved(name) {
    this.savedName = name;
    this.profiles = await listProfiles().catch(() => this.profiles);
    this.#say(t("Kept as “{name}”. You find it again under Profiles.", { name }));
  }
}

/** @param {string} words */
function showWords(words) {
  const said = byId("steps").querySelector(".said");
  if (said && said.textContent !== words) said.textContent = words;
}

/**
 * Returns the address of the first page with a game chosen.
 * @param {string} game its text
 */
function playAddress(game) {
  return `/?${new URLSearchParams({ play: game })}`;
}

/**
 * Tells who set the camera up before that they need not do so again.
 * @param {Profile} profile
 */
function profileInUse(profile) {
  const name = profile.name || profile.title;
  const words = t("The camera is set up already: {name} ({moment}).", { name, moment: madeAt(profile) });
  return html(
    "p",
    { class: "soft" },
    words,
    " ",
    html("a", { href: playAddress(profile.game) }, t("Play with that")),
  );
}
