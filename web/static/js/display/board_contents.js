// All that the display shows on the board: pieces, places to tap, the last action, broken rules, guidance.

import { describePlace } from "../shared/text.js";

/** @import { BoardContents, BoardData, Choice, GameState, GuideStep } from "../shared/types.d.ts" */
/** @import { Look, Mark, Place, Question, Verdict } from "../shared/types.d.ts" */

/** Where a first tap makes sense is only marked when there are no more places than this. */
const MOST_MARKED_STARTS = 8;

/**
 * @typedef {object} BoardInput
 * @property {BoardData} board
 * @property {Place[]} tapped the places tapped so far
 * @property {Place[]} nextPlaces the places that can be tapped; none for spectators
 * @property {Place[]} grips the places where an action can begin, or go on; none for spectators
 * @property {Verdict | null} refusal of an action that was entered here
 * @property {Place[]} hint the places of the action that a hint names
 * @property {Mark[] | null} [help] marks for a newcomer, in place of those on where a first tap makes sense
 */

/**
 * Collects all that lies on the board.
 * @param {GameState} state
 * @param {BoardInput} input
 * @returns {BoardContents}
 */
export function boardContents(state, { board, tapped, nextPlaces, grips, refusal, hint, help }) {
  const verdict = state.verdict || refusal;
  const step = verdict?.steps[0] || null;
  const broken = verdict ? verdict.breaks.flatMap(({ sites }) => sites) : [];
  // Another tap on what is tapped drops it: by the keys, too.
  const taps = [...tapped, ...nextPlaces].map((place) => [
    place,
    describePlace(board, place, state.pieces[place]),
  ]);
  return {
    pieces: state.pieces,
    ghosts: { ...missingPiece(step), ...strayPieces(state) },
    marks: [
      { kind: "last", sites: state.last ? state.last.sites : [] },
      { kind: "check", sites: state.checked },
      { kind: "broken", sites: [...new Set(broken)] },
      ...questionMarks(state.question),
      { kind: "chosen", sites: tapped },
      tapped.length
        ? { kind: "target", sites: nextPlaces }
        : startMark(help ? [] : nextPlaces, verdict !== null),
      ...(help || []),
      { kind: "guide", sites: hint },
      ...stepMarks(step),
    ],
    arrows: step?.from && step.to ? [[step.from, step.to, "guide"]] : [],
    taps: Object.fromEntries(taps),
    drags: grips.filter((place) => place in state.pieces),
  };
}

/**
 * Marks where a step that puts the board right ends; where it takes a piece away, that piece.
 * @param {GuideStep | null} step
 * @returns {Mark[]}
 */
function stepMarks(step) {
  const place = step && (step.to || step.from);
  return place ? [{ kind: "guide", sites: [place] }] : [];
}

/**
 * Returns the piece that a step lays down.
 * @param {GuideStep | null} step
 * @returns {Record<Place, Look>}
 */
function missingPiece(step) {
  return step?.to && step.look ? { [step.to]: step.look } : {};
}

/**
 * @param {Place[]} places
 * @param {boolean} isRefused
 * @returns {Mark}
 */
function startMark(places, isRefused) {
  const isShown = !isRefused && places.length <= MOST_MARKED_STARTS;
  return { kind: "can", sites: isShown ? places : [] };
}

/**
 * Returns the pieces that the sensors see where the game has none, or another one.
 * @param {GameState} state
 * @returns {Record<Place, Look>}
 */
function strayPieces({ seen, pieces }) {
  const stray = Object.entries(seen).filter(([place, look]) => look !== "empty" && look !== pieces[place]);
  return Object.fromEntries(stray);
}

/**
 * Marks where the choices of a question end, each with its number; '?' where a place cannot tell several apart.
 * @param {Question | null} question
 * @returns {Mark[]}
 */
function questionMarks(question) {
  return [...choicesByPlace(question)].map(([place, numbers]) => ({
    kind: "ask",
    sites: [place],
    words: numbers.length > 1 ? "?" : String(numbers[0] + 1),
  }));
}

/**
 * Returns the one choice of a question that ends at this place; null where there is none, or several.
 * @param {Question | null} question
 * @param {Place} place
 * @returns {Choice | null}
 */
export function choiceAt(question, place) {
  if (question?.parts.length) return null;
  const numbers = choicesByPlace(question).get(place) || [];
  return question && numbers.length === 1 ? question.choices[numbers[0]] : null;
}

/**
 * Returns the number of the one part of a question that ends at this place; -1 where there is none.
 * @param {Question | null} question
 * @param {Place} place
 */
export function partAt(question, place) {
  const numbers = question?.parts.length ? choicesByPlace(question).get(place) || [] : [];
  return numbers.length === 1 ? numbers[0] : -1;
}

/**
 * Groups what a question offers (counted from 0) by the place where it ends: its parts, else its choices.
 * @param {Question | null} question
 */
function choicesByPlace(question) {
  /** @type {Map<Place, number[]>} */
  const places = new Map();
  const asked = question?.parts.length ? question.parts : question?.choices || [];
  for (const [number, { sites }] of asked.entries()) {
    const place = sites.at(-1);
    if (place) places.set(place, [...(places.get(place) || []), number]);
  }
  return places;
}
