// Events and refusals told by tones, or spoken after one. Browsers let a page be heard only after a tap.

import { language, t } from "../shared/language.js";
import { nameOf } from "../shared/players.js";
import { remember, setting } from "../shared/settings.js";

/** @import { TableState, Verdict } from "../shared/types.d.ts" */

const TONE_S = 0.2;
const LOUDNESS = 0.15;
const REFUSAL_HZ = 200;
const EVENT_HZ = 620;
const OUTCOME_HZ = 880;
/** The variety in which a language is spoken, where browsers would choose another one.
 * @type {Record<string, string>} */
const SPOKEN = { en: "en-GB" };
const FLAG_HZ = 440;
/** A flag that falls is heard as so many tones. */
const FLAG_TONES = 3;

/**
 * What a state tells, in a form that shows when it is new.
 * @typedef {Record<"game" | "moves" | "move" | "verdict" | "question" | "offer" | "outcome" | "flags", string>} Told
 */

/** @type {AudioContext | null} */
let audio = null;
/** @type {Told | null} */
let lastTold = null;

export const canSpeak = () => "speechSynthesis" in window;
export const isSoundOn = () => setting("sound") !== "off";

/**
 * Chooses what is heard on this display from now on, and lets it be heard.
 * @param {"off" | "tones" | "speech"} sound
 */
export function setSound(sound) {
  remember("sound", sound);
  if (canSpeak()) speechSynthesis.cancel();
  wakeSound();
  if (sound === "tones") playTone(EVENT_HZ);
  if (sound === "speech") speak(t("Sound is on."));
}

/** Opens what tones are made with, where they are wanted. Called on a tap: browsers refuse it before. */
export function wakeSound() {
  if (!isSoundOn()) return;
  audio ||= window.AudioContext ? new AudioContext() : null;
  audio?.resume();
}

/**
 * Returns what of a state may be heard. Where players have secrets nobody else learns that one of them is asked.
 * @param {TableState} state
 * @param {{ secrets: boolean }} session
 * @returns {TableState}
 */
export function audible(state, { secrets }) {
  return state.game && secrets ? { ...state, question: null } : state;
}

/**
 * Tells what is new since the last state; the first state after opening the page is not read out.
 * @param {TableState} state
 */
export function tellState(state) {
  const told = toldBy(state);
  const before = lastTold;
  lastTold = told;
  if (!isSoundOn() || !before) return;
  const news = newsSince(before, told, state);
  if (news) tell(news.pitch, news.words);
}

/**
 * Tells something good or bad that no state of the table has.
 * @param {string} words
 * @param {boolean} isGood
 */
export function tellNews(words, isGood) {
  if (isSoundOn()) tell(isGood ? OUTCOME_HZ : REFUSAL_HZ, words);
}

/** @param {string} words */
export function tellRefusal(words) {
  if (isSoundOn()) tell(REFUSAL_HZ, words);
}

/**
 * @param {TableState} state
 * @returns {Told}
 */
export function toldBy({ game, number, last, verdict, question, offer, outcome, clock }) {
  return {
    game: `${game?.name} ${number}`,
    moves: String(last?.n),
    move: JSON.stringify([number, last && [last.n, last.action]]),
    verdict: JSON.stringify([verdict?.kind, verdict?.action, verdict?.words, verdict?.steps[0]?.words]),
    question: String(question?.id),
    offer: JSON.stringify(offer),
    outcome: outcome?.words || "",
    flags: flagsOf(clock),
  };
}

/** @param {TableState["clock"]} clock */
function flagsOf(clock) {
  return clock ? clock.flags.join(" ") : "";
}

/**
 * Returns the words for what is new, and the pitch in hertz of the tone before them; null for nothing new.
 * @param {Told} before
 * @param {Told} told
 * @param {TableState} state
 */
export function newsSince(before, told, state) {
  const { last, verdict, notice } = state;
  if (hasFlagFallen(before, told)) return { pitch: FLAG_HZ, words: told.outcome || notice };
  if (told.verdict !== before.verdict && verdict) {
    return { pitch: verdict.kind === "announced" ? EVENT_HZ : REFUSAL_HZ, words: verdictWords(verdict) };
  }
  const isOver = told.outcome !== before.outcome;
  const words = [...moveWords(before, told, last), ...askedWords(before, told, state)];
  return words.length ? { pitch: isOver ? OUTCOME_HZ : EVENT_HZ, words: words.join(" ") } : null;
}

/**
 * Returns the sentences on a new move and on a new outcome, which some moves tell themselves. Where actions were taken
 * back, the one that is the last now was told when it was played.
 * @param {Told} before
 * @param {Told} told
 * @param {TableState["last"]} last
 */
function moveWords(before, told, last) {
  const outcome = told.outcome !== before.outcome ? told.outcome : "";
  const isTakenBack = told.game === before.game && (Number(told.moves) || 0) < Number(before.moves);
  if (isTakenBack) return [t("Taken back.")];
  const move = told.move !== before.move ? last : null;
  if (!move) return outcome ? [outcome] : [];
  return outcome && !move.tells_end ? [...move.words, outcome] : move.words;
}

/**
 * Returns the sentences on what is newly asked: a question of the referee, a draw that a player offers.
 * @param {Told} before
 * @param {Told} told
 * @param {TableState} state
 */
function askedWords(before, told, state) {
  const { question, offer } = state;
  const isOffered = state.game && offer && told.offer !== before.offer;
  return [
    ...(question && told.question !== before.question ? [question.words] : []),
    ...(isOffered ? [t("{player} offers a draw.", { player: nameOf(state, offer.by) })] : []),
  ];
}

/**
 * @param {Told} before
 * @param {Told} told
 */
function hasFlagFallen(before, told) {
  return Boolean(told.flags) && told.flags !== before.flags;
}

/** @param {Verdict} verdict */
function verdictWords({ words, steps }) {
  return [words, steps[0]?.words].filter(Boolean).join(" ");
}

/**
 * @param {number} pitch
 * @param {string} words
 */
function tell(pitch, words) {
  const count = pitch === FLAG_HZ ? FLAG_TONES : 1;
  for (let n = 0; n < count; n++) playTone(pitch, 1.5 * n * TONE_S);
  if (setting("sound") === "speech") speak(words);
}

/** @param {string} words */
function speak(words) {
  if (!canSpeak()) return;
  speechSynthesis.cancel();
  const speech = new SpeechSynthesisUtterance(words);
  speech.lang = SPOKEN[language] || language;
  speechSynthesis.speak(speech);
}

/**
 * @param {number} pitch in hertz
 * @param {number} [after] in seconds from now
 */
function playTone(pitch, after = 0) {
  if (!audio) return;
  const begin = audio.currentTime + after;
  const [wave, gain] = [audio.createOscillator(), audio.createGain()];
  wave.frequency.value = pitch;
  gain.gain.setValueAtTime(LOUDNESS, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + 0.9 * TONE_S);
  wave.connect(gain).connect(audio.destination);
  wave.start(begin);
  wave.stop(begin + TONE_S);
}
