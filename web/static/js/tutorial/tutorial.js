// How to play one game: its goal, its pieces, its moves, what the companion asks, and all its rules. The same
// content fills a page of its own, and a sheet over a game that is on.

import { get } from "../shared/api.js";
import { BoardView } from "../shared/board_view.js";
import { spotOf } from "../shared/board_geometry.js";
import { button, html, svg } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { TopicPlayer } from "./topic.js";

/** @import { BoardData, LegendEntry, Rule, Tutorial, TutorialTopic } from "../shared/types.d.ts" */

/** How much of the board around a place the legend shows, in sites to each side. */
const AROUND = 1.1;
/** Half the width of a piece's picture. */
const HALF_PIECE = 0.55;

/**
 * Asks for a tutorial and the boards of its topics.
 * @param {string} game
 * @param {Record<string, string>} [options] of the game that is on: topics for others are left out
 */
export async function loadTutorial(game, options = {}) {
  /** @type {Tutorial} */
  const tutorial = await get(`tutorials/${game}?${new URLSearchParams(options)}`);
  const addresses = [...new Set([tutorial.board, ...tutorial.topics.map(({ board }) => board)])];
  const found = await Promise.all(
    addresses.map((address) => /** @type {Promise<BoardData>} */ (get(address))),
  );
  return { tutorial, boards: new Map(addresses.map((address, i) => [address, found[i]])) };
}

/** @typedef {Awaited<ReturnType<typeof loadTutorial>>} LoadedTutorial */

export class TutorialView {
  /** @param {LoadedTutorial} loaded */
  constructor({ tutorial, boards }) {
    this.tutorial = tutorial;
    /** @type {Map<string, TopicPlayer>} */
    this.players = new Map();
    /** @type {Map<string, HTMLElement>} what each rule's number leads to */
    this.targets = new Map();
    const board = /** @type {BoardData} */ (boards.get(tutorial.board));
    const topics = tutorial.topics.map((topic) =>
      this.#topic(topic, /** @type {BoardData} */ (boards.get(topic.board))),
    );
    this.element = html(
      "div",
      { class: "tutorial" },
      html("p", { class: "goal" }, tutorial.goal),
      this.#modes(),
      html(
        "section",
        { class: "legend" },
        html("h2", {}, t("Pieces and places")),
        legend(tutorial.legend, board),
      ),
      html("section", {}, html("h2", {}, t("Your moves")), html("div", { class: "topics" }, topics)),
      html(
        "section",
        {},
        html("h2", {}, t("What the companion asks")),
        html(
          "ul",
          { class: "asks" },
          tutorial.asks.map((words) => html("li", {}, words)),
        ),
      ),
      this.#rulebook(),
    );
  }

  #modes() {
    const choose = button(t("All steps side by side"), () => this.#toggleSteps(choose), {
      "aria-pressed": "false",
    });
    return html(
      "div",
      { class: "row modes" },
      choose,
      button(t("Print"), () => this.print()),
    );
  }

  /** @param {HTMLButtonElement} chosen */
  #toggleSteps(chosen) {
    const isAll = this.element.classList.toggle("side-by-side");
    chosen.setAttribute("aria-pressed", String(isAll));
    if (isAll) this.drawStrips();
  }

  print() {
    this.drawStrips();
    print();
  }

  drawStrips() {
    for (const player of this.players.values()) {
      player.stop();
      player.drawStrip();
    }
  }

  /**
   * @param {TutorialTopic} topic
   * @param {BoardData} board
   */
  #topic(topic, board) {
    const player = new TopicPlayer(topic, board);
    this.players.set(topic.name, player);
    const links = topic.rules.map((rule) =>
      html("button", { type: "button", class: "rule-link", onclick: () => this.#showText(rule) }, rule),
    );
    const element = html(
      "article",
      { class: "topic", "data-topic": topic.name },
      html("h3", {}, topic.title),
      player.element,
      html("p", { class: "rule-links soft" }, t("Rules:"), " ", links),
    );
    for (const rule of topic.rules) if (!this.targets.has(rule)) this.targets.set(rule, element);
    for (const { breaks } of topic.frames) for (const { rule } of breaks) this.targets.set(rule, element);
    return element;
  }

  #rulebook() {
    const entry = (/** @type {Rule} */ { rule, title, text }) =>
      html(
        "li",
        { "data-rule": rule, tabindex: -1 },
        html("b", {}, rule),
        html("span", { class: "rule-title" }, title),
        html("p", {}, text),
      );
    return html(
      "section",
      { class: "rulebook" },
      html("h2", {}, t("All rules")),
      html("ol", {}, this.tutorial.rules.map(entry)),
    );
  }

  /** @param {string} rule its number */
  #showText(rule) {
    reveal(this.element.querySelector(`[data-rule="${rule}"]`));
  }

  /**
   * Shows the topic in which a rule is taught, and its text there; false where this game has no such rule.
   * @param {string} rule its number
   */
  showRule(rule) {
    const topic = this.targets.get(rule);
    if (!topic) return false;
    const player = this.players.get(topic.dataset.topic || "");
    const step =
      player?.frames.findIndex(({ breaks }) => breaks.some((breach) => breach.rule === rule)) ?? -1;
    if (player && step > 0) player.show(step);
    reveal(topic);
    return true;
  }

  /**
   * Shows the topic in which a kind of action is taught.
   * @param {string} kind
   */
  showKind(kind) {
    const topic = this.tutorial.topics.find(({ kinds }) => kinds.includes(kind));
    if (topic) reveal(this.element.querySelector(`[data-topic="${topic.name}"]`));
  }
}

/** @param {Element | null} element */
function reveal(element) {
  if (!(element instanceof HTMLElement)) return;
  for (const other of document.querySelectorAll(".revealed")) other.classList.remove("revealed");
  element.classList.add("revealed");
  element.scrollIntoView({ block: "start" });
}

/**
 * @param {LegendEntry[]} entries
 * @param {BoardData} board
 */
function legend(entries, board) {
  return html(
    "ul",
    {},
    entries.map(({ words, look, at }) =>
      html("li", {}, look ? pieceOf(board, look) : placeOf(board, at || ""), html("span", {}, words)),
    ),
  );
}

/**
 * Draws a piece or a marker alone, with the symbols that the boards of the topics bring.
 * @param {BoardData} board
 * @param {string} look
 */
function pieceOf(board, look) {
  const parts = look.split(/(?=\+)/);
  const whole = board.symbols[look] ? [look] : parts;
  return svg(
    "svg",
    {
      class: "sample",
      viewBox: `${-HALF_PIECE} ${-HALF_PIECE} ${2 * HALF_PIECE} ${2 * HALF_PIECE}`,
      "aria-hidden": "true",
    },
    ...whole.map((part, i) =>
      svg("use", { href: `#${board.symbols[part]}`, transform: i ? "translate(.22 -.22)" : "" }),
    ),
  );
}

/**
 * Cuts a place with what lies around it out of the board.
 * @param {BoardData} board
 * @param {string} place
 */
function placeOf(board, place) {
  const holder = html("div", { class: "sample" });
  const view = new BoardView(holder, () => {});
  view.load(board);
  view.draw({ pieces: {}, marks: [{ kind: "target", sites: [place] }] });
  const spot = spotOf(board, place);
  const reach = AROUND * Math.max(board.spacing, 1);
  if (spot) {
    view.drawing?.root.setAttribute(
      "viewBox",
      `${spot[0] - reach} ${spot[1] - reach} ${2 * reach} ${2 * reach}`,
    );
  }
  return holder;
}
