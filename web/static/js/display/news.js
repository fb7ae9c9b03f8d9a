// The news beside the board, as cards: notices, what is not allowed, what is asked, offers and hints. Each function
// makes one card, or null where there is nothing to show.

import { button, byId, html, keepFocus, row } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { kindOf } from "../shared/kinds.js";
import { nameOf } from "../shared/players.js";
import { asSentence, capital } from "../shared/text.js";
import { card } from "./card.js";

/** @import { Advice, Child, Choice, GameState, LegalAction, Part, Player, Question } from "../shared/types.d.ts" */
/** @import { Session, SourceStatus, TableState, Verdict } from "../shared/types.d.ts" */
/** @import { Card } from "./card.js" */
/** @typedef {(() => unknown) | null} Handler */
/** @typedef {Record<"onShowRule" | "onDismiss" | "onPutRight" | "onOverrule" | "onTurn", Handler>} VerdictHandlers */

const VERDICT_TITLES = {
  announced: t("Do it on your board"),
  refused: t("Not allowed"),
  restore: t("Put it right"),
  setup: t("Set up the board"),
  turn: t("Not yet"),
  unfinished: t("Not yet"),
};

const OVERRULE = t("The sensors are wrong");

/** @type {Map<string, Element>} the cards that are shown, by their keys */
let shownCards = new Map();

/** @type {Set<string>} the rules that are unfolded: they stay so when their card is drawn anew */
const unfolded = new Set();

/**
 * Shows the cards from top to bottom. A card that was there stays as it is, so that it is not read out again; one
 * that was not is scrolled to.
 * @param {(Card | null)[]} cards
 */
export function renderNews(cards) {
  const before = shownCards;
  shownCards = new Map();
  for (const found of cards) {
    const key = JSON.stringify(found?.key);
    if (found) shownCards.set(key, before.get(key) || found.make());
  }
  const shown = [...shownCards.values()];
  const news = byId("news");
  keepFocus(news, () => {
    for (const child of [...news.children]) if (!shown.includes(child)) child.remove();
    for (const [i, element] of shown.entries()) {
      if (news.children[i] !== element) news.insertBefore(element, news.children[i]);
    }
  });
  if ([...shownCards.keys()].some((key) => !before.has(key))) byId("side").scrollTop = 0;
}

/**
 * Offers the game once more where it is over, or the pieces were set up for another one: the same options and
 * players, or these with their sides swapped. Of a game that is over it offers what is kept.
 * @param {GameState} state
 * @param {boolean} mayBegin
 * @param {{ onAgain: (swapped: boolean) => unknown, onAnother: () => unknown }} handlers
 * @returns {Card | null}
 */
export function againCard(
  { state, game, number, proposal, puzzle, set_up: isSetUp },
  mayBegin,
  { onAgain, onAnother },
) {
  const isOver = state === "over";
  const mayPlayAgain = mayBegin && !proposal;
  if (puzzle) return null; // its own card says what follows
  if (!(isOver && number) && !((isOver || isSetUp) && mayPlayAgain)) return null;
  const { length } = game.players;
  const swap = length === 2 ? t("With sides swapped") : t("Everybody one seat on");
  return card(["again", length, isSetUp, isOver, number, mayBegin, mayPlayAgain], "again", () => [
    isSetUp && html("h2", {}, t("A new game?")),
    html(
      "div",
      { class: "choices" },
      mayPlayAgain && button(t("Play again"), () => onAgain(false), { class: "button strong" }),
      mayPlayAgain && length > 1 && button(swap, () => onAgain(true)),
      mayBegin && isOver && button(t("New game"), onAnother),
      isOver && number && keepsakes(number),
    ),
  ]);
}

/**
 * Leads to the game that is over among the records, and to what is kept or sent on of it.
 * @param {number} number
 */
