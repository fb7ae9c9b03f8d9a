// Keeping the screen on, where the browser allows it.

let lock = null;
let words = "";

export const awakeWords = () => words;

export async function stayAwake() {
  if (!("wakeLock" in navigator)) {
    words = window.isSecureContext
      ? "This browser lets the screen go dark: switch its sleep off in the tablet’s settings."
      : "Over plain http the browser lets the screen go dark: switch sleep off in the tablet’s settings, or open the page by https.";
    return;
  }
  if (lock && !lock.released) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    words = "The screen stays on while this page is shown.";
  } catch {
    words = "The browser would not keep the screen on (low battery?): switch sleep off in the tablet’s settings.";
  }
}

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && stayAwake());
