// What the sensors are called on the page ("Camera", not `camera:/dev/v4l/by-id/…`), and how they are in words.

import { t } from "./language.js";
import { capital } from "./text.js";

/** @import { SourceStatus } from "./types.d.ts" */

/** @type {Record<string, string>} what each scheme of sources is called */
const NAMES = {
  virtual: t("Camera"),
  camera: t("Camera"),
  picamera: t("Camera"),
  phone: t("Phone"),
  video: t("Video"),
  folder: t("Pictures"),
  trace: t("Recorded sensors"),
  serial: t("Sensor grid"),
  opponent: t("Opponent"),
  "other table": t("The other table"),
  chessnut: t("Chessnut board"),
  millennium: t("Millennium board"),
};

const SENSOR_WORDS = {
  ok: t("sees the board"),
  hand: t("a hand is in the way"),
  moving: t("something moves"),
  learning: t("learns how the board looks"),
  unlearned: t("does not know this board yet"),
  away: t("not there now"),
  trouble: t("has trouble"),
  lost: t("lost"),
};

/** @param {string} source */
function usualName(source) {
  return NAMES[source.split(":")[0]];
}

/**
 * Names a sensor; where several are called the same, also as it was given at the start.
 * @param {string} source
 * @param {{ name: string }[]} sources all of them
 */
export function sensorName(source, sources) {
  const usual = usualName(source);
  if (!usual) return capital(source);
  const alike = sources.filter(({ name }) => usualName(name) === usual);
  return alike.length > 1 ? `${usual} (${source})` : usual;
}

/**
 * Says how a sensor is. What is wrong stands on a card of its own; a note on one that works stands here.
 * @param {SourceStatus} source
 * @param {string} name what it is called here
 */
export function sourceWords({ name: source, state, words }, name) {
  if (source === "other table") {
    return words ? `${name}: ${words}` : t("{sensor}: connected", { sensor: name });
  }
  const how = { sensor: name, state: SENSOR_WORDS[state] };
  const hasNote = words && !["lost", "trouble", "unlearned"].includes(state);
  return hasNote ? t("{sensor}: {state} ({note})", { ...how, note: words }) : t("{sensor}: {state}", how);
}
