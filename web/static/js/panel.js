// The side of the display: whose turn, what was said, what is wrong, what is asked, counts, moves, sensors.

import { button, byId, capital, h, show } from "./dom.js";
import { nameOf, ownerOf, token } from "./words.js";

export function renderTurn(state, board) {
  const over = state.outcome;
  const player = over ? over.winner : state.to_act || state.turn;
  const owner = ownerOf(board, player);
  const element = byId("turn");
  element.style.setProperty("--paint", owner?.paint || "var(--panel)");
  element.style.setProperty("--on-paint", owner?.ink || "var(--ink)");
  element.dataset.over = over ? "yes" : "";
  show(element, [player, over, state.prompt, state.turn, state.head, state.state, board?.name], () => {
    if (!state.game) return [];
    const name = solo(state) && !state.head?.[player] ? "Your turn" : nameOf(state, player);
    const asked = !over && state.turn && state.to_act !== state.turn ? `${nameOf(state, state.turn)}’s turn` : "";
    return [
      player && token(board, player, "big"),
      h(
        "div",
        { class: "who" },
        h("strong", { class: "name", "data-long": name.length > 8 || Boolean(over) }, over ? ended(state, name) : name),
        h("span", { class: "prompt" }, over ? (solo(state) ? state.game.title : capital(over.reason)) : capital([state.prompt, asked].filter(Boolean).join(" · "))),
      ),
    ];
  });
}

const solo = (state) => state.game.players.length === 1;
const ended = (state, name) => (solo(state) ? (state.outcome.winner ? "Solved" : "Given up") : state.outcome.winner ? `${name} wins` : "Draw");

export function renderNews(state, board, { choices, more, onChoose, onAnswer, onBelieve, onOrder, refusal, onDismiss, mayAct, mayAnswer, handOver, onLook, advice, onAdvice, onFollow, asked, onDraw }) {
  const verdict = state.verdict || refusal;
  const own = !state.verdict && refusal;
  const failing = (state.sources || []).filter((source) => source.state === "lost" || source.state === "trouble");
  show(byId("news"), [verdict, state.question, state.offer, choices, more, failing, state.notice, mayAct, mayAnswer, handOver, advice, asked, board?.name, state.outcome?.words], () => [
    state.notice && h("p", { class: "notice" }, state.notice),
    state.offer && offerBox(state, asked, onDraw),
    failing.map(({ name, words }) => h("p", { class: "notice" }, `${capital(name)}: ${words || "trouble"}`)),
    verdict && verdictBox(verdict, own ? onDismiss : null, mayAct && !own ? onBelieve : null, mayAct && !own ? onOrder : null),
    state.question && questionBox(state, onAnswer, mayAnswer),
    advice && adviceBox(advice, onAdvice, onFollow),
    handOver && handOverBox(nameOf(state, handOver), onLook),
    choices.length > 0 && choiceBox(choices, more, onChoose),
  ]);
}

// A draw is offered; `asked` are those who may answer here. It is agreed once all have accepted.
function offerBox(state, asked, onDraw) {
  const { by, agreed = [] } = state.offer;
  const many = state.game.players.length > 2;
  const words = (player, two, more) => (many ? `${nameOf(state, player)} ${more}` : two);
  return h(
    "section",
    { class: "card question" },
    h("h2", {}, `${nameOf(state, by)} offers a draw.`),
    agreed.length > 0 && h("p", {}, `Agreed so far: ${agreed.map((player) => nameOf(state, player)).join(", ")}.`),
    asked.map((player) => h("div", { class: "choices" },
      button(words(player, "Accept draw", "accepts"), () => onDraw("accept", player), { class: "button strong" }),
      button(words(player, "Decline", "declines"), () => onDraw("decline", player)))),
  );
}

// Players with secrets share this tablet: the next one says when only they can see it.
function handOverBox(name, onLook) {
  return h(
    "section",
    { class: "card question" },
    h("h2", {}, `Pass the tablet to ${name}`),
    h("p", {}, "Only this player may see the screen now."),
    button(`Show ${name}’s pieces`, onLook, { class: "button strong" }),
  );
}

function verdictBox(verdict, onDismiss, onBelieve, onOrder) {
  const title = { refused: "Not allowed", restore: "Put it right", setup: "Set up the board", turn: "Not this player’s turn", unfinished: "The turn is not finished" };
  const rules = (verdict.breaks || []).map(({ rule, title: name, text }) =>
    h("li", {}, h("span", { class: "rule" }, `${rule} · ${name}`), h("span", {}, text)));
  const steps = (verdict.steps || []).map(({ words }, i) => h("li", { class: i ? "" : "now" }, words));
  return h(
    "section",
    { class: `card verdict ${verdict.kind}`, role: "alert" },
    h("h2", {}, title[verdict.kind] || "Please note", verdict.action && h("code", {}, verdict.action)),
    verdict.words && !(verdict.kind === "refused" && rules.length) && h("p", {}, verdict.words),
    rules.length > 0 && h("ul", { class: "rules" }, rules),
    steps.length > 0 && h("ol", { class: "steps" }, steps),
    onDismiss && button("All right", onDismiss),
    onOrder && button("Put it right for me", onOrder, { class: "button strong" }),
    onBelieve && button("The sensors are wrong", onBelieve, { class: "button quiet", title: "The board stands as it should" }),
  );
}