function keepsakes(number) {
  const file = (/** @type {string} */ form, /** @type {string} */ words) =>
    html("a", { class: "button", href: `/api/v1/records/${number}/export/${form}`, download: true }, words);
  return [
    html("a", { class: "button", href: `/records#${number}` }, t("Look at this game")),
    file("pdf", t("Score sheet")),
    file("webp", t("Moving picture")),
  ];
}

/**
 * Shows that the arbiter has stopped the clock.
 * @param {GameState} state
 * @param {() => Child} makeButton makes what lets it go on, for the arbiter
 * @returns {Card | null}
 */
export function heldCard({ clock, number }, makeButton) {
  if (!clock?.held) return null;
  return card(["held", number], "", () => [
    html("h2", {}, t("The arbiter has stopped the clock.")),
    makeButton(),
  ]);
}

/**
 * Shows the sensors that fail.
 * @param {GameState} state
 * @param {boolean} canSetUp whether a camera can be set up here
 * @returns {(Card | null)[]}
 */
export function sensorCards({ sources }, canSetUp) {
  const first = sources.find(({ state }) => state === "unlearned");
  const failing = sources.filter(({ state }) => ["lost", "trouble"].includes(state));
  return [
    first ? setUpCard(first, canSetUp) : null,
    // The words say what they are about, as they do where they are spoken.
    ...failing.map(({ words }) => noticeCard(capital(words))),
  ];
}

/**
 * Leads to where a camera is shown the board that it does not know yet.
 * @param {SourceStatus} source
 * @param {boolean} canSetUp
 * @returns {Card}
 */
function setUpCard({ words }, canSetUp) {
  return card(["set up", words, canSetUp], "choose", () => [
    html("h2", {}, t("Show me your board")),
    html("p", {}, capital(words)),
    canSetUp && html("a", { class: "button strong", href: "/setup" }, t("Set up the camera")),
  ]);
}

/**
 * Shows what the server says, or that a sensor fails.
 * @param {string} words '' for nothing
 * @returns {Card | null}
 */
export function noticeCard(words) {
  return words ? { key: ["notice", words], make: () => html("p", { class: "notice" }, words) } : null;
}

/**
 * Tells whether a draw that was offered here has just been declined elsewhere: by another seat, or by the companion. No
 * action ended the offer, nor the game.
 * @param {Session} session
 * @param {TableState | null} before
 * @param {TableState} state
 */
export function isDeclined({ role, seat }, before, state) {
  if (role === "spectator" || !before?.game || !state.game || before.number !== state.number) return false;
  const isEnded = state.offer || state.outcome || before.moves.length !== state.moves.length;
  return wasOffered(before, role === "seat" ? seat : "") && !isEnded;
}

/**
 * @param {GameState} state
 * @param {Player} seat '' for who acts for all people, and hears of what others decline alone
 */
function wasOffered({ offer, companion }, seat) {
  if (!offer) return false;
  return seat ? offer.by === seat : !(offer.by in companion) && Object.keys(companion).length > 0;
}

/**
 * Tells something until its reader closes it.
 * @param {string} words '' for nothing
 * @param {() => unknown} onClose
 */
export function toldCard(words, onClose) {
  if (!words) return null;
  return card(["told", words], "", () => [html("p", {}, words), button(t("Close"), onClose)]);
}

/**
 * Shows a draw that is offered. It is agreed once all have accepted.
 * @param {GameState} state
 * @param {Player[]} mayAnswer the players who may answer here
 * @param {(answer: "accept" | "decline", player: Player) => unknown} onAnswer
 * @returns {Card | null}
 */
