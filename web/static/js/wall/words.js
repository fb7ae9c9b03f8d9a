// What is said of a board, in the language of this display, from what it told.

import { t, tn } from "../shared/language.js";
import { colourOf } from "../shared/players.js";
import { sensorName } from "../shared/sensor_names.js";

/** @import { TileNeed, Tile } from "../shared/wire.d.ts" */

const MINUTE_S = 60;
const HOUR_S = 3600;

/** @type {Record<string, string>} */
export const STATE_WORDS = {
  playing: t("Being played"),
  waiting: t("Waiting for a person"),
  silent: t("Silent"),
  over: t("Over"),
  free: t("Free"),
};

/**
 * Says what a need is, in a few words.
 * @param {Tile} tile
 * @param {TileNeed} need
 */
export function needWords(tile, need) {
  const player = need.player && (tile.head[need.player] || colourOf(need.player));
  switch (need.kind) {
    case "refused":
      return refusalWords(need);
    case "question":
      return player ? t("Question to {player}", { player }) : t("A question is open");
    case "flag":
      return t("Flag fallen: {player}", { player });
    case "draw":
      return t("{player} offers a draw", { player });
    case "silent":
      return silenceWords(need, player);
    case "store":
      return t("The game is not being stored");
    default:
      return need.action === "lost"
        ? t("{sensor}: lost", { sensor: sensorName(need.source, []) })
        : t("{sensor}: trouble", { sensor: sensorName(need.source, []) });
  }
}

/** @param {TileNeed} need */
function refusalWords({ action, rules }) {
  const broken = rules.map(({ rule }) => rule).join(", ");
  if (action && broken) return t("{rules}: {action} refused", { action, rules: broken });
  if (broken) return t("{rules}: refused", { rules: broken });
  return t("The board stands otherwise than the game");
}

/**
 * @param {TileNeed} need
 * @param {string} player
 */
function silenceWords({ words }, player) {
  if (words === "overdue") return t("No word since {player}’s time ran out", { player });
  if (words === "mute") return t("Nothing heard any more");
  return words === "unknown" ? t("Never said that it is there") : t("Not connected");
}

/**
 * Says more of a need: the titles of broken rules, what the board says itself.
 * @param {TileNeed} need
 */
export function needDetails(need) {
  const titles = need.rules.filter(({ title }) => title).map(({ rule, title }) => `${rule} ${title}`);
  const told = need.kind === "silent" ? "" : need.words;
  return [...titles, told].filter(Boolean).join(" · ");
}

/**
 * Says what there is to say of a board where nothing waits.
 * @param {Tile} tile
 */
export function stateWords(tile) {
  if (tile.ending) return tile.ending.words;
  if (tile.state === "empty") return t("Free");
  if (tile.state === "setup") return t("The pieces are being set up");
  return "";
}

/**
 * Writes how long something has lasted: 42 s, 3:05, 2 h.
 * @param {number} seconds
 */
export function formatDuration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE_S) return t("{n} s", { n: whole });
  if (whole < HOUR_S) return `${Math.floor(whole / MINUTE_S)}:${String(whole % MINUTE_S).padStart(2, "0")}`;
  return tn("{n} h", "{n} h", Math.floor(whole / HOUR_S));
}
