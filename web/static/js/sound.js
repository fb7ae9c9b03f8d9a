// Ears: events and refusals spoken, with a short tone. Browsers let a page speak only after a tap.

let speaking = false;
let audio = null;
let known = null;

export const canSpeak = "speechSynthesis" in window;
export const isOn = () => speaking;

export function setSound(on) {
  speaking = on;
  if (on) {
    audio ||= window.AudioContext ? new AudioContext() : null;
    audio?.resume();
    say("Sound is on.");
  } else if (canSpeak) speechSynthesis.cancel();
}

// Tells what is new since the last state; the first state after opening the page is not read out.
export function hear(state) {
  const now = {
    move: `${state.game?.name} ${state.last?.n} ${state.last?.action}`,
    verdict: JSON.stringify([state.verdict?.kind, state.verdict?.action, state.verdict?.words, state.verdict?.steps?.[0]?.words]),
    question: String(state.question?.id),
    outcome: state.outcome?.words || "",
  };
  const before = known;
  known = now;
  if (!speaking || !before) return;
  if (now.verdict !== before.verdict && state.verdict) return tell(200, verdictWords(state.verdict));
  const words = [];
  if (now.move !== before.move && state.last) words.push(...state.last.words);
  if (now.outcome !== before.outcome) words.push(now.outcome);
  if (now.question !== before.question && state.question) words.push(state.question.words);
  if (words.length) tell(now.outcome !== before.outcome ? 880 : 620, words.join(" "));
}

export function hearRefusal(words) {
  if (speaking) tell(200, words);
}

function verdictWords(verdict) {
  const rules = (verdict.breaks || []).map(({ text }) => text);
  return [verdict.words, ...rules, verdict.steps?.[0]?.words].filter(Boolean).join(" ");
}

function tell(pitch, words) {
  tone(pitch);
  say(words);
}

function say(words) {
  if (!canSpeak) return;
  speechSynthesis.cancel();
  const speech = new SpeechSynthesisUtterance(words);
  speech.lang = "en-GB";
  speechSynthesis.speak(speech);
}

function tone(pitch) {
  if (!audio) return;
  const [wave, gain] = [audio.createOscillator(), audio.createGain()];
  wave.frequency.value = pitch;
  gain.gain.setValueAtTime(0.15, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.18);
  wave.connect(gain).connect(audio.destination);
  wave.start();
  wave.stop(audio.currentTime + 0.2);
}