export function offerCard(state, mayAnswer, onAnswer) {
  const { offer, game } = state;
  if (!offer) return null;
  const { by, agreed = [] } = offer;
  const isForMany = game.players.length > 2;
  const answers = (/** @type {Player} */ player) => {
    const name = nameOf(state, player);
    const accept = isForMany ? t("{player} accepts", { player: name }) : t("Accept draw");
    const decline = isForMany ? t("{player} declines", { player: name }) : t("Decline");
    return html(
      "div",
      { class: "choices" },
      button(accept, () => onAnswer("accept", player), {
        class: "button strong",
      }),
      button(decline, () => onAnswer("decline", player)),
    );
  };
  const names = agreed.map((player) => nameOf(state, player));
  return card(["offer", offer, mayAnswer], "question", () => [
    html("h2", {}, t("{player} offers a draw.", { player: nameOf(state, by) })),
    names.length > 0 && html("p", {}, t("Agreed so far: {players}.", { players: names.join(", ") })),
    mayAnswer.map(answers),
  ]);
}

/**
 * Tells the player to move that the rules give a draw to whoever claims it: a position for the third time.
 * @param {GameState} state
 * @param {boolean} mayClaim whether it can be claimed here
 * @param {(player: Player) => unknown} onClaim
 * @returns {Card | null}
 */
export function claimCard(state, mayClaim, onClaim) {
  const { claim, to_act: player } = state;
  if (!claim) return null;
  const words = t("{player} may claim a draw: {reason}.", { player: nameOf(state, player), reason: claim });
  return card(["claim", words, mayClaim], "question", () => [
    html("p", {}, words),
    mayClaim && button(t("Claim the draw"), () => onClaim(player)),
  ]);
}

/**
 * Lists the players for whom an offered draw can be answered here: all who have not agreed, or the own seat.
 * @param {GameState} state
 * @param {Player} seat '' for who acts for all
 */
export function playersToAnswer({ offer, playing, companion }, seat) {
  if (!offer) return [];
  const agreed = [offer.by, ...(offer.agreed || [])];
  return playing.filter(
    (player) => !agreed.includes(player) && !(player in companion) && (!seat || player === seat),
  );
}

/**
 * Asks for the tablet to be handed on: players with secrets share it, and the next one says when only they see it.
 * @param {GameState} state
 * @param {Player} player '' for nobody
 * @param {() => unknown} onLook
 * @returns {Card | null}
 */
export function handOverCard(state, player, onLook) {
  if (!player) return null;
  const name = nameOf(state, player);
  const mayBeAsked = player !== state.to_act && t("There may be something left to tell of your last turn.");
  return card(["hand over", player, name, mayBeAsked], "question", () => [
    html("h2", {}, t("Pass the tablet to {player}", { player: name })),
    mayBeAsked && html("p", {}, mayBeAsked),
    html("p", {}, t("Only this player may see the screen now.")),
    button(t("Show {player}’s pieces", { player: name }), onLook, { class: "button strong" }),
  ]);
}

/**
 * Says where a player enters what nobody else may see.
 * @param {GameState} state
 * @param {Player} player '' for nobody
 * @param {() => unknown} onInvite
 * @returns {Card | null}
 */
export function inviteCard(state, player, onInvite) {
  if (!player) return null;
  const words = t("{player} sets up on a phone or tablet of their own", { player: nameOf(state, player) });
  return card(["invite", words], "question", () => [
    html("h2", {}, words),
    button(t("Join with a phone"), onInvite, { class: "button strong" }),
  ]);
}

/**
 * Lets a player who looks and has nothing to tell hand the tablet on.
 * @param {GameState} state
 * @param {Player} player
 * @param {() => unknown} onCover
 * @returns {Card}
 */
export function handOnCard(state, player, onCover) {
  const name = nameOf(state, player);
  return card(["hand on", player, name], "question", () => [
    html("h2", {}, t("{player} has nothing to answer", { player: name })),
    button(t("Cover {player}’s pieces", { player: name }), onCover, { class: "button strong" }),
  ]);
}

/**
 * Shows why play waits: the broken rules and the steps that put the board right. A handler that is null has no
 * button.
 * @param {Verdict | null} verdict
 * @param {VerdictHandlers} handlers
 * @returns {Card | null}
 */
