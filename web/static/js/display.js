// The display: one state comes in by the stream, everything shown follows from it.

import { get, post } from "./api.js";
import { Correction } from "./arbiter.js";
import { Arrangement } from "./arrange.js";
import { stayAwake } from "./awake.js";
import { BoardView, say } from "./board.js";
import { renderClock } from "./clock.js";
import { byId, forget } from "./dom.js";
import { connect } from "./live.js";
import { renderCounts, renderMoves, renderNews, renderSaid, renderSources, renderTurn } from "./panel.js";
import { Play } from "./play.js";
import { renderSetup } from "./setup.js";
import { toast } from "./sheet.js";
import { hear, hearRefusal } from "./sound.js";
import { Tabletop } from "./tabletop.js";
import { attempt, renderTools } from "./tools.js";

class Display {
  constructor(session) {
    this.session = session;
    this.state = null;
    this.play = new Play();
    this.choosing = false;
    this.refusal = null;
    this.view = new BoardView(byId("board"), (place) => this.tap(place));
    if (byId("tabletop")) this.tabletop = new Tabletop(byId("tabletop"), () => this.acts);
    this.stream = connect((state) => this.receive(state), (fine) => (byId("lost").hidden = fine));
    stayAwake();
  }

  get acts() {
    return this.session.role !== "spectator";
  }

  get placeless() {
    return this.play.placeless;
  }

  get turned() {
    return this.view.turned;
  }

  async receive(state) {
    const before = this.state;
    this.state = state;
    if (!before || before.last?.n !== state.last?.n || before.to_act !== state.to_act) this.refusal = this.advice = null;
    if (before?.number !== state.number) this.leaveGame();
    hear(state);
    if (before && (before.to_act !== state.to_act || (before.question && !state.question))) await this.cover();
    if (before && before.number !== state.number) this.session = await get("session"); // a seat holds for one game
    await this.loadBoard();
    this.render();
  }

  // One tablet for players with secrets: what one of them did is covered before the next one looks.
  async cover() {
    if (this.state.question) return; // whoever is asked answers first, with the pieces veiled
    if (this.session.role === "home" && this.session.secrets && this.session.seat) {
      const covered = await attempt("session/seat", { seat: "" });
      if (covered) this.setSession(covered);
    }
  }

  get veiled() {
    const { role, secrets, seat } = this.session;
    return role === "home" && secrets && seat && this.state.question && this.state.to_act !== seat;
  }

  get handOver() {
    const { role, secrets, seat } = this.session;
    return role === "home" && secrets && !seat && this.state.state !== "over" ? this.state.to_act : "";
  }

  async look(seat) {
    const given = await attempt("session/seat", { seat });
    if (given) this.setSession(given);
  }

  // Nothing is drawn on a board that is not the game's: a state that comes while one is loading waits for it.

  async loadBoard() {
    const game = this.state.game;
    const key = game ? `${game.name} ${game.board} ${JSON.stringify(game.options)} ${this.state.number}` : "";
    if (!game) return;
    if (this.boardKey !== key) {
      this.boardKey = key;
      this.choosing = false;
      this.loading = get("board").then((board) => key === this.boardKey && this.view.load(board));
    }
    await this.loading.catch(() => {
      this.boardKey = "";
      this.stream.reopen();
    });
  }

  get board() {
    return this.view.data;
  }

  render() {
    if (!this.state) return;
    const state = this.veiled ? { ...this.state, pieces: {}, moves: [], last: null } : this.state;
    const empty = state.state === "empty" || !state.game || this.choosing;
    byId("stage").dataset.state = empty ? "empty" : state.state;
    renderSetup(empty, this.session, (session) => this.setSession(session), state.game ? () => this.endChoosing() : null);
    this.play.update(state);
    renderTurn(state, this.board);
    renderClock(state, this.board);
    renderSaid(state);
    renderCounts(state, this.board);
    renderMoves(state, this.board);
    renderSources(state);
    renderTools(state, this.session, this.board, this);
    if (empty || !this.board || this.correction) return;
    if (this.arrange()) return;
    this.drawBoard(state);
    this.renderNews();
    document.title = state.outcome ? state.outcome.words : `${byId("turn").querySelector(".name")?.textContent || ""}${state.game.players.length > 1 ? " to play" : ""} · ${state.game.title}`;
  }

  // A pattern among the legal actions is filled in on the board.
  arrange() {
    const entry = this.acts && (this.state.legal || []).find(({ form }) => form);
    if (this.arrangement && this.arrangement.state.to_act !== (entry && this.state.to_act)) {
      this.arrangement = null;
      forget(byId("news"));
    }
    if (entry) this.arrangement ||= new Arrangement(this.state, entry, this.board, this.view, (action) => this.submit(action));
    return Boolean(entry);
  }

  renderNews() {
    const [complete, grow] = [this.play.complete, this.play.taps.length > 0];
    const choices = this.acts && complete.length && (complete.length > 1 || grow || this.play.prefix.length === 1) ? complete : [];
    renderNews(this.state, this.board, {
      choices,
      more: grow,
      mayAct: this.acts,
      refusal: this.refusal,
      handOver: this.handOver,
      onLook: () => this.look(this.handOver),
      onChoose: (entry) => this.submit(entry.action),
      onAnswer: (question, choice) => this.answer(question, choice),
      mayAnswer: this.answers,
      onBelieve: () => attempt("beliefs"),
      onOrder: this.tabletop ? () => attempt("table/order") : null,
      onDismiss: () => ((this.refusal = null), this.render()),
      advice: this.advice,
      onAdvice: (advice) => ((this.advice = advice), this.render()),
      onFollow: ({ action }) => this.submit(action),
      asked: this.askedForDraw,
      onDraw: (answer, player) => attempt(`draws/${answer}`, { player }),
    });
  }

