// The dialog with what this display remembers: its language, its sound and its theme.

import { canSpeak, setSound } from "../display/sound.js";
import { fieldset, html, segments } from "./dom.js";
import { chooseLanguage, language, languageName, languages, t } from "./language.js";
import { setting } from "./settings.js";
import { openSheet } from "./sheet.js";
import { setTheme } from "./theme.js";

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
    fieldset(t("Language"), languageChoice()),
    fieldset(
      t("Sound"),
      segments("sound", sounds, setting("sound"), (sound) => {
        setSound(sound);
        onChange();
      }),
      !canSpeak() && html("p", { class: "soft" }, t("This browser cannot speak; it still makes tones.")),
    ),
    fieldset(
      t("Colours"),
      segments("theme", THEMES, setting("theme"), (theme) => {
        setTheme(theme);
        onChange();
      }),
    ),
  );
}

/** Makes the list of the languages, each by its own name: who reads none of the others finds it. */
export function languageChoice() {
  const options = languages.map((code) =>
    html("option", { value: code, lang: code, selected: code === language }, languageName(code)),
  );
  const choose = (/** @type {{ currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
    chooseLanguage(currentTarget.value);
  return html("select", { class: "button", "aria-label": t("Language"), onchange: choose }, options);
}
