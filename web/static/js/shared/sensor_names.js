// What the sensors are called on the page: "Camera", not `camera:/dev/v4l/by-id/…`.

import { t } from "./language.js";
import { capital } from "./text.js";

/** @import { SourceStatus } from "./types.d.ts" */

/** @type {Record<string, string>} what each scheme of sources is called */
const NAMES = {
  virtual: t("Camera"),
  camera: t("Camera"),
  picamera: t("Camera"),
  video: t("Video"),
  folder: t("Pictures"),
  trace: t("Recorded sensors"),
  serial: t("Sensor grid"),
};

/** @param {string} source */
function usualName(source) {
  return NAMES[source.split(":")[0]];
}

/**
 * Names a sensor; where several are called the same, also as it was given at the start.
 * @param {string} source
 * @param {SourceStatus[]} sources all of them
 */
export function sensorName(source, sources) {
  const usual = usualName(source);
  if (!usual) return capital(source);
  const alike = sources.filter(({ name }) => usualName(name) === usual);
  return alike.length > 1 ? `${usual} (${source})` : usual;
}
