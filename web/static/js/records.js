// Earlier games: a list that can be searched, and each game replayed step by step.

import { get, post } from "./api.js";
import { BoardView } from "./board.js";
import { button, byId, capital, h } from "./dom.js";
import { token } from "./words.js";

let timer = 0;
let view = null;

async function list(words = "", offset = 0) {
  const { games, more } = await get(`records?words=${encodeURIComponent(words)}&offset=${offset}`);
  const items = games.map(entry);
  const next = more && h("li", {}, button("Show more", (event) => (event.target.closest("li").remove(), list(words, offset + games.length)), { class: "button wide" }));
  if (offset) byId("list").append(...items);
  else byId("list").replaceChildren(...(items.length ? items : [h("li", { class: "soft" }, words ? "No game holds these words." : "No games yet.")]));
  if (next) byId("list").append(next);
}

function entry(game) {
  const people = Object.entries(game.head).filter(([, name]) => name).map(([seat, name]) => `${name} (${seat})`).join(", ");
  const result = game.result === "draw" ? "drawn" : game.result ? `${capital(game.result)} won` : "not over";
  return h("li", {}, h(
    "a",
    { class: "button", href: `#${game.number}` },
    h("span", {}, `${capital(game.game.replace("_", " "))}${people ? ` · ${people}` : ""}`),
    h("span", { class: "when" }, `${game.plies} actions, ${result}`),
    h("span", { class: "when" }, game.started ? new Date(game.started).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : ""),
  ));
}

async function replay(number) {
  const [game, board, session] = await Promise.all([get(`records/${number}`), get(`records/${number}/board`), get("session")]);
  const frame = h("div", { class: "frame" });
  const words = h("p", { class: "said", "aria-live": "polite" });
  const moves = h("ol", { class: "moves" }, game.steps.slice(1).map((step, i) =>
    h("li", { onclick: () => go(i + 1) }, h("span", { class: "n" }, i + 1), token(board, step.player), h("span", {}, step.action))));
  view = new BoardView(frame, () => {});
  view.load(board);
  let at = game.steps.length - 1;
  const go = (n) => {
    at = Math.min(Math.max(n, 0), game.steps.length - 1);
    const step = game.steps[at];
    view.draw({ pieces: step.pieces, marks: [{ kind: "last", sites: step.sites || [] }] });
    words.textContent = (step.words || ["The start."]).join(" ");
    [...moves.children].forEach((item, i) => item.classList.toggle("latest", i === at - 1));
    moves.children[at - 1]?.scrollIntoView({ block: "nearest" });
  };
  const arbiter = session.role === "home" || session.role === "arbiter";
  const act = async (path, body) => {
    await post(path, body).catch((error) => (words.textContent = error.message));
    location.hash = "";
  };
  byId("replay").replaceChildren(
    frame,
    h(
      "div",
      { class: "steps-side" },
      h("h2", {}, game.title),
      words,
      h("div", { class: "row" },
        button("⏮", () => go(0), { "aria-label": "To the start" }),
        button("◀", () => go(at - 1), { "aria-label": "One step back" }),
        button("▶", () => go(at + 1), { "aria-label": "One step on" }),
        button("⏭", () => go(game.steps.length), { "aria-label": "To the end" })),
      moves,
      h("div", { class: "row" }, game.forms.map((form) => h("a", { class: "button", href: `/api/v1/records/${number}/export/${form}` }, `Save as ${form}`))),
      arbiter && h("div", { class: "row" },
        button("Go on with this game", () => act("openings", { number }).then(() => location.assign("/"))),
        button("Delete", () => act(`records/${number}/deletion`))),
      button("All games", () => (location.hash = "")),
    ),
  );
  go(at);
}

async function route() {
  const number = Number(location.hash.slice(1));
  byId("list").hidden = Boolean(number);
  byId("replay").hidden = !number;
  try {
    await (number ? replay(number) : list(byId("search").value));
  } catch (error) {
    byId("replay").hidden = true;
    byId("list").hidden = false;
    byId("list").replaceChildren(h("li", { class: "soft" }, error.message));
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
  timer = setTimeout(() => list(byId("search").value), 200);
});
addEventListener("hashchange", route);
route();
