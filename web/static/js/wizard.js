// Setting up a camera, one step at a time: the game, where the board lies, how it looks, and a name for that.

import { Aiming } from "./aiming.js";
import { get, post } from "./api.js";
import { button, byId, h } from "./dom.js";
import { isArbiter, onlyArbiter } from "./pin.js";
import { day, listProfiles, naming, openProfiles } from "./profiles.js";

const STEPS = ["game", "board", "empty", "start", "name"];
const TITLES = { game: "The game", board: "The board in the picture", empty: "The empty board", start: "The start position", name: "A name for it" };
const PATIENCE = 1_200; // between two looks for the board
const CORNERS = [[0.2, 0.8], [0.8, 0.8], [0.8, 0.2], [0.2, 0.2]];

// A game, and the same with each option that has a board of its own.
function withBoards({ name, title, boards }) {
  return [{ name, title }, ...Object.keys(boards).map((option) => ({ name: `${name} ${option}`, title: `${title}, ${option.split("=")[1]}` }))];
}

class Wizard {
  constructor(games, game, profiles) {
    Object.assign(this, { games: games.flatMap(withBoards), game, profiles, step: "game", words: "", found: false, lesson: null, busy: false });
    this.aiming = new Aiming();
    byId("profiles").addEventListener("click", () => this.#openProfiles());
    byId("profiles").hidden = false;
    this.go("game");
  }

  get title() {
    return this.games.find(({ name }) => name === this.game).title;
  }

  get picture() {
    const [name, option] = this.game.split(" ");
    return `/api/v1/boards/${name}.svg${option ? `?${option}` : ""}`;
  }

  go(step, words = "", wrong = false) {
    Object.assign(this, { step, words, wrong, saved: "" });
    if (step === "game") this.aiming.place([]);
    if (step !== "name") byId("seen").hidden = true;
    this.render();
    byId("steps").querySelector("h2").focus({ preventScroll: true });
  }

  // Looks for the board until it is found, somebody drags its corners, or the step is left.
  async seek() {
    this.aiming.place([]);
    this.found = false;
    this.go("board", "Looking for the board…");
    const turn = (this.turn = {});
    const wanted = () => this.turn === turn && this.step === "board" && !this.aiming.moved;
    while (wanted() && !this.found) {
      const aim = await post("setup/aim", { game: this.game }).catch((error) => error);
      if (!wanted()) return;
      this.#aimed(aim);
      if (!this.found) await new Promise((done) => setTimeout(done, PATIENCE));
    }
  }

  #aimed({ words, corners = [], size, message }) {
    this.found = corners.length === 4;
    if (this.found) this.aiming.place(corners);
    else if (size && !this.aiming.corners.length) this.aiming.place(CORNERS.map(([x, y]) => [x * size[0], y * size[1]]));
    const light = words ? ` But: ${words}.` : "";
    this.words = this.found
      ? `The board is found.${light} Do the yellow corners lie on the corners of its field? If not, drag them there.`
      : `${message || words || "The board is not found"}. Move the camera or the light, or drag the four yellow corners to those of the board’s field.`;
    this.render();
  }

