// The dialog with what this display remembers: its sound and its theme.

import { canSpeak, setSound } from "../display/sound.js";
import { html, segments } from "./dom.js";
import { setting } from "./settings.js";
import { openSheet } from "./sheet.js";
import { setTheme } from "./theme.js";

/** @import { Child } from "./types.d.ts" */

/** @type {["off" | "tones" | "speech", string][]} */
const SOUNDS = [
  ["off", "Off"],
  ["tones", "Tones"],
  ["speech", "Speech"],
];
/** @type {["auto" | "light" | "dark", string][]} */
const THEMES = [
  ["auto", "As the device"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** @param {() => unknown} onChange is called when a setting has changed */
export function openSettings(onChange) {
  const sounds = canSpeak() ? SOUNDS : SOUNDS.filter(([sound]) => sound !== "speech");
  openSheet(
    "This display",
    field(
      "Sound",
      segments("sound", sounds, setting("sound"), (sound) => {
        setSound(sound);
        onChange();
      }),
      !canSpeak() && html("p", { class: "soft" }, "This browser cannot speak; it still makes tones."),
    ),
    field(
      "Colours",
      segments("theme", THEMES, setting("theme"), (theme) => {
        setTheme(theme);
        onChange();
      }),
    ),
  );
}

/**
 * @param {string} legend
 * @param {Child[]} content
 */
function field(legend, ...content) {
  return html("fieldset", {}, html("legend", {}, legend), content);
}
