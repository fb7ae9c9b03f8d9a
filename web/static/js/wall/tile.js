// A board as a tile of the wall: its name, its players with their clocks, the board, and what is going on.

import { BoardView } from "../shared/board_view.js";
import { formatSeconds, secondsLeft, shownTime } from "../shared/clock_time.js";
import { html, showIfChanged } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { colourOf, isSeat, nameOf, token } from "../shared/players.js";
import { boardKey, boardOf } from "./boards.js";
import { dueNeeds, isSilent } from "./hall.js";
import { formatDuration, needWords, stateWords } from "./words.js";

/** @import { BoardData, Mark, Player } from "../shared/types.d.ts" */
/** @import { TileNeed, Tile } from "../shared/wire.d.ts" */

/** The player at the near side of the board is named below it, the others above. */
const NEAR = 1;

export class TileView {
  /** @param {(name: string) => unknown} [onOpen] */
  constructor(onOpen) {
    this.place = html("b", { class: "place" });
    this.round = html("span", { class: "round" });
    this.far = html("div", { class: "players far" });
    this.near = html("div", { class: "players near" });
    this.frame = html("div", { class: "frame" });
    this.news = html("p", { class: "news" });
    this.opener = onOpen && html("button", { type: "button", class: "opener" });
    this.element = html(
      onOpen ? "li" : "div",
      { class: "tile" },
      html("header", {}, this.place, this.round),
      this.far,
      this.frame,
      this.near,
      this.news,
      this.opener,
    );
    this.opener?.addEventListener("click", () => this.tile && onOpen?.(this.tile.name));
    this.view = new BoardView(this.frame, () => {});
    /** @type {BoardData | null} */
    this.board = null;
    this.boardKey = "";
    this.drawnKey = "";
    /** @type {Tile | null} */
    this.tile = null;
  }

  /**
   * Shows a board as it is now.
   * @param {Tile} tile
   * @param {number} now the server's time, in seconds since 1970
   */
  show(tile, now) {
    this.tile = tile;
    this.element.dataset.board = tile.name;
    this.#showNames(tile);
    this.#showBoard(tile);
    this.tick(now);
  }

  /**
   * Lets time pass: clocks, and for how long something waits.
   * @param {number} now
   */
  tick(now) {
    const { tile } = this;
    if (!tile) return;
    for (const time of this.element.querySelectorAll("[data-clock]")) showTime(tile, time, now);
    const [need] = dueNeeds(tile, now).sort((a, b) => rankOf(a) - rankOf(b));
    const words = need ? needWords(tile, need) : stateWords(tile);
    const lasts = need ? formatDuration(now - need.since) : "";
    this.element.dataset.kind = need ? need.kind : tile.state;
    this.element.classList.toggle("silent", isSilent(tile, now));
    const last = !words && tile.last;
    showIfChanged(this.news, [words, lasts, last, Boolean(this.board)], () =>
      last
        ? [token(this.board, last.player), html("b", { class: "words" }, last.written)]
        : [
            need && icon(need.kind === "flag" ? "flag" : "rule"),
            html("span", { class: "words" }, words),
            lasts && html("span", { class: "lasts" }, lasts),
          ],
    );
  }

  /** Makes the next tile that is shown draw its board anew: something else was drawn on it. */
  forget() {
    this.drawnKey = "";
  }

  /** @param {Tile} tile */
  #showNames(tile) {
    const { head, game, turn, clock, ending } = tile;
    showIfChanged(this.place, [tile.name], () => [html("small", {}, tile.site), tile.board]);
    const round = head.round ? t("Round {n}", { n: head.round }) : "";
    showIfChanged(this.round, [round, game?.title], () => [round, game?.title].filter(Boolean).join(" · "));
    this.opener?.setAttribute("aria-label", t("Open board {name}", { name: tile.name }));
    const players = game?.players || Object.keys(head).filter(isSeat); // paired: who is to play here
    const key = [
      players,
      head,
      turn,
      clock && Object.keys(clock.left),
      clock?.flags,
      ending,
      Boolean(this.board),
    ];
    const near = players.slice(0, NEAR);
    const far = players.slice(NEAR).reverse();
    showIfChanged(this.near, key, () => near.map((player) => this.#player(tile, player)));
    showIfChanged(this.far, key, () => far.map((player) => this.#player(tile, player)));
    this.far.dataset.count = String(far.length);
  }

  /**
   * @param {Tile} tile
   * @param {Player} player
   */
  #player(tile, player) {
    const { turn, clock, ending, head, game } = tile;
    const isToPlay = turn === player;
    const hasWon = ending?.winner === player;
    const marks = `${isToPlay ? "turn" : ""} ${hasWon ? "won" : ""} ${clock?.flags.includes(player) ? "fallen" : ""}`;
    return html(
      "div",
      { class: `player ${marks}` },
      game && token(this.board, player),
      html("span", { class: "name" }, game ? head[player] || colourOf(player) : nameOf(tile, player)),
      isToPlay && html("span", { class: "hidden" }, t("to play")),
      clock && player in clock.left && html("b", { class: "time", "data-clock": player }),
    );
  }

  /** @param {Tile} tile */
  #showBoard(tile) {
    const key = boardKey(tile);
    if (key !== this.boardKey) {
      this.boardKey = key;
      this.board = null;
      this.frame.replaceChildren();
      if (key) this.#load(tile, key);
    }
    this.#draw(tile);
  }

  /** Draws the pieces and marks, where any has changed. @param {Tile} tile */
  #draw(tile) {
    const contents = { pieces: tile.pieces, marks: marksOf(tile) };
    const key = JSON.stringify(contents);
    if (!this.board || key === this.drawnKey) return;
    this.drawnKey = key;
    this.view.draw(contents);
  }

  /**
   * @param {Tile} tile
   * @param {string} key
   */
  async #load(tile, key) {
    const board = await boardOf(tile).catch(() => null); // a game that this hall does not know has no drawing
    if (!board || key !== this.boardKey || !this.tile) return;
    this.board = board;
    this.view.load(board);
    this.#showNames(this.tile);
    this.drawnKey = "";
    this.#draw(this.tile);
  }
}

/** The order in which needs are shown where a board has several. @param {TileNeed} need */
function rankOf({ kind }) {
  return ["silent", "refused", "flag", "store", "question", "draw", "sensor"].indexOf(kind);
}

/**
 * @param {Tile} tile
 * @returns {Mark[]}
 */
export function marksOf({ last, checked, broken }) {
  return [
    { kind: "last", sites: last?.sites || [] },
    { kind: "check", sites: checked },
    { kind: "broken", sites: broken },
  ];
}

/**
 * Writes what a player has left, where that is written otherwise by now.
 * @param {Tile} tile
 * @param {Element} element
 * @param {number} now
 */
function showTime({ clock }, element, now) {
  const player = element.getAttribute("data-clock") || "";
  if (!clock || !(player in clock.left)) return;
  const { seconds, periods } = shownTime(clock, player, secondsLeft(clock, player, now));
  const words = periods ? `${formatSeconds(seconds)} +${periods}` : formatSeconds(seconds);
  if (element.textContent !== words) element.textContent = words;
}
