// The dialog with what this display remembers: its sound and its theme.

import { canSpeak, setSound } from "../display/sound.js";
import { html, segments } from "./dom.js";
import { t } from "./language.js";
import { setting } from "./settings.js";
import { openSheet } from "./sheet.js";
import { setTheme } from "./theme.js";

/** @import { Child } from "./types.d.ts" */

/** @type {["off" | "tones" | "speech", string][]} */
const SOUNDS = [
  ["off", t("Off")],
  ["tones", t("Tones")],
  ["speech", t("Speech")],
];
/** @type {["auto" | "light" | "dark", string][]} */
const THEMES = [
  ["auto", t("As the device")],
  ["light", t("Light")],
  ["dark", t("Dark")],
];

/** @param {() => unknown} onChange is called when a setting has changed */
export function openSettings(onChange) {
  const sounds = canSpeak() ? SOUNDS : SOUNDS.filter(([sound]) => sound !== "speech");
  openSheet(
    t("This display"),
    field(
      t("Sound"),
      segments("sound", sounds, setting("sound"), (sound) => {
        setSound(sound);
        onChange();
      }),
      !canSpeak() && html("p", { class: "soft" }, t("This browser cannot speak; it still makes tones.")),
    ),
    field(
      t("Colours"),
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