export function verdictCard(verdict, handlers) {
  if (!verdict) return null;
  const { kind, written, words, breaks, steps } = verdict;
  return card(
    ["verdict", verdict, ...Object.values(handlers).map(Boolean)],
    `verdict ${kind}`,
    () => [
      html("h2", {}, VERDICT_TITLES[kind] || t("Please note"), written && html("code", {}, written)),
      words && !breaks.length && html("p", {}, words),
      breaks.length > 0 && ruleList(breaks),
      steps.length > 0 && stepList(steps),
      html("div", { class: "choices" }, verdictButtons(verdict, handlers)),
    ],
    { role: "alert" },
  );
}

/**
 * @param {Verdict} verdict
 * @param {VerdictHandlers} handlers
 */
function verdictButtons({ kind, written }, { onShowRule, onDismiss, onPutRight, onOverrule, onTurn }) {
  const isBegun = kind === "unfinished" && Boolean(written);
  const doIt = isBegun ? t("Finish it for me") : t("Put it right for me");
  const overrule = { class: "button quiet", title: t("The board stands as it should") };
  return [
    onPutRight && button(doIt, onPutRight, { class: "button strong" }),
    onShowRule && button(t("Show me this rule"), onShowRule),
    onDismiss && button(t("Close"), onDismiss),
    onTurn && button(t("We sit the other way round"), onTurn),
    onOverrule && button(kind === "announced" ? t("It is done") : OVERRULE, onOverrule, overrule),
  ];
}

/**
 * Lists what is wrong here; each rule itself can be unfolded.
 * @param {Verdict["breaks"]} breaks
 */
function ruleList(breaks) {
  const item = (/** @type {Verdict["breaks"][number]} */ breach) =>
    html("li", {}, html("p", { class: "here" }, breach.here), foldedRule(breach));
  return html("ul", { class: "rules" }, breaks.map(item));
}

/** @param {Verdict["breaks"][number]} breach */
function foldedRule({ rule, title, text }) {
  const element = html(
    "details",
    { class: "rule" },
    html("summary", {}, `${rule} · ${title}`),
    html("p", {}, text),
  );
  element.open = unfolded.has(rule);
  element.addEventListener("toggle", () => {
    if (element.open) unfolded.add(rule);
    else unfolded.delete(rule);
  });
  return element;
}

/** @param {Verdict["steps"]} steps */
function stepList(steps) {
  return html(
    "ol",
    { class: "steps" },
    steps.map(({ words }, i) => html("li", { class: i === 0 ? "now" : "" }, words)),
  );
}

/**
 * Asks which of several actions was played.
 * @param {GameState} state
 * @param {boolean} mayAnswer
 * @param {(question: Question, choice: Choice) => unknown} onAnswer
 * @returns {Card | null}
 */
export function questionCard(state, mayAnswer, onAnswer) {
  const { question } = state;
  if (!question) return null;
  if (question.parts.length) return partsCard(state, question, mayAnswer, onAnswer);
  const attributes = { class: "button strong", disabled: !mayAnswer };
  const choiceButton = (/** @type {Choice} */ choice, /** @type {number} */ i) => {
    const number = html("b", { class: "number" }, String(i + 1));
    return button([number, asSentence(choice.words)], () => onAnswer(question, choice), attributes);
  };
  return card(["question", question, mayAnswer], "question", () => [
    html("h2", {}, `${nameOf(state, question.by)}: ${question.words}`),
    html("div", { class: "choices" }, question.choices.map(choiceButton)),
  ]);
}

/**
 * Asks which of several things were done, any number of them.
 * @param {GameState} state
 * @param {Question} question
 * @param {boolean} mayAnswer
 * @param {(question: Question, choice: Choice) => unknown} onAnswer
 * @returns {Card}
 */
