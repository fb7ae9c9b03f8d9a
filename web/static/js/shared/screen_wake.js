// Keeps the screen on, where the browser allows it.

import { t } from "./language.js";

/** @type {WakeLockSentinel | null} */
let wakeLock = null;
let words = "";

/** Says whether the screen stays on, and what to do where it does not. */
export const screenWords = () => words;

/** Keeps the screen on from now on, and anew whenever the page becomes visible again. */
export function keepScreenOn() {
  request();
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && request());
}

async function request() {
  if (!("wakeLock" in navigator)) {
    words = window.isSecureContext
      ? t("This browser lets the screen go dark: switch its sleep off in the tablet’s settings.")
      : t(
          "Over plain http the browser lets the screen go dark: switch sleep off in the tablet’s settings, " +
            "or open the page by https.",
        );
    return;
  }
  if (wakeLock && !wakeLock.released) return;
  try {
    wakeLock = await navigator.wakeLock.request("screen");
    words = t("The screen stays on while this page is shown.");
  } catch {
    words = t(
      "The browser would not keep the screen on (low battery?): switch sleep off in the tablet’s settings.",
    );
  }
}
