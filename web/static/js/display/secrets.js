// One tablet for players who know different things: who may see the pieces, and who is to be handed the tablet.

import { peopleOf } from "./opponents.js";

/** @import { GameState, Player, Session, TableState } from "../shared/types.d.ts" */

/**
 * Tells whether players with secrets share this screen.
 * @param {Session} session
 */
function isShared({ role, secrets }) {
  return role === "home" && secrets;
}

/**
 * Tells whether the pieces that one player sees are hidden: the turn has passed, but a question keeps them from being
 * covered. Not for a player who was handed the tablet since.
 * @param {Session} session
 * @param {GameState} state
 * @param {number} shownAt how many moves there were when the player was handed the tablet
 */
export function isVeiled(session, state, shownAt) {
  const isTurnOver = Boolean(state.question) && state.to_act !== session.seat;
  return isShared(session) && Boolean(session.seat) && isTurnOver && shownAt !== state.moves.length;
}

/**
 * Returns the player who is to be handed the tablet; '' for nobody. Who may have something to tell of a turn that is
 * over comes first, unless that player has looked since.
 * @param {Session} session
 * @param {GameState} state
 * @param {Record<Player, number>} lookedAt how many moves there were when each player looked last
 */
export function nextToLook(session, state, lookedAt) {
  const isCovered = isShared(session) && !session.seat;
  if (!isCovered || state.state === "over") return "";
  const { teller } = state;
  const mayTell = teller && (lookedAt[teller.player] || 0) < teller.plies;
  const [player = ""] = peopleOf(state, mayTell ? [teller.player, state.to_act] : [state.to_act]);
  return player;
}

/**
 * Tells whether a player looks who has nothing to do or to tell: the tablet can go on.
 * @param {Session} session
 * @param {GameState} state
 */
export function hasNothingToTell(session, state) {
  const isTheirs = state.to_act === session.seat || state.question;
  return isShared(session) && Boolean(session.seat) && state.state === "playing" && !isTheirs;
}

/**
 * Tells whether a player's pieces are covered now, before the next player looks. Whoever is asked answers first,
 * with the pieces veiled.
 * @param {Session} session
 * @param {TableState | null} before
 * @param {TableState} state
 */
export function mustCover(session, before, state) {
  if (!before || state.question) return false;
  const isTurnOver = before.to_act !== state.to_act;
  const isAnswered = Boolean(before.question);
  return (isTurnOver || isAnswered) && isShared(session) && Boolean(session.seat);
}

/**
 * Returns the player who has yet to enter secrets on a phone of their own, as this screen cannot be handed to them; ''
 * for nobody.
 * @param {Session} session
 * @param {GameState} state
 */
export function nextToJoin({ role, secrets }, { state, moves, to_act: player, companion }) {
  const isMissing =
    state !== "over" && !(player in companion) && !moves.some((move) => move.player === player);
  return role === "arbiter" && secrets && isMissing ? player : "";
}
