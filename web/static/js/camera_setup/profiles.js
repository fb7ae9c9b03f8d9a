// The camera's profiles: kept under a name, put in use, saved as files, loaded from files, thrown away.

import { get, post, reasonOf, Refusal } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { button, form, html, row, submitButton, textField } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { sensorName } from "../shared/sensor_names.js";
import { askToConfirm, complain, openSheet } from "../shared/sheet.js";
import { LONGEST_PROFILE, formatDay, formatMoment } from "../shared/text.js";

/** The bytes that the server takes of a profile, less the name that goes with it. */
const LARGEST_FILE = 8 * 1024 * 1024 - 4096;

/** @import { Child, Profile } from "../shared/types.d.ts" */
/**
 * @typedef {object} Reading what is read by profiles
 * @property {string} camera the name of the one that is set up
 * @property {string[]} cameras all of the table
 * @property {(used: { name: string }) => unknown} onUse is called with the profile that was put in use
 */

/** @returns {Promise<Profile[]>} */
export async function listProfiles() {
  /** @type {{ profiles: Profile[] }} */
  const { profiles } = await get("setup/profiles");
  return profiles;
}

/** @param {Profile} profile */
export function madeAt({ made }) {
  return formatMoment(new Date(made * 1000));
}

/**
 * Opens the list of the profiles.
 * @param {Reading} reading
 */
export async function openProfiles(reading) {
  const profiles = await listProfiles();
  const about = profiles.length
    ? t("What the camera learned of a board, in a certain light and place.")
    : t("None yet: set the camera up, then give what it learned a name.");
  const file = html("input", {
    type: "file",
    class: "hidden",
    accept: ".json,application/json",
    onchange: ({ currentTarget }) => loadProfile(currentTarget, reading),
  });
  openSheet(
    t("Profiles"),
    html("p", { class: "soft" }, about),
    profiles.length > 0 &&
      html(
        "ul",
        { class: "profiles" },
        profiles.map((profile) => profileItem(profile, reading)),
      ),
    html("label", { class: "button whole" }, t("Load a profile from a file"), file),
  );
}

/**
 * @param {Profile} profile
 * @param {Reading} reading
 */
function profileItem(profile, reading) {
  const title = html("strong", {}, profile.name || t("Without a name"));
  const about = html("span", { class: "soft" }, `${profile.title} · ${madeAt(profile)}`);
  return html(
    "li",
    { class: "profile" },
    html("p", {}, title, about),
    profile.used && html("span", { class: "tag" }, usedWords(profile.camera, reading.cameras)),
    row(profileDeeds(profile, reading)),
  );
}

/**
 * Says that a profile is in use; where there are several cameras, by which.
 * @param {string} camera
 * @param {string[]} cameras
 */
function usedWords(camera, cameras) {
  const named = cameras.map((name) => ({ name }));
  return cameras.length > 1 ? `${t("In use")}: ${sensorName(camera, named)}` : t("In use");
}

/**
 * @param {Profile} profile
 * @param {Reading} reading
 * @returns {Child[]}
 */
function profileDeeds(profile, reading) {
  const path = `setup/profiles/${encodeURIComponent(profile.name)}`;
  const showList = () => openProfiles(reading);
  const use = () =>
    post(`${path}/use`, { camera: reading.camera }).then(() => {
      reading.onUse(profile);
      showList();
    }, sayWhy);
  const download = `${profile.name || profile.board}.json`;
  const save = html("a", { class: "button", href: fileAddress(profile), download }, t("Save as a file"));
  if (!profile.kept) return [button(t("Name it…"), () => openNaming(profile, showList)), save];
  const warning = profile.used
    ? t("The camera goes on reading by it until it is set up anew.")
    : t("It does not come back.");
  const remove = () => post(`${path}/deletion`).then(showList, sayWhy);
  const askToRemove = () =>
    askToConfirm(t("Delete “{name}”?", { name: profile.name }), warning, t("Delete"), remove);
  const isRead = profile.used && profile.camera === reading.camera;
  return [
    !isRead && button(t("Use"), use, { class: "button strong" }),
    save,
    button(t("Delete…"), askToRemove),
  ];
}

/** @param {Profile} profile */
function fileAddress({ name, board, kept, camera }) {
  return kept
    ? `/api/v1/setup/profiles/${encodeURIComponent(name)}`
    : `/api/v1/setup/boards/${board}?${new URLSearchParams({ camera })}`;
}

/**
 * Loads a profile from a file, and puts it in use.
 * @param {HTMLInputElement} field
 * @param {Reading} reading
 */
async function loadProfile(field, reading) {
  const file = field.files?.[0];
  if (file && file.size > LARGEST_FILE) {
    field.value = "";
    complain(t("This file is too large to be a profile."));
    return;
  }
  const profile =
    file &&
    (await file
      .text()
      .then(JSON.parse)
      .catch(() => null));
  field.value = "";
  if (!file) return;
  if (!profile) {
    complain(t("This file is no profile."));
    return;
  }
  const name = file.name.replace(/\.json$/i, "").slice(0, LONGEST_PROFILE);
  /** @type {{ name: string } | null} */
  const kept = await post("setup/profiles", { profile, name, camera: reading.camera }).catch(sayWhy);
  if (!kept) return;
  reading.onUse(kept);
  openProfiles(reading);
}

/**
 * Asks for a name for the profile in use on a board.
 * @param {Unnamed} profile
 * @param {(name: string) => unknown} onNamed
 */
function openNaming(profile, onNamed) {
  const { field, save } = nameField(profile, onNamed);
  openSheet(t("Name the profile"), form(save, { class: "row" }, field, submitButton(t("Keep it"))));
  field.select();
}

/** @typedef {Pick<Profile, "board" | "title" | "made" | "camera">} Unnamed */

/**
 * Makes the field for a profile's name, and the handler that keeps the profile under it. A name that is taken is
 * asked about.
 * @param {Unnamed} profile
 * @param {(name: string) => unknown} onNamed
 * @param {(words: string) => unknown} onRefused
 */
export function nameField({ board, title, made, camera }, onNamed, onRefused = complain) {
  const field = textField({
    maxlength: LONGEST_PROFILE,
    required: true,
    "aria-label": t("Name of the profile"),
    value: suggestedName(title, made),
  });
  const keep = async (/** @type {boolean} */ replace) => {
    const name = field.value.trim();
    try {
      /** @type {{ name: string }} */
      const kept = await post("setup/names", { board, name, camera, replace });
      onNamed(kept.name);
    } catch (error) {
      const isTaken = error instanceof Refusal && error.isTaken && !replace;
      const words = t("There is a profile “{name}” already.", { name });
      if (isTaken) askToConfirm(t("Replace it?"), words, t("Replace it"), () => keep(true));
      else onRefused(reasonOf(error));
    }
  };
  return { field, save: () => keep(false) };
}

/**
 * @param {string} title of the game
 * @param {number} made in seconds since 1970
 */
export function suggestedName(title, made) {
  return `${title}, ${formatDay(new Date(made * 1000))}`.slice(0, LONGEST_PROFILE);
}
