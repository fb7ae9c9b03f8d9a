// The lower parts of the display's side: what was said, the counts, the moves and the sensors.

import { byId, html, showIfChanged } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { markMove, roundItems } from "../shared/move_list.js";
import { token } from "../shared/players.js";
import { capital } from "../shared/text.js";
import { sensorName, sourceWords } from "../shared/sensor_names.js";

/** @import { BoardData, Count, GameState, Player, SourceStatus } from "../shared/types.d.ts" */

/**
 * Returns the sentences on the last action, each once, and on the outcome where they do not tell it. Once the turn
 * has passed they tell all of it: the next player may have seen none of it.
 * @param {GameState} state
 */
export function sentences({ last, outcome, moves, to_act }) {
  const turn = last && last.player !== to_act && !outcome ? wordsBefore(last, moves) : [];
  const said = [...turn, ...(last?.words || [])];
  return [...new Set(outcome && !last?.tells_end ? [...said, outcome.words] : said)];
}

/**
 * Returns what the actions of the same turn before an action did.
 * @param {NonNullable<GameState["last"]>} last
 * @param {GameState["moves"]} moves
 */
function wordsBefore({ n, player }, moves) {
  const before = moves.slice(0, n - 1);
  const first = before.findLastIndex((move) => move.player !== player) + 1;
  return before.slice(first).map(({ words }) => words);
}

/** @param {GameState} state */
export function renderSaid(state) {
  const words = sentences(state);
  showIfChanged(byId("said"), words, () => words.map((sentence) => html("span", {}, `${sentence} `)));
}

/**
 * Leaves out the counts that are nought for everybody: they would push the news away.
 * @param {Count[]} counts
 */
export function tellingCounts(counts) {
  return counts.filter(({ values }) => Object.values(values).some((value) => value !== 0));
}

/**
 * Shows the counts of players as a table with a column for each, those of the turn as lines.
 * @param {GameState} state
 * @param {BoardData | null} board
 */
export function renderCounts(state, board) {
  const counts = tellingCounts(state.counts);
  showIfChanged(byId("counts"), [counts, board?.name], () => {
    const ofPlayers = counts.filter(({ values }) => Object.keys(values).some(Boolean));
    const ofTurn = counts.filter((count) => !ofPlayers.includes(count));
    return [ofPlayers.length > 0 && countTable(ofPlayers, board), ofTurn.map(countLine)];
  });
}

/**
 * @param {Count[]} counts
 * @param {BoardData | null} board
 */
function countTable(counts, board) {
  const players = [...new Set(counts.flatMap(({ values }) => Object.keys(values)))].filter(Boolean);
  const head = players.map((player) => html("th", { scope: "col" }, token(board, player)));
  const rows = counts.map((count) => {
    const cells = players.map((player) => html("td", {}, countValue(count, player)));
    return html("tr", {}, html("th", { scope: "row" }, capital(count.name)), cells);
  });
  return html("table", {}, html("thead", {}, html("tr", {}, html("td", {}), head)), html("tbody", {}, rows));
}

/** @param {Count} count */
function countLine(count) {
  const label = html("span", { class: "label" }, capital(count.name));
  return html("p", { class: "count" }, label, html("span", {}, countValue(count, "")));
}

/**
 * @param {Count} count
 * @param {Player} player '' for nobody
 */
function countValue({ values, total }, player) {
  if (!(player in values)) return [];
  return [html("b", {}, String(values[player])), total ? html("small", {}, `/${total}`) : null];
}

/** @type {ResizeObserver | null} */
let movesResized = null;

/**
 * Shows the moves by turn. The one that is shown stays in sight, whatever else the side has to show.
 * @param {GameState} state
 * @param {BoardData | null} board
 * @param {number} shown the move that is shown on the board
 * @param {(n: number) => unknown} onChoose
 */
export function renderMoves({ moves, game }, board, shown, onChoose) {
  const list = byId("moves");
  const options = { players: game.players, board, onChoose };
  const reveal = () => markMove(list, Number(list.dataset.shown));
  const isAnother = list.dataset.shown !== String(shown);
  list.dataset.shown = String(shown);
  if (showIfChanged(list, [moves, board?.name], () => roundItems(moves, options)) || isAnother) reveal();
  movesResized ||= new ResizeObserver(reveal);
  movesResized.observe(list);
}

/**
 * Shows how the sensors are; nobody knows that while the connection is lost.
 * @param {{ sources: SourceStatus[] }} state
 * @param {boolean} isConnected
 */
export function renderSources({ sources }, isConnected) {
  const item = (/** @type {SourceStatus} */ source) => {
    const lamp = html("span", { class: "lamp", "aria-hidden": "true" });
    const unknown = t("not known now");
    const name = sensorName(source.name, sources);
    const words = isConnected
      ? sourceWords(source, name)
      : t("{sensor}: {state}", { sensor: name, state: unknown });
    return html("li", { class: isConnected ? source.state : "unknown" }, lamp, html("span", {}, words));
  };
  showIfChanged(byId("sources"), [sources, isConnected], () => sources.map(item));
}
