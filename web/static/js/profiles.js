// The camera's profiles: kept under a name, put in use, saved as files, loaded from files, thrown away.

import { get, post } from "./api.js";
import { button, h } from "./dom.js";
import { complain, confirm, openSheet } from "./sheet.js";

export const day = (seconds) => new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

const address = ({ name, board, kept }) => `/api/v1/setup/${kept ? `profiles/${encodeURIComponent(name)}` : `boards/${board}`}`;

export async function listProfiles() {
  return (await get("setup/profiles")).profiles;
}

// Opens the list; `onUse` hears what was put in use.
export async function openProfiles(onUse) {
  const act = async (path, body, then) => {
    try {
      then(await post(`setup/${path}`, body));
    } catch (error) {
      complain(error.message);
    }
  };
  const again = () => openProfiles(onUse);
  const path = ({ name }, deed) => `profiles/${encodeURIComponent(name)}/${deed}`;
  const row = (profile) => h(
    "li",
    { class: "profile" },
    h("p", {}, h("strong", {}, profile.name || "Without a name"), h("span", { class: "soft" }, `${profile.title} · ${day(profile.made)}`)),
    profile.used && h("span", { class: "tag" }, "In use"),
    h("div", { class: "row" },
      profile.kept && !profile.used && button("Use", () => act(path(profile, "use"), {}, () => (onUse(profile), again())), { class: "button strong" }),
      !profile.kept && button("Name it…", () => openNaming(profile, again)),
      h("a", { class: "button", href: address(profile), download: `${profile.name || profile.board}.json` }, "Save as a file"),
      profile.kept && button("Delete…", () => confirm(`Delete “${profile.name}”?`, profile.used ? "The camera goes on reading by it until it is set up anew." : "It does not come back.", "Delete", () => act(path(profile, "deletion"), {}, again)))),
  );
  const load = async ({ target }) => {
    const [file] = target.files;
    const profile = file && (await file.text().then(JSON.parse).catch(() => null));
    target.value = "";
    if (!file) return;
    if (!profile) return complain("This file is no profile.");
    await act("profiles", { profile, name: file.name.replace(/\.json$/i, "").slice(0, 40) }, ({ name }) => (onUse({ name }), again()));
  };
  const profiles = await listProfiles();
  openSheet(
    "Profiles",
    h("p", { class: "soft" }, profiles.length ? "What the camera learned of a board, in a certain light and place." : "None yet: set the camera up, then give what it learned a name."),
    profiles.length > 0 && h("ul", { class: "profiles" }, profiles.map(row)),
    h("label", { class: "button whole" }, "Load a profile from a file", h("input", { type: "file", class: "hidden", accept: ".json,application/json", onchange: load })),
  );
}

// Asks for a name for the profile in use on a board; a name that is taken is asked about.
export function openNaming(profile, onNamed) {
  const { field, save } = naming(profile, onNamed);
  openSheet("Name the profile", h("form", { class: "row", onsubmit: save }, field, h("button", { type: "submit", class: "button strong" }, "Keep it")));
  field.select();
}

export function naming({ board, title, made }, onNamed, onRefused = complain) {
  const field = h("input", { type: "text", maxlength: 40, autocomplete: "off", required: true, "aria-label": "Name of the profile", value: suggested(title, made) });
  const keep = async (replace) => {
    const name = field.value.trim();
    try {
      onNamed((await post("setup/names", { board, name, replace })).name);
    } catch (error) {
      if (error.message.includes("already") && !replace) confirm("Replace it?", `There is a profile “${name}” already.`, "Replace it", () => keep(true));
      else onRefused(error.message);
    }
  };
  const save = (event) => {
    event.preventDefault();
    return keep(false);
  };
  return { field, save };
}

const suggested = (title, made) => `${title}, ${new Date(made * 1000).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" })}`.slice(0, 40);
