// The display: one state comes in by the stream, and everything shown follows from it.

import { get } from "../shared/api.js";
import { isArbiter } from "../shared/arbiter.js";
import { attempt, meantFor, meantNow, showMoment } from "../shared/attempt.js";
import { BoardView } from "../shared/board_view.js";
import { goOnWithEyes, isPhoneThere, takeUntested } from "../shared/eyes.js";
import { byId } from "../shared/dom.js";
import { renderGone } from "../shared/gone_pieces.js";
import { t } from "../shared/language.js";
import { LiveStream } from "../shared/live_stream.js";
import { remember, setting } from "../shared/settings.js";
import { isSheetOpen, toast } from "../shared/sheet.js";
import { StartPage } from "../start/start_page.js";
import { boardContents, choiceAt, partAt } from "./board_contents.js";
import { BoardLoader } from "./board_loader.js";
import { BoardTest } from "./board_test.js";
import { CameraPicture } from "./camera_picture.js";
import { ClockPanel } from "./clock.js";
import { runButton } from "./clock_tools.js";
import { Editing } from "./editing.js";
import { goalCard, helpCard, helpMarks, isHelping, setHelping } from "./first_game.js";
import { Hint } from "./hint.js";
import { openHowToPlay, ruleToShow } from "./how_to_play.js";
import * as news from "./news.js";
import { showInvitations } from "./invitations.js";
import { LookBack } from "./look_back.js";
import { OtherTable, withLine } from "./other_table.js";
import { proposalCard } from "./proposal.js";
import { puzzleCard } from "./puzzle.js";
import { keepScreenOn } from "../shared/screen_wake.js";
import { hasNothingToTell, isVeiled, mustCover, nextToJoin, nextToLook } from "./secrets.js";
import { renderCounts, renderMoves, renderSaid, renderSources } from "./side_panels.js";
import { audible, tellState, wakeSound } from "./sound.js";
import { TapPlay } from "./tap_play.js";
import { renderTools } from "./tools.js";
import { renderTurn, windowTitle } from "./turn_panel.js";
import { VirtualTable } from "./virtual_table.js";

/** @import { BoardContents, BoardData, Choice, GameState, Place, Player } from "../shared/types.d.ts" */
/** @import { Question, Session, TableState } from "../shared/types.d.ts" */

const NOT_SHOWN = -1;

/** The schemes of what sees a board, by what the page shows of it. */
const EYES = {
  camera: ["phone", "camera", "picamera"],
  virtual: ["virtual"],
  sensors: ["chessnut", "millennium", "serial"],
};

export class Display {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    /** @type {TableState | null} */
    this.state = null;
    /** @type {GameState | null} the same without what is veiled, as it was drawn last */
    this.shown = null;
    /** @type {Record<Player, number>} how many moves there were when each player looked last */
    this.lookedAt = {};
    /** How many moves there were when the tablet was handed to the player who looks. */
    this.shownAt = NOT_SHOWN;
    this.isConnected = true;
    /** Whether the draw that the own seat offered last was declined. */
    this.isDeclined = false;
    /** Whether the own seat was for the game before. */
    this.isUnseated = false;
    /** Whether a new game is chosen while another one is on. */
    this.isChoosing = false;
    /** The text of the game for which this page was opened; '' for none, or once it was chosen. */
    this.wanted = "";
    /**
     * What is shown again once nothing needs the diagram.
     * @type {"board" | "table" | null}
     */
    this.viewBefore = null;
    const render = () => this.render();
    this.view = new BoardView(
      byId("board"),
      (place) => this.#tap(place),
      (place) => this.play.grab(place),
    );
    this.loader = new BoardLoader(this.view, {
      onStart: () => (this.isChoosing = false),
      onFailure: () => this.stream?.reopen(),
    });
    this.play = new TapPlay(render, meantNow);
    this.lookBack = new LookBack(() => this.#borrowDiagram());
    this.hint = new Hint(render);
    this.otherTable = new OtherTable(render);
    this.test = new BoardTest(render);
    this.editing = new Editing(this.view, {
      onAction: (action) => this.play.submit(action),
      onEnd: render,
    });
    this.clocks = new ClockPanel(byId("clocks"));
    this.startPage = new StartPage(
      byId("setup"),
      (given) => this.setSession(given),
      () => this.#stopChoosing(),
    );
    const tabletop = document.getElementById("tabletop");
    const inset = document.getElementById("inset");
    this.virtualTable = tabletop && !inset ? new VirtualTable(tabletop, () => isArbiter(this.session)) : null;
    this.camera =
      tabletop &&
      inset &&
      new CameraPicture(
        { inset, frame: tabletop },
        { onTap: (place) => this.#tap(place), onEnlarge: () => this.chooseView("table") },
      );
    /** What the board was seen with first, of `EYES`; '' while nobody knows. */
    this.eyes = (this.camera && "camera") || (this.virtualTable && "virtual") || "";
    /** Whether the table has told that the board is seen so. */
    this.areEyesOpen = false;
    this.#recall();
  }

  /** Whether a picture of the table can be shown here instead of the diagram. */
  get hasPicture() {
    return this.virtualTable !== null || (this.camera !== null && isArbiter(this.session));
  }

  /** Shows the board as this display remembers it. */
  #recall() {
    this.#takeSide();
    const view = setting("view");
    if (this.hasPicture && (view === "board" || view === "table")) byId("stage").dataset.view = view;
    document.addEventListener("pointerdown", wakeSound);
    document.addEventListener("keydown", (event) => this.#pressKey(event));
  }

  /**
   * Shows the board from the own seat's side; who has none, from the side that this display remembers. A seat plays
   * on the diagram: the pieces of the virtual table are moved by its arbiter alone.
   */
  #takeSide() {
    const { role, north } = this.session;
    this.view.turn(role === "seat" ? north : setting("side") === "north");
    if (role === "seat" && this.virtualTable) byId("stage").dataset.view = "board";
  }

