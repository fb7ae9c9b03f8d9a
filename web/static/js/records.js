// Earlier games: a list that can be searched and added to, and the way to each game's replay.

import { get, post } from "./api.js";
import { button, byId, capital, h } from "./dom.js";
import { isArbiter, pinButton } from "./pin.js";
import { closeReplay, openReplay } from "./replay.js";
import { complain, confirm, openSheet, toast } from "./sheet.js";

const NO_NAMES = ["game", "place", "event", "date", "round", "clock", "markers", "corrects"];
let timer = 0;
let asked = 0;
let deleted = false;

async function list(before = "") {
  const words = byId("search").value;
  const turn = ++asked;
  const { games, more } = await get(`records?words=${encodeURIComponent(words)}&before=${before}&deleted=${deleted ? 1 : 0}`);
  if (turn !== asked) return; // a later search overtook this one
  const items = games.map(entry);
  if (more) items.push(h("li", {}, button("Show more", (event) => (event.target.closest("li").remove(), list(games.at(-1).number)), { class: "button wide" })));
  if (before) return byId("list").append(...items);
  const none = words ? "No game holds these words." : deleted ? "No game is deleted." : "No games yet.";
  byId("list").replaceChildren(...(items.length ? items : [h("li", { class: "soft" }, none)]));
}

const RESULTS = { draw: "drawn", "given up": "given up", solver: "solved" };

function entry(game) {
  const people = Object.entries(game.head).filter(([key, name]) => name && !NO_NAMES.includes(key)).map(([seat, name]) => `${name} (${seat})`).join(", ");
  const result = RESULTS[game.result] || (game.result ? `${capital(game.result)} won` : "not over");
  const { event, place, corrects } = game.head;
  const [name, ...options] = game.game.split(" ");
  const variant = options.map((option) => (option.startsWith("fen=") ? "from a given position" : option.replace("=", ": ")));
  const occasion = [event, place, ...variant, corrects && `corrects ${corrects}`].filter(Boolean).join(", ");
  return h("li", {}, h(
    "a",
    { class: "button", href: `#${game.number}` },
    h("span", {}, `${capital(name.replace("_", " "))}${people ? ` · ${people}` : ""}`),
    h("span", { class: "when" }, `${game.plies} ${game.plies === 1 ? "action" : "actions"}, ${result}`),
    h("span", { class: "when" }, [game.started ? new Date(game.started).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "", occasion].filter(Boolean).join(" · ")),
  ));
}

// What the arbiter may set: whether pictures are kept, and the games that were deleted.
async function offerSettings() {
  const [session, pictures] = await Promise.all([get("session"), get("pictures")]);
  byId("privacy").textContent = pictures.kept ? "A small picture of the board is kept with each doubtful action." : "No pictures of doubtful actions are kept.";
  byId("settings").replaceChildren(...(isArbiter(session) ? [
    button(deleted ? "Games that are kept" : "Deleted games", () => ((deleted = !deleted), offerSettings(), list())),
    button("Pictures…", () => openPictures(pictures.kept)),
  ] : [pinButton(session, offerSettings)].filter(Boolean)));
}

function openPictures(kept) {
  const act = async (what, words) => {
    try {
      const answer = await post(`pictures/${what}`);
      toast(words(answer));
      byId("sheet").close();
      await offerSettings();
    } catch (error) {
      complain(error.message);
    }
  };
  openSheet(
    "Pictures of doubtful actions",
    h("p", {}, "When an action is refused, asked about or uncertain, a small picture of the board as the camera saw it can be kept with the game. Only the players and the arbiter see it; it never leaves this machine by itself, and it is erased when its game is deleted."),
    kept
      ? button("Keep no more pictures", () => act("off", () => "No more pictures are kept."), { class: "button strong" })
      : button("Keep pictures from now on", () => act("on", () => "Pictures of doubtful actions are kept from now on."), { class: "button strong" }),
    button("Erase all pictures", () => confirm("Erase all pictures?", "They do not come back.", "Erase", () => act("erasure", ({ erased }) => `${erased} pictures erased.`)), { class: "button danger" }),
  );
}

async function route() {
  const [number, at] = location.hash.slice(1).split("/").map(Number);
  document.body.classList.toggle("replaying", Boolean(number));
  for (const id of ["bar", "list", "foot"]) byId(id).hidden = Boolean(number);
  byId("replay").hidden = !number;
  closeReplay();
  try {
    await (number ? openReplay(number, at) : Promise.all([list(), offerSettings()]));
  } catch (error) {
    byId("replay").hidden = true;
    for (const id of ["bar", "list"]) byId(id).hidden = false;
    byId("list").replaceChildren(h("li", { class: "soft", role: "alert" }, error.message));
  }
}

byId("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  try {
    const { number } = await post("records", { record: await file.text() });
    location.hash = number;
  } catch (error) {
    byId("list").prepend(h("li", { class: "soft", role: "alert" }, `${file.name}: ${error.message}`));
  }
  target.value = "";
});
byId("search").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => list(), 200);
});
addEventListener("hashchange", route);
route();