  async #do(path, body, then) {
    if (this.busy) return;
    [this.busy, this.words] = [true, "One moment…"];
    this.render();
    const answer = await post(`setup/${path}`, body).catch((error) => error);
    this.busy = false;
    if (answer instanceof Error) this.words = answer.message;
    else await then(answer);
    this.render();
  }

  keepEmpty() {
    return this.#do("empty", { game: this.game }, () => this.go("start"));
  }

  learn() {
    const { corners, moved } = this.aiming;
    return this.#do("calibration", moved ? { game: this.game, corners } : { game: this.game }, (lesson) => this.#learned(lesson));
  }

  #learned({ board, read, wrong }) {
    this.lesson = { board, title: this.title, made: Date.now() / 1000 };
    const few = (places) => `${places.slice(0, 6).join(", ")}${places.length > 6 ? " and more" : ""}`;
    if (wrong.length) return this.go("start", `Read otherwise than they should stand: ${few(wrong)}. Check these places and the light, then learn again.`, true);
    this.#show(`All ${read} places are read right. The camera is set up.`);
  }

  #show(words) {
    byId("seen").src = `/api/v1/setup/seen.jpg?at=${Date.now()}`;
    byId("seen").hidden = false;
    this.go("name", words);
  }

  async #openProfiles() {
    await openProfiles(({ name }) => (this.go("game"), (this.words = `The camera reads by “${name}” now.`), this.render()));
  }

  render() {
    const at = STEPS.indexOf(this.step);
    byId("steps").replaceChildren(
      h("h2", { tabindex: "-1" }, h("span", { class: "soft" }, `${at + 1} of ${STEPS.length} · `), TITLES[this.step]),
      h("p", { class: "said", role: "status" }, this.words || this.#advice()),
      ...this.#body(),
      ...(at > 0 && !this.saved ? [button("One step back", () => (this.step === "empty" ? this.seek() : this.go(STEPS[at - 1])), { class: "button quiet", disabled: this.busy })] : []),
    );
  }

  #advice() {
    return {
      game: "Choose the game, and put its board under the camera: all of it in the picture, with a margin.",
      empty: "Take all pieces off the board. This makes reading surer; it can be left out.",
      start: "Put the pieces as the game begins.",
    }[this.step] || "";
  }

  #body() {
    const next = (words, action, more = {}) => button(words, action, { class: "button wide strong", disabled: this.busy, ...more });
    return {
      game: () => [this.#choice(), next("Find the board", () => this.seek()), this.#latest()],
      board: () => [next("The corners are right", () => this.go("empty"), { disabled: this.aiming.corners.length < 4 }), button("Find it again", () => this.seek(), { class: "button wide" })],
      empty: () => [next("The board is empty", () => this.keepEmpty()), button("Leave this out", () => this.go("start"), { class: "button wide", disabled: this.busy })],
      start: () => [h("img", { class: "start", src: this.picture, alt: `The start position of ${this.title}` }), next(this.wrong ? "Learn again" : "Learn how it looks", () => this.learn()), this.wrong && button("Go on with it all the same", () => this.#show("The camera is set up, but does not read all places right yet."), { class: "button wide", disabled: this.busy })],
      name: () => this.#naming(),
    }[this.step]().filter(Boolean);
  }

  #choice() {
    const options = this.games.map(({ name, title }) => h("option", { value: name, selected: name === this.game }, title));
    return h("label", {}, h("span", { class: "hidden" }, "The game"), h("select", { class: "button wide", onchange: ({ target }) => (this.game = target.value) }, options));
  }

  // Who set the camera up before need not do so again.
  #latest() {
    const used = this.profiles.find((profile) => profile.used);
    return used && h("p", { class: "soft" }, `The camera is set up already: ${used.name || used.title} (${day(used.made)}). `, h("a", { href: "/" }, "Play with that"));
  }

  #naming() {
    const play = h("a", { class: `button wide ${this.saved ? "strong" : ""}`, href: "/" }, "Play");
    if (this.saved) return [play, button("Set up another game", () => this.go("game"), { class: "button wide" })];
    const named = async (name) => {
      this.saved = name;
      this.profiles = await listProfiles().catch(() => this.profiles);
      this.words = `Kept as “${name}”. You find it again under Profiles.`;
      this.render();
    };
    const { field, save } = naming(this.lesson, named, (words) => ((this.words = words), this.render()));
    return [h("form", { class: "keep", onsubmit: save }, field, h("button", { type: "submit", class: "button wide strong" }, "Keep it")), play];
  }
}

function refuse(words) {
  byId("steps").replaceChildren(h("p", { class: "said", role: "alert" }, words));
}

try {
  const [session, games, state] = await Promise.all([get("session"), get("games"), get("state")]);
  if (!session.bench) refuse("There is no camera here to set up: start with --source camera:0.");
  else if (isArbiter(session)) new Wizard(games, state.game?.name || games[0].name, await listProfiles());
  else byId("steps").replaceChildren(onlyArbiter(session, "sets the camera up", () => location.reload()));
} catch (error) {
  refuse(error.message);
}
