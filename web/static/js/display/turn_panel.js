// The panel of the turn: it says who is to move, or how the game ended, large enough to read across the room.

import { byId, html, showIfChanged } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { nameOf, ownerOf, token } from "../shared/players.js";
import { capital } from "../shared/text.js";
import { isThinking } from "./opponents.js";

/** @import { BoardData, GameState, Session } from "../shared/types.d.ts" */

/** Names of more letters than this are written smaller, and those beyond the second number smaller still. */
const LONG_NAME = 8;
const LONGEST_LARGE_NAME = 20;

/**
 * Returns the two lines of the panel.
 * @param {GameState} state
 */
export function turnWords(state) {
  const { game, outcome, to_act, turn, prompt } = state;
  const isSolo = game.players.length === 1;
  if (outcome) {
    return {
      name: outcomeWords(state),
      prompt: isSolo || state.puzzle === "solved" ? game.title : capital(outcome.reason),
    };
  }
  const player = to_act || turn;
  const name = isSolo && !state.head[player] ? t("Your turn") : nameOf(state, player);
  if (isThinking(state)) {
    const isHere = state.companion[player] > 0;
    return { name, prompt: isHere ? t("Thinking…") : t("Plays at the other table") };
  }
  const isAnothersTurn = turn && to_act !== turn;
  const turnOf = isAnothersTurn ? t("{player}’s turn", { player: nameOf(state, turn) }) : "";
  return {
    name,
    prompt: capital([prompt, turnOf].filter(Boolean).join(" · ")),
  };
}

/**
 * Tells who holds a seat here who they are, and whether it is their turn; '' for others.
 * @param {GameState} state
 * @param {Session} session
 */
export function seatWords(state, { role, seat }) {
  if (role !== "seat") return "";
  const player = nameOf(state, seat);
  if (seat in state.companion) return t("{player} plays for you.", { player });
  if (state.outcome) return t("You are {player}.", { player });
  const isOwnTurn = (state.to_act || state.turn) === seat;
  return isOwnTurn
    ? t("You are {player}. Your move.", { player })
    : t("You are {player}. Please wait.", { player });
}

/** @param {GameState} state */
function outcomeWords(state) {
  const winner = state.outcome?.winner;
  if (state.puzzle === "solved") return t("Solved");
  if (state.game.players.length === 1) return winner ? t("Solved") : t("Given up");
  return winner ? t("{player} wins", { player: nameOf(state, winner) }) : t("Draw");
}

/**
 * Counts the letters of the longest word, which stays in one line.
 * @param {string} name
 */
function lettersOf(name) {
  return String(Math.max(...name.split(/[\s-]/).map(({ length }) => length), 1));
}

/**
 * Tells how long a name is: 'short', 'long' or 'longest'. A result is no short one.
 * @param {string} name
 * @param {boolean} isResult
 */
export function lengthOf(name, isResult) {
  if (name.length > LONGEST_LARGE_NAME) return "longest";
  return isResult || name.length > LONG_NAME ? "long" : "short";
}

/**
 * Returns the title of the browser's window.
 * @param {GameState} state
 */
export function windowTitle(state) {
  if (state.outcome) return state.outcome.words;
  const isSolo = state.game.players.length === 1;
  const { name } = turnWords(state);
  return `${isSolo ? name : t("{player} to play", { player: name })} · ${state.game.title}`;
}

/**
 * @param {GameState} state
 * @param {BoardData | null} board
 * @param {Session} session
 */
export function renderTurn(state, board, session) {
  const { outcome } = state;
  const player = outcome ? outcome.winner : state.to_act || state.turn;
  const owner = ownerOf(board, player);
  const element = byId("turn");
  element.style.setProperty("--paint", owner?.paint || "var(--panel)");
  element.style.setProperty("--on-paint", owner?.ink || "var(--ink)");
  element.dataset.over = outcome ? "yes" : "";
  const { name, prompt } = turnWords(state);
  const length = lengthOf(name, Boolean(outcome));
  const own = seatWords(state, session);
  showIfChanged(element, [own, player, outcome, prompt, name, state.state, board?.name], () => [
    player && token(board, player, "big"),
    html(
      "div",
      { class: "who" },
      html("strong", { class: "name", "data-length": length, vars: { "--letters": lettersOf(name) } }, name),
      html("span", { class: "prompt" }, prompt),
      own && html("span", { class: "holder" }, own),
    ),
  ]);
}
