// One earlier game: step by step by touch and keys, with what was said, seen and refused, and its files.

import { get, post } from "./api.js";
import { BoardView } from "./board.js";
import { button, byId, capital, h, s } from "./dom.js";
import { isArbiter } from "./pin.js";
import { closeSheet, complain, confirm, openSheet } from "./sheet.js";
import { token } from "./words.js";

const PACE = 1_400;
const FILES = {
  record: "Record: all that happened", text: "Game text", pgn: "PGN", pdn: "PDN", abstract: "Abstract Play record (JSON)", gif: "Moving picture (GIF)",
  webp: "Moving picture (WebP, smaller)", pdf: "Score sheet (PDF)", svg: "Board at this step (SVG)", png: "Board at this step (PNG)",
};
const SIGNS = { start: "M6 5V19M19 5L9 12L19 19Z", back: "M17 5L7 12L17 19Z", on: "M7 5L17 12L7 19Z", end: "M18 5V19M5 5L15 12L5 19Z" };
const SAYS = { start: "To the start", back: "One step back", on: "One step on", end: "To the end" };
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "start", End: "end", " ": "play" };

export class Replay {
  constructor(game, board, arbiter) {
    this.game = game;
    this.data = board;
    this.arbiter = arbiter;
    this.timer = 0;
    this.frame = h("div", { class: "frame" });
    this.view = new BoardView(this.frame, () => {});
    this.view.load(board);
    this.#listen();
    this.words = h("p", { class: "said", "aria-live": "polite" });
    this.told = h("div", { class: "told" });
    this.moves = h("ol", { class: "moves" }, game.steps.slice(1).map((step, i) => this.#move(step, i + 1)));
    this.slider = h("input", { type: "range", min: 0, max: this.last, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.player = button("Play", () => this.act("play"), { "aria-pressed": "false", class: "button play" });
  }

  get last() {
    return this.game.steps.length - 1;
  }

  show(element, at) {
    element.replaceChildren(this.frame, h(
      "div",
      { class: "beside" },
      h("header", {}, h("h1", {}, this.#title()), button("All games", () => (location.hash = ""), { class: "button quiet" })),
      h("div", { class: "keys" },
        Object.entries(SIGNS).map(([deed, path]) => button(s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: path })), () => this.act(deed), { "aria-label": SAYS[deed] })),
        this.player),
      this.slider,
      this.words,
      this.told,
      this.moves,
      h("div", { class: "deeds" }, this.#deeds()),
    ));
    this.go(at ?? this.last);
    new ResizeObserver(() => this.#reveal(this.moves.children[this.at - 1])).observe(this.moves);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.player.textContent = "Play";
    this.player.setAttribute("aria-pressed", "false");
  }

  go(n) {
    this.at = Math.min(Math.max(n, 0), this.last);
    const step = this.game.steps[this.at];
    this.view.draw({ pieces: step.pieces, marks: [{ kind: "last", sites: step.sites || [] }] });
    this.words.textContent = `${this.at ? `${this.at}. ${step.action}  ` : ""}${(step.words || ["The start."]).join(" ")}${this.at === this.last ? this.#result() : ""}`;
    this.told.replaceChildren(...this.#told(step));
    this.slider.value = this.at;
    [...this.moves.children].forEach((item, i) => item.classList.toggle("latest", i === this.at - 1));
    this.#reveal(this.moves.children[this.at - 1] || this.moves.firstElementChild);
    history.replaceState(null, "", `#${this.game.number}/${this.at}`);
  }

  act(deed) {
    if (deed === "play" && !this.timer) return this.#play();
    this.stop();
    const to = { start: 0, back: this.at - 1, on: this.at + 1, end: this.last }[deed];
    if (to !== undefined) this.go(to);
  }

  key(event) {
    if (byId("sheet").open) return;
    if (event.target.closest("input:not([type=range]), textarea, button, a") && event.key === " ") return;
    if (event.target.closest("input, textarea") || !KEYS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.act(KEYS[event.key]);
  }

  #play() {
    if (this.at === this.last) this.go(0);
    this.player.textContent = "Pause";
    this.player.setAttribute("aria-pressed", "true");
    this.timer = setInterval(() => (this.at === this.last ? this.stop() : this.go(this.at + 1)), PACE);
  }

  // A swipe or a tap on the board: to the left half goes back, to the right half on.
  #listen() {
    let from = null;
    this.frame.addEventListener("pointerdown", (event) => (from = event.clientX));
    this.frame.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const moved = event.clientX - from;
      const box = this.frame.getBoundingClientRect();
      from = null;
      if (Math.abs(moved) > 30) this.act(moved > 0 ? "back" : "on");
      else this.act(event.clientX < box.left + box.width / 2 ? "back" : "on");
    });
  }

  // Only the list scrolls, never the page below the finger.
  #reveal(item) {
    if (!item) return;
    const [top, bottom] = [item.offsetTop - this.moves.offsetTop, item.offsetTop - this.moves.offsetTop + item.offsetHeight];
    if (top < this.moves.scrollTop) this.moves.scrollTop = top;
    else if (bottom > this.moves.scrollTop + this.moves.clientHeight) this.moves.scrollTop = bottom - this.moves.clientHeight;
  }

  #title() {
    const names = this.game.players.map((seat) => this.game.head[seat]).filter(Boolean);
    return names.length ? `${this.game.title}: ${names.join(" – ")}` : this.game.title;
  }

  #result() {
    const { outcome } = this.game;
    return outcome ? ` ${outcome.words}` : "";
  }