function questionBox(state, onAnswer, mayAnswer) {
  const { question } = state;
  return h(
    "section",
    { class: "card question" },
    h("h2", {}, nameOf(state, question.by), ": ", question.words),
    h("div", { class: "choices" }, question.choices.map((choice, i) =>
      button([h("b", { class: "number" }, String(i + 1)), capital(choice.words)], () => onAnswer(question, choice), { class: "button strong", disabled: !mayAnswer }))),
  );
}

function adviceBox(advice, onAdvice, onFollow) {
  const known = { true: "It can still be solved", false: "This can no longer be solved" }[advice.solvable];
  const more = advice.action && !advice.open;
  return h(
    "section",
    { class: "card choose advice", role: "status" },
    h("h2", {}, known || "Hint"),
    (advice.open || !advice.action) && advice.words !== `${known}.` && h("p", {}, capital(advice.words.replace(`${known}: `, ""))),
    h("div", { class: "row" },
      more && button("Show how to go on", () => onAdvice({ ...advice, open: true }), { class: "button strong" }),
      advice.open && button("Do it", () => onFollow(advice), { class: "button strong" }),
      button("Close", () => onAdvice(null))),
  );
}

function choiceBox(choices, more, onChoose) {
  return h(
    "section",
    { class: "card choose" },
    h("h2", {}, more ? "Tap where to, or" : "Which one?"),
    h("div", { class: "choices" }, choices.map((entry) => button(capital(entry.label), () => onChoose(entry), { class: "button strong" }))),
  );
}

export function renderSaid(state) {
  const told = state.last?.words || [];
  const ended = state.outcome && !told.some((sentence) => [" wins: ", " is drawn: ", "Solved"].some((said) => sentence.includes(said)));
  const words = ended ? [...told, state.outcome.words] : told;
  show(byId("said"), words, () => [...new Set(words)].map((sentence) => h("span", {}, `${sentence} `)));
}

// Counts of players as a table, a column for each; those of the turn as a line.
export function renderCounts(state, board) {
  show(byId("counts"), [state.counts, board?.name], () => {
    const counts = state.counts || [];
    const players = [...new Set(counts.flatMap(({ values }) => Object.keys(values)))].filter(Boolean);
    const own = counts.filter(({ values }) => Object.keys(values).some(Boolean));
    const value = (count, player) => (player in count.values ? [h("b", {}, String(count.values[player])), count.total ? h("small", {}, `/${count.total}`) : null] : []);
    return [
      own.length > 0 && h("table", {},
        h("thead", {}, h("tr", {}, h("td", {}), players.map((player) => h("th", { scope: "col" }, token(board, player))))),
        h("tbody", {}, own.map((count) => h("tr", {}, h("th", { scope: "row" }, capital(count.name)), players.map((player) => h("td", {}, value(count, player))))))),
      counts.filter((count) => !own.includes(count)).map((count) => h("p", { class: "count" }, h("span", { class: "label" }, capital(count.name)), h("span", {}, value(count, "")))),
    ];
  });
}

// The newest move stays in sight, whatever else the side has to show.
let followEnd = null;
const toEnd = (list) => (list.scrollTop = list.scrollHeight);

export function renderMoves(state, board) {
  const list = byId("moves");
  const changed = show(list, [state.moves, board?.name], () => (state.moves || []).map(({ n, player, action, words }, i, all) =>
    h(
      "li",
      { title: [words].flat().join(" "), class: i === all.length - 1 ? "latest" : "" },
      h("span", { class: "n" }, n),
      token(board, player),
      h("span", { class: "action" }, action),
    )));
  if (changed) toEnd(list);
  followEnd ||= new ResizeObserver(() => toEnd(list));
  followEnd.observe(list);
}

const SENSOR = { ok: "sees the board", hand: "a hand is in the way", moving: "something moves", trouble: "has trouble", lost: "lost" };

export function renderSources(state) {
  show(byId("sources"), state.sources, () => (state.sources || []).map(({ name, state: how, words }) =>
    h("li", { class: how }, h("span", { class: "lamp", "aria-hidden": "true" }), h("span", {}, `${name}: ${SENSOR[how] || how}`))));
}
