// Choosing a game: all that can be played here, their options, and the players' names.

import { get, post } from "./api.js";
import { button, byId, capital, h, show } from "./dom.js";
import { toast } from "./sheet.js";

const CLOCKS = [["", "None"], ["5", "5 min"], ["10+5", "10 min + 5 s"], ["15+10", "15 min + 10 s"], ["30", "30 min"]];

const MARKERS = [[false, "Kept by the companion"], [true, "Laid on the board, and checked"]];

let games = null;
let chosen = null;
let options = {};
let names = {};
let clock = "";
let markers = false;
let back = null;

export async function renderSetup(visible, mayAct, onBack) {
  if (!visible) return;
  back = onBack;
  try {
    games ||= await get("games");
  } catch (error) {
    return void toast(error.message);
  }
  draw(mayAct);
}

function draw(mayAct) {
  show(byId("setup"), [chosen?.name, options, mayAct, games.length, Boolean(back)], () => (chosen ? detail(mayAct) : cards()));
}

function cards() {
  return [
    h("header", {}, h("h1", {}, "What shall we play?"), back && button("Back to the game", back)),
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
  draw(true);
  scrollTo(0, 0);
}

function detail(mayAct) {
  return [
    h(
      "header",
      { class: "fixed" },
      button("All games", () => choose(null), { class: "button quiet" }),
      h("h1", {}, chosen.title),
      h("button", { type: "submit", form: "choices", class: "button strong", disabled: !mayAct }, "Start the game"),
    ),
    h(
      "div",
      { class: "detail" },
      h("img", { src: `/api/v1/boards/${chosen.name}.svg`, alt: `The board of ${chosen.title}` }),
      h(
        "form",
        { id: "choices", onsubmit: start },
        chosen.options.map(optionField),
        h("fieldset", {}, h("legend", {}, chosen.players.length === 1 ? "Player" : "Players"), seats().map((seat) =>
          h("label", { class: "seat" }, h("span", {}, chosen.players.length === 1 ? "You" : capital(seat)), h("input", { type: "text", maxlength: 40, autocomplete: "off", placeholder: "Name", value: names[seat], oninput: (event) => (names[seat] = event.target.value) })))),
        h("fieldset", {}, h("legend", {}, "Clock"), h("div", { class: "segments" }, CLOCKS.map(([value, words]) =>
          h("label", {}, h("input", { type: "radio", name: "clock", value, checked: clock === value, onchange: () => (clock = value) }), h("span", {}, words))))),
        chosen.markers && h("fieldset", {}, h("legend", {}, "Markers"), h("div", { class: "segments" }, MARKERS.map(([value, words]) =>
          h("label", {}, h("input", { type: "radio", name: "markers", value: String(value), checked: markers === value, onchange: () => (markers = value) }), h("span", {}, words))))),
        !mayAct && h("p", { class: "soft" }, "Only the arbiter starts a game: enter the PIN under More."),
      ),
    ),
  ];
}

function seats() {
  const other = Object.entries(options).map(([name, value]) => chosen.seats[`${name}=${value}`]).find(Boolean);
  return other || chosen.players;
}

function optionField({ name, values, about }) {
  return h(
    "fieldset",
    {},
    h("legend", {}, capital(about || name)),
    h("div", { class: "segments" }, values.map((value) =>
      h("label", {}, h("input", { type: "radio", name, value, checked: options[name] === value, onchange: () => ((options = { ...options, [name]: value }), draw(true)) }), h("span", {}, capital(value))))),
  );
}

async function start(event) {
  event.preventDefault();
  const asked = Object.fromEntries(Object.entries(options).filter(([name, value]) => value !== chosen.options.find((o) => o.name === name).default));
  try {
    await post("games", { game: chosen.name, options: asked, names, clock, markers: markers && chosen.markers });
    chosen = null;
  } catch (error) {
    toast(error.message);
  }
}