  #move(step, n) {
    const signs = [step.notes.length && ["✎", "a comment"], step.asides.length && ["!", "a refusal or takeback"], step.pictures.length && ["▣", "a picture"]].filter(Boolean);
    return h("li", {}, h(
      "button",
      { type: "button", onclick: () => (this.stop(), this.go(n)) },
      h("span", { class: "n" }, n), token(this.data, step.player), h("span", {}, step.action),
      signs.length > 0 && h("span", { class: "signs", role: "img", "aria-label": signs.map(([, words]) => words).join(", ") }, signs.map(([sign]) => sign)),
    ));
  }

  #told(step) {
    const pictures = step.pictures.map((line) => {
      const source = `/api/v1/records/${this.game.number}/pictures/${line}.jpg`;
      const words = "What the camera saw, and how it was read";
      return h("button", { type: "button", class: "seen", onclick: () => openSheet("Seen", h("img", { src: source, alt: words }), h("p", {}, words)) }, h("img", { src: source, alt: words, loading: "lazy" }));
    });
    return [
      ...step.asides.map((aside) => h("p", { class: "aside" }, aside.words)),
      ...pictures,
      ...step.notes.map((note) => h("blockquote", {}, note.by && h("cite", {}, capital(note.by)), h("p", {}, note.text))),
    ];
  }

  #deeds() {
    const { author, deleted } = this.game;
    return [
      author && button("Comment", () => this.#comment()),
      button("Save as…", () => this.#save()),
      this.arbiter && deleted && button("Bring it back", () => this.#do(() => post(`records/${this.game.number}/return`), () => location.reload())),
      this.arbiter && !deleted && button("More…", () => this.#more()),
    ];
  }

  #more() {
    this.stop();
    openSheet(
      "This game",
      button("Go on with it at the table", () => this.#do(() => post("openings", { number: this.game.number }), () => location.assign("/"))),
      button("Correct the record…", () => this.#correct()),
      button("Delete…", () => this.#delete(), { class: "button danger" }),
    );
  }

  async #do(deed, then) {
    try {
      then(await deed());
    } catch (error) {
      complain(error.message);
    }
  }

  #comment() {
    this.stop();
    const step = this.game.steps[this.at];
    const own = step.notes.find((note) => note.by === this.game.author && note.line === step.line);
    const field = h("textarea", { rows: 5, maxlength: 2000, "aria-label": "Comment" });
    field.value = own?.text || "";
    const save = () => this.#do(() => post(`records/${this.game.number}/notes`, { text: field.value, line: step.line }), () => (closeSheet(), this.#refresh()));
    openSheet(this.at ? `Comment on ${this.at}. ${step.action}` : "Comment on the game", field, button("Save", save, { class: "button strong" }));
    field.focus();
  }

  #save() {
    this.stop();
    const path = `/api/v1/records/${this.game.number}`;
    const link = (form) => {
      const diagram = form === "svg" || form === "png";
      const href = diagram ? `${path}/${this.at}.${form}` : `${path}/export/${form}`;
      return h("a", { class: "button", href, download: diagram ? `game-${this.game.number}-${this.at}.${form}` : true }, FILES[form] || form);
    };
    openSheet("Save as", this.game.forms.map(link));
  }

  #correct() {
    this.stop();
    const { at } = this; // what is corrected is the step that the dialog names
    const step = this.game.steps[at];
    const action = at > 0 && step.player !== "arbiter" && h("input", { type: "text", "aria-label": "Action", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    if (action) action.value = step.action;
    const end = at < this.last && h("input", { type: "checkbox" });
    const names = [...this.game.players, "event", "place"].map((key) => {
      const field = h("input", { type: "text", name: key, maxlength: 40, autocomplete: "off" });
      field.value = this.game.head[key] || "";
      return field;
    });
    const save = () => {
      const changed = names.filter((field) => field.value.trim() !== (this.game.head[field.name] || ""));
      const body = { names: Object.fromEntries(changed.map((field) => [field.name, field.value])) };
      if (action && action.value.trim() !== step.action) body.steps = { [at]: action.value.trim() };
      if (end?.checked) body.until = at;
      this.#do(() => post(`records/${this.game.number}/corrections`, body), ({ number }) => (closeSheet(), (location.hash = `${number}/${at}`)));
    };
    openSheet(
      "Correct the record",
      h("p", {}, "A corrected copy is added; this game stays as it is."),
      action && h("label", { class: "seat" }, `Step ${at}`, action),
      end && h("label", { class: "check" }, end, "The game ends with this step"),
      names.map((field) => h("label", { class: "seat" }, capital(field.name), field)),
      button("Add the corrected game", save, { class: "button strong" }),
    );
  }

  #delete() {
    this.stop();
    const kept = this.game.steps.some((step) => step.pictures.length);
    const words = `It goes to the deleted games and can come back from there.${kept ? " Its pictures are erased for good." : ""}`;
    confirm("Delete this game?", words, "Delete", () => this.#do(() => post(`records/${this.game.number}/deletion`), () => (location.hash = "")));
  }

  async #refresh() {
    const at = this.at;
    this.game = await get(`records/${this.game.number}`);
    this.moves.replaceChildren(...this.game.steps.slice(1).map((step, i) => this.#move(step, i + 1)));
    this.go(at);
  }
}

// The game's page; it hears keys until another one is shown.
let shown = null;
addEventListener("keydown", (event) => shown?.key(event));

export async function openReplay(number, at) {
  const [game, board, session] = await Promise.all([get(`records/${number}`), get(`records/${number}/board`), get("session")]);
  closeReplay();
  shown = new Replay(game, board, isArbiter(session));
  shown.show(byId("replay"), at);
}

export function closeReplay() {
  shown?.stop();
  shown = null;
}
