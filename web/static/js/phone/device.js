// The camera of this device, as the browser gives it.

import { t } from "../shared/language.js";

const SETTLING_MS = 2000;
/** What a camera adjusts by itself: it is held, so that the colours that were learned stay. */
const AUTOMATICS = ["exposureMode", "whiteBalanceMode", "focusMode"];

/** Opens the camera on the back, or the only one. */
export function openCamera() {
  const video = { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1080 } };
  return navigator.mediaDevices.getUserMedia({ video, audio: false });
}

/**
 * Holds exposure, colours and focus once they have settled, where the browser can.
 * @param {MediaStreamTrack} track
 */
export function hold(track) {
  setTimeout(() => {
    const can = /** @type {Record<string, unknown>} */ (track.getCapabilities?.() ?? {});
    const held = AUTOMATICS.filter((name) => Array.isArray(can[name]) && can[name].includes("manual"));
    if (!held.length || track.readyState !== "live") return;
    const advanced = held.map((name) => ({ [name]: "manual" }));
    track.applyConstraints({ advanced }).catch(() => {}); // it goes on adjusting, which the eyes put up with
  }, SETTLING_MS);
}

/** @type {Record<string, () => string>} what to do where the browser gives no camera, by its error's name */
const REASONS = {
  NotAllowedError: () => t("The browser may not use the camera: allow it in the page’s settings."),
  NotFoundError: () => t("This device has no camera."),
  NotReadableError: () => t("Another program uses the camera: close that."),
};

/** @param {unknown} error */
export function reasonOfCamera(error) {
  const say = error instanceof Error ? REASONS[error.name] : undefined;
  return say ? say() : t("The camera cannot be opened.");
}
