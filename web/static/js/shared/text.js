// Formats text: capitals, looks in words, and dates and times as the reader's language writes them.

/** The longest name that a player or a profile may have, in characters. */
export const LONGEST_NAME = 40;

/** @param {string | null | undefined} words */
export function capital(words) {
  return words ? words[0].toUpperCase() + words.slice(1) : "";
}

/** @param {Date} date */
export function formatMoment(date) {
  return date.toLocaleString(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
  });
}

/** @param {Date} date */
export function formatDay(date) {
  return date.toLocaleDateString(undefined, {
    day: "numeric",
    month: "short",
    year: "numeric",
  });
}

/**
 * Puts a look in words: 'red/marked' is 'red marked', 'white+T' is 'white, marker T on it'.
 * @param {string} look
 */
export function describeLook(look) {
  const [body, marker] = look.split("+");
  const isPlainPuzzlePiece = body === "solver";
  const parts = body.replace(/^solver\//, "").split("/");
  const words = isPlainPuzzlePiece ? "piece" : parts.filter(Boolean).join(" ");
  if (!marker) return words;
  return words ? `${words}, marker ${marker} on it` : `marker ${marker}`;
}