function partsCard(state, question, mayAnswer, onAnswer) {
  const { parts, choices } = question;
  /** @type {Set<number>} */
  const done = new Set();
  const answer = () => {
    const isMeant = (/** @type {number} */ i) =>
      parts.every(({ choices: w }, n) => w.includes(i) === done.has(n));
    onAnswer(question, choices[choices.findIndex((_, i) => isMeant(i))]);
  };
  const end = button(t("None of them"), answer, { class: "button strong", disabled: !mayAnswer });
  const partButton = (/** @type {Part} */ part, /** @type {number} */ n) => {
    const number = html("b", { class: "number" }, String(n + 1));
    const press = button([number, asSentence(part.words)], () => {
      if (!done.delete(n)) done.add(n);
      press.setAttribute("aria-pressed", String(done.has(n)));
      end.textContent = done.size ? t("These") : t("None of them");
    });
    press.dataset.part = String(n);
    press.disabled = !mayAnswer;
    press.setAttribute("aria-pressed", "false");
    return press;
  };
  return card(["question", question, mayAnswer], "question", () => [
    html("h2", {}, `${nameOf(state, question.by)}: ${question.words}`),
    html("div", { class: "choices" }, parts.map(partButton)),
    end,
  ]);
}

/**
 * Takes a tap on the board for one on a part's button.
 * @param {number} part
 */
export function pressPart(part) {
  const press = byId("news").querySelector(`[data-part="${part}"]`);
  if (press instanceof HTMLElement) press.click();
}

/**
 * Shows a hint: first whether the puzzle can still be solved, what to do only when that is asked for.
 * @param {{ advice: Advice, isOpen: boolean } | null} hint
 * @param {Record<"onOpen" | "onFollow" | "onClose", () => unknown>} handlers
 * @returns {Card | null}
 */
export function hintCard(hint, { onOpen, onFollow, onClose }) {
  if (!hint) return null;
  const { advice, isOpen } = hint;
  const verdict = solvableWords(advice.solvable);
  const hasMore = advice.action && !isOpen;
  const words = isOpen || !advice.action ? advice.words : advice.nudge;
  const title = words && advice.solvable === false ? "" : verdict; // its words say so themselves
  return card(["hint", hint], "choose advice", () => [
    html("h2", {}, title || t("Hint")),
    words && html("p", {}, asSentence(words)),
    row(
      hasMore && button(t("Show how to go on"), onOpen, { class: "button strong" }),
      isOpen && button(t("Do it"), onFollow, { class: "button strong" }),
      button(t("Close"), onClose),
    ),
  ]);
}

/** @param {boolean | null} solvable */
function solvableWords(solvable) {
  if (solvable === null) return "";
  return solvable ? t("It can still be solved") : t("This can no longer be solved");
}

/**
 * Offers the actions that the taps so far leave.
 * @param {LegalAction[]} choices
 * @param {boolean} canTapOn a further tap on the board decides too
 * @param {GameState["game"]["kinds"]} kinds
 * @param {(action: string) => unknown} onChoose
 * @returns {Card | null}
 */
export function choiceCard(choices, canTapOn, kinds, onChoose) {
  if (!choices.length) return null;
  const names = choiceNames(choices, kinds);
  const title = canTapOn ? t("Tap where to, or") : t("Which one?");
  const choiceButton = (/** @type {LegalAction} */ { action }, /** @type {number} */ i) =>
    button(asSentence(names[i]), () => onChoose(action), { class: "button strong" });
  return card(["choices", choices, canTapOn], "choose", () => [
    (canTapOn || choices.length > 1) && html("h2", {}, title),
    html("div", { class: "choices" }, choices.map(choiceButton)),
  ]);
}

/**
 * Names actions that are tapped alike: as the game names them, or by their kinds where that is mere notation (a3).
 * @param {LegalAction[]} choices
 * @param {GameState["game"]["kinds"]} kinds
 */
export function choiceNames(choices, kinds) {
  const names = choices.map(({ action }) => kindOf(action, kinds));
  const isTold = names.every(Boolean) && new Set(names).size === names.length;
  const isNotation = choices.some(({ action, label }) => action === label);
  return isNotation && isTold ? names : choices.map(({ label }) => label);
}
