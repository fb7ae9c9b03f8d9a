// The theme: as the device asks, or light or dark as this display remembers.

import { remember, setting } from "./settings.js";

const AS_THE_DEVICE_ASKS = "(prefers-color-scheme: dark)";
const MEDIA = { auto: AS_THE_DEVICE_ASKS, light: "not all", dark: "all" };

/** @param {"auto" | "light" | "dark"} theme */
export function setTheme(theme) {
  remember("theme", theme);
  applyTheme();
}

/** Puts the remembered theme into force: it is the style sheet of the dark colours that is used or not. */
export function applyTheme() {
  for (const link of document.querySelectorAll("[data-theme=dark]")) {
    link.setAttribute("media", MEDIA[setting("theme")]);
  }
}
