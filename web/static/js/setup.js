// Choosing a game: all that can be played here, their options, and the players' names.

import { get, post } from "./api.js";
import { button, byId, capital, h, show } from "./dom.js";
import { isArbiter, onlyArbiter, pinButton } from "./pin.js";
import { toast } from "./sheet.js";

const CLOCKS = [["", "None"], ["5", "5 min"], ["10+5", "10 min + 5 s"], ["15+10", "15 min + 10 s"], ["30", "30 min"]];

const MARKERS = [[false, "Kept by the companion"], [true, "Laid on the board, and checked"]];

let games = null;
let chosen = null;
let options = {};
let names = {};
let clock = "";
let markers = false;
let page = null; // the caller's session, what hears of another one, and the way back where there is one

export async function renderSetup(visible, session, onSession, onBack) {
  if (!visible) return;
  page = { session, onSession, onBack };
  try {
    games ||= await get("games");
  } catch (error) {
    return void toast(error.message);
  }
  draw();
}

function draw() {
  const { session, onBack } = page;
  show(byId("setup"), [chosen?.name, session.role, session.pin, Boolean(onBack)], () => (chosen ? detail() : cards()));
}

function cards() {
  return [
    h("header", {}, h("h1", {}, "What shall we play?"), page.onBack && button("Back to the game", page.onBack), pinButton(page.session, page.onSession)),
    h("div", { class: "games" }, games.map((game) =>
      h(
        "button",
        { type: "button", class: "game", onclick: () => choose(game), "data-game": game.name },
        h("img", { src: `/api/v1/boards/${game.name}.svg`, alt: "", loading: "lazy" }),
        h("span", { class: "title" }, game.title),
        h("span", { class: "seats" }, game.players.length === 1 ? "Solitaire" : `${game.players.length} players`),
      ))),
  ];
}

function choose(game) {
  chosen = game;
  options = Object.fromEntries((game?.options || []).map(({ name, default: value }) => [name, value]));
  names = {};
  draw();
  scrollTo(0, 0);
}

function detail() {
  const mayStart = isArbiter(page.session);
  return [
    h(
      "header",
      { class: "fixed" },
      button("All games", () => choose(null), { class: "button quiet" }),
      h("h1", {}, chosen.title),
      h("button", { type: "submit", form: "choices", class: "button strong", disabled: !mayStart }, "Start the game"),
    ),
    h(
      "div",
      { class: "detail" },
      h("img", { id: "start-board", src: picture(), alt: `The board of ${chosen.title}` }),
      h(
        "form",
        { id: "choices", onsubmit: start },
        chosen.options.map(optionField),
        h("fieldset", { id: "players" }, playerFields()),
        h("fieldset", {}, h("legend", {}, "Clock"), h("div", { class: "segments" }, CLOCKS.map(([value, words]) =>
          h("label", {}, h("input", { type: "radio", name: "clock", value, checked: clock === value, onchange: () => (clock = value) }), h("span", {}, words))))),
        chosen.markers && h("fieldset", {}, h("legend", {}, "Markers"), h("div", { class: "segments" }, MARKERS.map(([value, words]) =>
          h("label", {}, h("input", { type: "radio", name: "markers", value: String(value), checked: markers === value, onchange: () => (markers = value) }), h("span", {}, words))))),
        !mayStart && onlyArbiter(page.session, "starts a game", page.onSession),
      ),
    ),
  ];
}

function seats() {
  const other = Object.entries(options).map(([name, value]) => chosen.seats[`${name}=${value}`]).find(Boolean);
  return other || chosen.players;
}

function playerFields() {
  const solo = chosen.players.length === 1;
  return [h("legend", {}, solo ? "Player" : "Players"), ...seats().map((seat) =>
    h("label", { class: "seat" }, h("span", {}, solo ? "You" : capital(seat)), h("input", { type: "text", maxlength: 40, autocomplete: "off", placeholder: "Name", value: names[seat], oninput: (event) => (names[seat] = event.target.value) })))];
}

// Only what depends on an option is drawn anew: the rest keeps the focus, and what was typed.
function setOption(name, value) {
  options = { ...options, [name]: value };
  byId("players").replaceChildren(...playerFields());
  if (byId("start-board").getAttribute("src") !== picture()) byId("start-board").src = picture();
}

// Some options have a board of their own.
function picture() {
  const option = Object.entries(options).map(([name, value]) => `${name}=${value}`).find((text) => chosen.boards[text]);
  return `/api/v1/boards/${chosen.name}.svg${option ? `?${option}` : ""}`;
}

function optionField({ name, values, about }) {
  return h(
    "fieldset",
    {},
    h("legend", {}, capital(about || name)),
    h("div", { class: "segments" }, values.map((value) =>
      h("label", {}, h("input", { type: "radio", name, value, checked: options[name] === value, onchange: () => setOption(name, value) }), h("span", {}, capital(value))))),
  );
}

async function start(event) {
  event.preventDefault();
  const asked = Object.fromEntries(Object.entries(options).filter(([name, value]) => value !== chosen.options.find((o) => o.name === name).default));
  const seated = Object.fromEntries(seats().map((seat) => [seat, names[seat] || ""]));
  try {
    await post("games", { game: chosen.name, options: asked, names: seated, clock, markers: markers && chosen.markers });
    chosen = null;
  } catch (error) {
    toast(error.message);
  }
}
