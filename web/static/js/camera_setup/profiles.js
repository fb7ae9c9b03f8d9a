// The camera's profiles: kept under a name, put in use, saved as files, loaded from files, thrown away.

import { get, post, reasonOf, Refusal } from "../shared/api.js";
import { sayWhy } from "../shared/attempt.js";
import { button, form, html, row, submitButton, textField } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { askToConfirm, complain, openSheet } from "../shared/sheet.js";
import { LONGEST_PROFILE, formatDay, formatMoment } from "../shared/text.js";

/** The bytes that the server takes of a profile, less the name that goes with it. */
const LARGEST_FILE = 8 * 1024 * 1024 - 4096;

/** @import { Child, Profile } from "../shared/types.d.ts" */
/** @typedef {(used: { name: string }) => unknown} UseHandler is called with the profile that was put in use */

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
 * @param {UseHandler} onUse
 */
export async function openProfiles(onUse) {
  const profiles = await listProfiles();
  const about = profiles.length
    ? t("What the camera learned of a board, in a certain light and place.")
    : t("None yet: set the camera up, then give what it learned a name.");
  const file = html("input", {
    type: "file",
    class: "hidden",
    accept: ".json,application/json",
    onchange: ({ currentTarget }) => loadProfile(currentTarget, onUse),
  });
  openSheet(
    t("Profiles"),
    html("p", { class: "soft" }, about),
    profiles.length > 0 &&
      html(
        "ul",
        { class: "profiles" },
        profiles.map((profile) => profileItem(profile, onUse)),
      ),
    html("label", { class: "button whole" }, t("Load a profile from a file"), file),
  );
}

/**
 * @param {Profile} profile
 * @param {UseHandler} onUse
 */
function profileItem(profile, onUse) {
  const title = html("strong", {}, profile.name || t("Without a name"));
  const about = html("span", { class: "soft" }, `${profile.title} · ${madeAt(profile)}`);
  return html(
    "li",
    { class: "profile" },
    html("p", {}, title, about),
    profile.used && html("span", { class: "tag" }, t("In use")),
    row(profileDeeds(profile, onUse)),
  );
}

/**
 * @param {Profile} profile
 * @param {UseHandler} onUse
 * @returns {Child[]}
 */
function profileDeeds(profile, onUse) {
  const path = `setup/profiles/${encodeURIComponent(profile.name)}`;
  const showList = () => openProfiles(onUse);
  const use = () =>
    post(`${path}/use`).then(() => {
      onUse(profile);
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
  return [
    !profile.used && button(t("Use"), use, { class: "button strong" }),
    save,
    button(t("Delete…"), askToRemove),
  ];
}

/** @param {Profile} profile */
function fileAddress({ name, board, kept }) {
  return kept ? `/api/v1/setup/profiles/${encodeURIComponent(name)}` : `/api/v1/setup/boards/${board}`;
}

/**
 * Loads a profile from a file, and puts it in use.
 * @param {HTMLInputElement} field
 * @param {UseHandler} onUse
 */
async function loadProfile(field, onUse) {
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
  const kept = await post("setup/profiles", { profile, name }).catch(sayWhy);
  if (!kept) return;
  onUse(kept);
  openProfiles(onUse);
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

/** @typedef {Pick<Profile, "board" | "title" | "made">} Unnamed */

/**
 * Makes the field for a profile's name, and the handler that keeps the profile under it. A name that is taken is
 * asked about.
 * @param {Unnamed} profile
 * @param {(name: string) => unknown} onNamed
 * @param {(words: string) => unknown} onRefused
 */
export function nameField({ board, title, made }, onNamed, onRefused = complain) {
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
      const kept = await post("setup/names", { board, name, replace });
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