  /** Begins to follow the table. */
  start() {
    this.stream = new LiveStream({
      on: { state: (state) => this.#receive(state) },
      onTime: (seconds) => this.clocks.setTableTime(seconds),
      onConnection: (isConnected) => this.#noteConnection(isConnected),
    });
    keepScreenOn();
  }

  /** @param {boolean} isConnected */
  #noteConnection(isConnected) {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    byId("lost").hidden = isConnected;
    if (this.state) renderSources(withLine(this.state), isConnected);
  }

  get mayAct() {
    return this.session.role !== "spectator";
  }

  get #mayAnswer() {
    const { role, seat } = this.session;
    return this.mayAct && (role !== "seat" || seat === this.state?.question?.by);
  }

  /** @param {TableState} state */
  async #receive(state) {
    if (this.#isSeenAnew(state)) {
      goOnWithEyes();
      return;
    }
    const before = this.state;
    this.state = state;
    showMoment(state);
    if (!before || before.last?.n !== state.last?.n || before.to_act !== state.to_act) {
      this.play.refusal = this.hint.shown = null;
    }
    const isAnotherGame = before?.number !== state.number;
    if (isAnotherGame) this.#leaveGame();
    tellState(audible(state, this.session));
    this.#noteLook(state);
    if (mustCover(this.session, before, state)) await this.look("");
    if (before && isAnotherGame) await this.#askWhoIAm();
    this.#noteOffer(before, state);
    await this.loader.load(this.state);
    this.render();
  }

  /**
   * Tells whether the board is seen with something else now, or by the phone that was waited for.
   * @param {TableState} state
   */
  #isSeenAnew(state) {
    return this.#isExchanged(state) || isPhoneThere(this.state?.sources || [], state.sources);
  }

  /**
   * Tells whether the board is seen with something else than when this page was opened.
   * @param {TableState} state
   */
  #isExchanged({ sources }) {
    const schemes = new Set(sources.map(({ name }) => name.split(":")[0]));
    const seen = Object.entries(EYES).filter(([, names]) => names.some((name) => schemes.has(name)));
    const [eyes = ""] = seen[0] || [];
    if (!eyes || (eyes === "camera" && schemes.has("virtual"))) return false; // none so far, or there are both
    this.eyes ||= eyes;
    if (this.eyes === eyes) this.areEyesOpen = true;
    // Sensors tell of themselves before a camera that begins beside them.
    return this.eyes !== eyes && (eyes !== "sensors" || this.areEyesOpen);
  }

  /**
   * Notes who has looked at this position; what is taken back was not looked at.
   * @param {TableState} state
   */
  #noteLook(state) {
    const plies = state.moves?.length || 0;
    for (const [player, seen] of Object.entries(this.lookedAt)) this.lookedAt[player] = Math.min(seen, plies);
    if (this.session.seat) this.lookedAt[this.session.seat] = plies;
  }

  /** Asks who acts here: a seat holds for one game. */
  async #askWhoIAm() {
    const hadSeat = this.session.role === "seat";
    this.session = await get("session");
    this.#takeSide();
    this.isUnseated = hadSeat && this.session.role !== "seat";
  }

  /**
   * Notes whether the draw that the own seat offered was declined, until something is played or offered.
   * @param {TableState | null} before
   * @param {TableState} state
   */
  #noteOffer(before, state) {
    const isStillSo = before?.number === state.number && before?.last?.n === state.last?.n && !state.offer;
    this.isDeclined = news.isDeclined(this.session, before, state) || (this.isDeclined && isStillSo);
  }

  /** Drops what was begun in one game: it is not gone on with in another. */
  #leaveGame() {
    this.lookedAt = {};
    this.play.selection.clear();
    this.virtualTable?.clear();
    if (!this.editing.correction) return;
    this.editing.endCorrection();
    toast(t("This game is no longer on: the correction was left."));
  }

  render() {
    const { state } = this;
    if (!state) return;
    if (this.wanted) this.#chooseWanted(state);
    const isChoosing = !state.game || this.isChoosing;
    byId("stage").dataset.state = isChoosing ? "empty" : state.state;
    if (isChoosing) this.#renderStart(state);
    if (!state.game) return;
    const shown = isVeiled(this.session, state, this.shownAt)
      ? { ...state, pieces: {}, moves: [], last: null }
      : state;
    this.shown = shown;
    this.lookBack.follow(shown);
    this.test.follow(state);
    this.otherTable.follow(state, this.session);
    this.#restoreView();
    this.#renderPanels(shown);
    if (isChoosing || !this.view.board || this.editing.correction) return;
    this.#renderBoard(state, shown, this.view.board);
  }

  /**
   * Begins to choose the game for which the page was opened, unless it is on.
   * @param {TableState} state
   */
  #chooseWanted(state) {
    const [name, ...options] = this.wanted.split(" ");
    this.wanted = "";
    history.replaceState(null, "", location.pathname);
    if (state.game?.name === name) return;
    this.isChoosing = true;
    this.startPage.want(name, options);
  }

  /** @param {TableState} state */
  #renderStart(state) {
    const onBack = state.game ? () => this.#stopChoosing() : null;
    this.startPage.render(
      this.session,
      onBack,
      proposalCard(state, isArbiter(this.session)),
      meantFor(state),
    );
  }

  /** @param {GameState} state */
  #renderPanels(state) {
    const { board } = this.view;
    this.play.selection.update(state.legal, state.pieces);
    renderTurn(state, board, this.session);
    this.clocks.render(state, board);
    const past = this.lookBack.shown;
    renderSaid(past ? { ...state, last: past.last, outcome: null } : state);
    this.lookBack.render(byId("looking"), state);
    renderGone(byId("gone"), (past || state).gone, board);
    renderCounts(state, board);
    const shownMove = past ? past.n : state.moves.length;
    renderMoves(state, board, shownMove, (n) => this.lookBack.go(n, state));
    renderSources(withLine(state), this.isConnected);
    renderTools(state, this);
  }

  /**
   * @param {GameState} state
   * @param {GameState} shown the same without what is veiled
   * @param {BoardData} board
   */
  #renderBoard(state, shown, board) {
    if (isArbiter(this.session) && takeUntested()) this.test.begin();
    if (this.editing.updateArrangement(state, board, this.mayAct)) {
      if (this.shownView === "table") this.#borrowDiagram();
      return;
    }
    const { tapped, nextPlaces } = this.play.selection;
    const contents =
      this.lookBack.contents ||
      boardContents(shown, {
        board,
        tapped,
        nextPlaces: this.mayAct ? nextPlaces : [],
        grips: this.mayAct ? this.play.selection.grips : [],
        refusal: this.play.refusal,
        hint: this.hint.places(state.legal),
        help: this.#marks(state),
      });
    this.view.draw(contents);
    this.#renderPicture(board, contents);
    this.#renderNews(state);
    document.title = windowTitle(shown);
  }

  /**
   * Returns the marks of a test, or for a newcomer; null for none.
   * @param {GameState} state
   */
  #marks(state) {
    if (this.test.shown) return this.test.marks;
    return isHelping() && this.mayAct ? helpMarks(state, this.play.selection) : null;
  }

  /**
   * Draws over the picture of the table what lies on the diagram, unless that shows an earlier position.
   * @param {BoardData} board
   * @param {BoardContents} contents
   */
  #renderPicture(board, contents) {
    const shown = this.lookBack.contents ? null : { board, contents };
    this.virtualTable?.draw(shown, isHelping() || this.test.shown !== null);
    const isLarge = this.shownView === "table";
    this.camera?.render({ isAllowed: isArbiter(this.session), isLarge }, shown);
  }

  /** @param {GameState} state */
  #renderNews(state) {
    const { session, play, hint, mayAct } = this;
    const next = nextToLook(session, state, this.lookedAt);
    const { choices, tapped, nextPlaces } = play.selection;
    const canTapOn = tapped.length > 0 && nextPlaces.length > 0;
    news.renderNews([
      proposalCard(state, isArbiter(session)),
      puzzleCard(state, isArbiter(session), () => this.chooseGame()),
      news.againCard(state, isArbiter(session), {
        onAgain: (swapped) => attempt("games/again", { swapped, ...meantFor(state) }),
        onAnother: () => this.chooseGame(),
      }),
      this.otherTable.card(state),
      this.test.card(state.sources),
      news.noticeCard(state.notice),
      news.heldCard(state, () => state.clock && isArbiter(session) && runButton(state, state.clock)),
      news.toldCard(this.isDeclined ? t("The offer of a draw was declined.") : "", () => {
        this.isDeclined = false;
        this.render();
      }),
      news.toldCard(
        this.isUnseated ? t("Your seat was for the game before. For this one, scan the code again.") : "",
        () => {
          this.isUnseated = false;
          this.render();
        },
      ),
      news.offerCard(state, mayAct ? news.playersToAnswer(state, session.seat) : [], answerDraw),
      news.claimCard(state, mayAct && (!session.seat || session.seat === state.to_act), (player) =>
        answerDraw("claim", player),
      ),
      ...news.sensorCards(state, isArbiter(session) && session.bench),
      this.#verdictCard(state),
      news.questionCard(state, this.#mayAnswer, answerQuestion),
      news.hintCard(hint.shown, {
        onOpen: () => hint.open(),
        onFollow: () => hint.shown?.advice.action && play.submit(hint.shown.advice.action),
        onClose: () => hint.close(),
      }),
      goalCard(state),
      this.#helpCard(state, next),
      news.handOverCard(state, next, () => this.look(next)),
      news.inviteCard(state, nextToJoin(session, state), () => showInvitations(state)),
      hasNothingToTell(session, state) ? news.handOnCard(state, session.seat, () => this.look("")) : null,
      news.choiceCard(mayAct ? choices : [], canTapOn, state.game.kinds, (action) => play.submit(action)),
    ]);
  }

  /**
   * Tells a newcomer what can be done, unless something else comes first.
   * @param {GameState} state
   * @param {Player} next who gets the tablet next
   */
  #helpCard(state, next) {
    const { selection } = this.play;
    if (!isHelping() || state.state === "over" || state.verdict || state.question || next) return null;
    if (selection.choices.length || hasNothingToTell(this.session, state)) return null;
    return helpCard(state, selection, {
      shown: this.#playedOn,
      turns: this.view.board?.turns || "",
      isTapping: this.mayAct && state.legal.length > 0,
      onShow: (kind) => openHowToPlay(state.game, { kind }),
      onClose: () => this.setHelping(false),
    });
  }

  /** @param {boolean} isOn */
  setHelping(isOn) {
    setHelping(isOn);
    this.render();
  }

  /**
   * Shows why play waits; else the refusal of an action entered here, which can be dismissed.
   * @param {GameState} state
   */
  #verdictCard(state) {
    const { game } = state;
    const verdict = this.#shownVerdict(state);
    const isOwn = !verdict && this.play.refusal;
    const shown = verdict || this.play.refusal;
    const rule = game.tutorial && shown ? ruleToShow(shown.breaks) : "";
    return news.verdictCard(shown, {
      onShowRule: rule ? () => openHowToPlay(game, { rule }) : null,
      onDismiss: isOwn ? () => this.play.dismissRefusal() : null,
      ...this.#menders(!isOwn, state.may_be_turned),
    });
  }

  /**
   * Returns what this viewer may do about a board that is not as the game has it: have a virtual one put right, or
   * say that it is right.
   * @param {boolean} isAmiss
   * @param {boolean} mayBeTurned
   */
  #menders(isAmiss, mayBeTurned) {
    const mayPut = isAmiss && this.virtualTable && isArbiter(this.session);
    const maySay = isAmiss && !this.virtualTable && this.mayAct;
    return {
      onPutRight: mayPut ? () => attempt("table/order") : null,
      onOverrule: maySay ? () => attempt("beliefs", meantNow()) : null,
      onTurn: maySay && mayBeTurned ? () => attempt("board-turns", meantNow()) : null,
    };
  }

  /**
   * Returns why play waits, unless it is for what the virtual table's own hand does.
   * @param {GameState} state
   */
  #shownVerdict({ verdict }) {
    return this.virtualTable && verdict?.kind === "announced" ? null : verdict;
  }

  /** Shows the diagram while it is needed: for an earlier position, a player's pieces, or to lay pieces on it. */
  #borrowDiagram() {
    this.viewBefore ||= this.shownView;
    this.showView("board");
  }

  /** Shows again what was shown before the diagram was needed. */
  #restoreView() {
    const isLooking = this.session.role === "home" && this.session.seat;
    const { correction, arrangement } = this.editing;
    if (!this.viewBefore || isLooking || this.lookBack.shown || correction || arrangement) return;
    byId("stage").dataset.view = this.viewBefore;
    this.viewBefore = null;
  }

  /**
   * Steps through the moves by arrow keys. Escape drops what is tapped.
   * @param {KeyboardEvent} event
   */
  #pressKey(event) {
    const { state } = this;
    const isElsewhere = this.isChoosing || this.editing.correction || isSheetOpen();
    if (!state?.game || isElsewhere || isForElement(event)) return;
    if (isVeiled(this.session, state, this.shownAt)) return;
    if (event.key === "Escape" && this.play.selection.tapped.length) {
      this.play.drop();
      return;
    }
    const n = this.lookBack.moveOf(event.key, state);
    if (n === null) return;
    event.preventDefault();
    this.lookBack.go(n, state);
  }

  /** @param {Place} place */
  #tap(place) {
    if (this.editing.tap(place) || !this.mayAct) return;
    const question = this.state?.question || null;
    const choice = this.#mayAnswer && choiceAt(question, place);
    const part = this.#mayAnswer ? partAt(question, place) : -1;
    if (question && choice) answerQuestion(question, choice);
    else if (part >= 0) news.pressPart(part);
    else this.play.tap(place);
  }

  /**
   * Shows the pieces as this player sees them, which the virtual table does not; '' covers them, and shows again
   * what was shown before.
   * @param {Player} seat
   */
  async look(seat) {
    this.lookBack.leave(); // what one player saw is not shown to the next
    /** @type {Session | null} */
    const session = await attempt("session/seat", { seat });
    if (!session) return;
    if (seat) this.shownAt = this.state?.moves?.length ?? NOT_SHOWN;
    this.setSession(session);
    if (seat) this.#borrowDiagram();
  }

  /** @param {Session} session */
  setSession(session) {
    this.session = session;
    if (session.role === "seat") this.#takeSide();
    this.lookBack.leave();
    this.play.selection.clear();
    this.stream?.reopen();
    this.render();
  }

  /** Which of the two is shown: the board, or the virtual table. */
  get shownView() {
    return byId("stage").dataset.view === "table" ? "table" : "board";
  }

  /** Where it is played here: at the virtual table, on the diagram, or on a board beside the display. */
  get #playedOn() {
    if (!this.virtualTable) return "beside";
    return isArbiter(this.session) ? this.shownView : "board";
  }

  /** @param {"board" | "table"} view */
  showView(view) {
    byId("stage").dataset.view = view;
    this.render();
  }

  /**
   * Shows one of the two, and remembers it.
   * @param {"board" | "table"} view
   */
  chooseView(view) {
    remember("view", view);
    this.lookBack.leave();
    this.play.selection.clear();
    this.showView(view);
  }

  turnBoard() {
    this.view.turn(!this.view.isTurned);
    remember("side", this.view.isTurned ? "north" : "south");
    this.render();
  }

  correctPosition() {
    this.play.selection.clear();
    if (this.state?.game && this.view.board) this.editing.startCorrection(this.state, this.view.board);
    this.#borrowDiagram();
  }

  chooseGame() {
    this.isChoosing = true;
    this.render();
  }

  #stopChoosing() {
    this.isChoosing = false;
    if (this.state) this.#receive(this.state);
  }
}

/**
 * @param {Question} question
 * @param {Choice} choice
 */
function answerQuestion(question, { action }) {
  return attempt("answers", {
    question: question.id,
    choice: action ? action.split(" ") : [],
  });
}

/**
 * @param {"accept" | "decline" | "claim"} answer
 * @param {Player} player
 */
function answerDraw(answer, player) {
  return attempt(`draws/${answer}`, { player, ...meantNow() });
}

/**
 * Tells whether a key belongs to the field that has the focus, or to the browser.
 * @param {KeyboardEvent} event
 */
function isForElement({ altKey, ctrlKey, metaKey, shiftKey, target }) {
  const isShortcut = altKey || ctrlKey || metaKey || shiftKey;
  return isShortcut || (target instanceof Element && target.closest("input, textarea, select") !== null);
}