  // For whom an offered draw can be answered here: all who have not agreed, or the own seat.
  get askedForDraw() {
    const { offer, playing } = this.state;
    if (!offer || !this.acts) return [];
    const done = [offer.by, ...(offer.agreed || [])];
    const { seat } = this.session;
    return playing.filter((player) => !done.includes(player) && (!seat || player === seat));
  }

  drawBoard(state) {
    const { play } = this;
    const verdict = state.verdict || this.refusal;
    const targets = this.acts ? play.taps : [];
    const marks = [
      { kind: "last", sites: state.last?.sites || [] },
      { kind: "broken", sites: [...new Set((verdict?.breaks || []).flatMap((b) => b.sites))] },
      ...this.asked().map(({ site, numbers }) => ({ kind: "ask", sites: [site], words: numbers.length > 1 ? "?" : String(numbers[0] + 1) })),
      { kind: "chosen", sites: play.prefix },
      play.prefix.length ? { kind: "target", sites: targets } : { kind: "can", sites: this.acts && !verdict && targets.length <= 8 ? targets : [] },
    ];
    if (this.advice?.open) marks.push({ kind: "guide", sites: this.advice.path });
    const step = verdict?.steps?.[0];
    const arrows = step?.from && step?.to ? [[step.from, step.to, "guide"]] : [];
    if (step) marks.push({ kind: "guide", sites: [step.to || step.from] });
    const stray = Object.entries(state.seen || {}).filter(([place, look]) => look !== "empty" && look !== state.pieces[place]);
    const ghosts = Object.fromEntries([...(step?.to && step.look ? [[step.to, step.look]] : []), ...stray]);
    this.view.draw({ pieces: state.pieces, ghosts, marks, arrows, taps: Object.fromEntries(targets.map((place) => [place, this.describe(place)])) });
  }

  // Where each choice of a question ends; a place where several end cannot tell them apart.
  asked() {
    const places = new Map();
    (this.state.question?.choices || []).forEach(({ sites }, i) => {
      const site = sites.at(-1);
      if (site) places.set(site, [...(places.get(site) || []), i]);
    });
    return [...places].map(([site, numbers]) => ({ site, numbers }));
  }

  get answers() {
    return this.acts && (this.session.role !== "seat" || this.session.seat === this.state.question?.by);
  }

  answer(question, choice) {
    return attempt("answers", { question: question.id, choice: choice.action ? choice.action.split(" ") : [] });
  }

  describe(place) {
    const look = this.state.pieces[place];
    return `${place}${look ? `: ${say(look)}` : ": empty"}`;
  }

  tap(place) {
    if (this.correction || this.arrangement) return (this.correction || this.arrangement).tap(place);
    if (!this.acts) return;
    const asked = this.answers && this.asked().find(({ site }) => site === place);
    if (asked && asked.numbers.length === 1) return this.answer(this.state.question, this.state.question.choices[asked.numbers[0]]);
    this.refusal = null;
    const { play, refuse } = this.play.tap(place);
    if (play) this.submit(play);
    else if (refuse) this.explain(...refuse);
    else this.render();
  }

  // A tap on a place where the piece may not go: the referee says which rule forbids it.
  async explain(from, to) {
    const action = this.play.spell(from, to);
    this.render();
    if (!action) return;
    const { breaks } = await get(`judge?action=${encodeURIComponent(action)}`).catch(() => ({ breaks: [] }));
    if (breaks.length) this.refuse(action, breaks);
  }

  refuse(action, breaks) {
    this.refusal = { kind: "refused", action, words: "", breaks, steps: [] };
    hearRefusal(breaks.map(({ text }) => text).join(" "));
    this.render();
  }

  async submit(action) {
    this.play.prefix = [];
    this.render();
    try {
      await post("actions", { action });
    } catch (error) {
      if (error.breaks?.length) this.refuse(action, error.breaks);
      else toast(error.message);
    }
  }

  // A puzzle's hint: first whether it can still be solved, what to do only when that is asked for.
  async hint() {
    toast("Looking for a hint…");
    try {
      const advice = await get("advice");
      const path = this.state.legal.find(({ action }) => action === advice.action)?.path || [];
      this.advice = { ...advice, path, open: false };
      toast("");
      this.render();
    } catch (error) {
      toast(error.message);
    }
  }

  get showing() {
    return byId("stage").dataset.view;
  }

  show(what) {
    byId("stage").dataset.view = what;
    this.render();
  }

  turnBoard() {
    this.view.turn(!this.view.turned);
    this.render();
  }

  correct() {
    this.show("board");
    this.play.prefix = [];
    this.correction = new Correction(this.state, this.board, this.view, () => {
      this.endCorrection();
      this.render();
    });
  }

  endCorrection() {
    this.correction = null;
    forget(byId("news"));
    byId("news").replaceChildren();
  }

  // What was begun in one game is not gone on with in another.
  leaveGame() {
    this.play.prefix = [];
    if (!this.correction) return;
    this.endCorrection();
    toast("This game is no longer on: the correction was left.");
  }

  newGame() {
    this.choosing = true;
    this.boardKey = "";
    this.render();
  }

  endChoosing() {
    this.choosing = false;
    this.receive(this.state);
  }

  setSession(session) {
    this.session = session;
    this.play.prefix = [];
    this.stream.reopen();
    this.render();
  }
}

try {
  new Display(await get("session"));
} catch {
  byId("lost").hidden = false;
  setTimeout(() => location.reload(), 3_000);
  addEventListener("online", () => location.reload());
}
if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("/sw.js").catch(() => {}); // refused where the certificate is not trusted
