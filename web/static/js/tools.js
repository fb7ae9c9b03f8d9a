// What one can do besides moving: undo, redo, draw, resign, and all that is under More.

import { post, Refusal } from "./api.js";
import { button, byId, capital, h, show } from "./dom.js";
import { awakeWords } from "./awake.js";
import { canSpeak, isOn, setSound } from "./sound.js";
import { ASK, askPin, isArbiter } from "./pin.js";
import { closeSheet, confirm, openSheet, toast } from "./sheet.js";
import { say } from "./board.js";
import { last, nameOf } from "./words.js";

export function attempt(path, body) {
  return post(path, body).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    toast(error.message);
    return null;
  });
}

export function renderTools(state, session, board, page) {
  const acts = session.role !== "spectator";
  const playing = state.state === "playing" || state.state === "setup";
  const player = session.seat || state.to_act;
  const key = [acts, state.state, player, state.offer, state.can_redo, mayUndo(state, session), page.placeless, page.turned, page.showing, session.seat, session.secrets, isOn(), state.game?.name, session.role];
  show(byId("tools"), key, () => [
    acts && playing && page.placeless.filter(({ form }) => !form).map((entry) => button(capital(entry.label), () => entry.action.includes("?") ? writeAction(state, page, entry.action.replace("?", "")) : page.submit(entry.action), { class: "button strong" })),
    acts && mayUndo(state, session) && button("Undo", () => attempt("takebacks", { count: 1 })),
    acts && state.can_redo && button("Redo", () => attempt("redos")),
    acts && state.state === "over" && session.role !== "seat" && button("New game", () => page.newGame(), { class: "button strong" }),
    acts && playing && state.game?.hints && button("Hint", () => page.hint()),
    page.tabletop && button(page.showing === "table" ? "Diagram" : "Table", () => page.show(page.showing === "table" ? "board" : "table")),
    session.role === "home" && session.secrets && session.seat && state.state !== "over" && button(`Cover ${nameOf(state, session.seat)}’s pieces`, () => page.look("")),
    button(isOn() ? "Sound off" : "Sound", () => (setSound(!isOn()), page.render()), { "aria-pressed": String(isOn()) }),
    button("More", () => more(state, session, board, page)),
  ]);
}

// A seat takes back its own action, and no result that was ruled or agreed.
const mayUndo = (state, { role, seat }) => state.can_undo && (role !== "seat" || (!state.ruled && last(state.moves)?.player === seat));

const players = (state) => state.game?.players || [];
const inGame = (state) => state.playing || [];

function more(state, session, board, page) {
  const acts = session.role !== "spectator";
  const arbiter = isArbiter(session);
  const playing = state.game && state.state !== "over";
  const seats = inGame(state).filter((player) => !session.seat || player === session.seat);
  const item = (words, action, attributes) => button(words, () => (closeSheet(), action()), { class: "button wide", ...attributes });
  openSheet(
    state.game ? state.game.title : "Board Companion",
    state.game && item(page.turned ? "Turn the board back" : "Turn the board round", () => page.turnBoard()),
    acts && playing && seats.length > 1 || (acts && playing && session.seat)
      ? seats.flatMap((player) => [
          !state.offer && inGame(state).length > 1 && item(`${nameOf(state, player)} offers a draw`, () => attempt("draws/offer", { player })),
          inGame(state).length === 2 && item(`${nameOf(state, player)} resigns`, () => confirm("Resign?", `${nameOf(state, player)} gives the game up.`, "Resign", () => attempt("resignations", { player }))),
        ])
      : null,
    session.role === "home" && session.secrets && playing && players(state).filter((player) => player !== session.seat).map((player) => item(`Show ${nameOf(state, player)}’s pieces`, () => page.look(player))),
    arbiter && state.game && item("Correct the position", () => page.correct()),
    arbiter && playing && players(state).length > 1 && item("Rule the result", () => ruleResult(state)),
    arbiter && state.game && item("New game", () => confirm("New game?", "The game that is on is kept among the records.", "Choose a new game", () => page.newGame())),
    acts && playing && item("Write an action", () => writeAction(state, page)),
    state.game && item("The board in words", () => inWords(state)),
    (session.open || session.pin) && arbiter && state.game && item("Seats for phones", () => showSeats(state)),
    session.pin && !arbiter && item(ASK, () => askPin((given) => page.setSession(given))),
    (session.role === "arbiter" || session.seat) && item("Give up this role", () => attempt("session/leave").then(() => location.reload())),
    item("Full screen", () => document.documentElement.requestFullscreen?.()),
    session.bench && arbiter && h("a", { class: "button wide", href: "/setup" }, "Set up the camera"),
    session.grid && arbiter && h("a", { class: "button wide", href: "/setup/grid" }, "Set up the sensor grid"),
    h("a", { class: "button wide", href: "/records" }, "Earlier games"),
    h("p", { class: "soft" }, awakeWords()),
    !canSpeak && h("p", { class: "soft" }, "This browser cannot speak; it still makes tones."),
  );
}

// The arbiter ends the game: who has won, or nobody.
function ruleResult(state) {
  const ruled = (words, winner) => button(words, () => (closeSheet(), attempt("results", { winner })), { class: "button wide" });
  openSheet(
    "How does the game end?",
    players(state).map((player) => ruled(`${nameOf(state, player)} wins`, player)),
    ruled("Drawn", ""),
  );
}

function inWords(state) {
  const groups = {};
  for (const [place, look] of Object.entries(state.pieces)) (groups[say(look)] ||= []).push(place);
  openSheet(
    "The board in words",
    h("p", {}, `${nameOf(state, state.to_act)}: ${state.prompt}. ${last(state.moves)?.words ? `Last: ${[last(state.moves).words].flat().join(" ")}` : ""}`),
    h("dl", {}, Object.entries(groups).sort().map(([look, places]) => [h("dt", {}, capital(look)), h("dd", {}, places.sort().join(", "))])),
  );
}

export function writeAction(state, page, start = "") {
  const input = h("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "Action", value: start, required: true });
  const submit = (event) => {
    event.preventDefault();
    closeSheet();
    page.submit(input.value.trim());
  };
  openSheet("Write an action", h("p", { class: "soft" }, `${nameOf(state, state.to_act)}: ${state.prompt}.`), h("form", { class: "row", onsubmit: submit }, input, h("button", { type: "submit", class: "button strong" }, "Play")));
  input.focus();
}

function showSeats(state) {
  openSheet(
    "Scan a seat with a phone",
    h("p", { class: "soft" }, "The phone must be in the same network. A seat is given for this game."),
    h("div", { class: "seats" }, players(state).map((player) =>
      h("figure", {}, h("img", { src: `/api/v1/seats/${player}/qr.svg`, alt: `Code of ${player}’s seat` }), h("figcaption", {}, nameOf(state, player))))),
  );
}
