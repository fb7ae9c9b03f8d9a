import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { BoardLoader } from "../../../web/static/js/display/board_loader.js";
import { gameState } from "./samples.js";

/** @import { BoardView } from "../../../web/static/js/shared/board_view.js" */

const FIRST = gameState({ number: 1 });
const SECOND = gameState({ number: 2 });

/** @type {((answer: Response) => void)[]} the requests that wait for an answer */
let waiting = [];

beforeEach(() => {
  waiting = [];
  globalThis.fetch = () => new Promise((answer) => waiting.push(answer));
});

function loaderWithLog() {
  /** @type {string[]} */
  const log = [];
  const view = /** @type {BoardView} */ (
    /** @type {unknown} */ ({ load: (/** @type {{ name: string }} */ { name }) => log.push(name) })
  );
  const loader = new BoardLoader(view, {
    onStart: () => log.push("start"),
    onFailure: () => log.push("failure"),
  });
  return { loader, log };
}

test("a game's board is loaded once", async () => {
  const { loader, log } = loaderWithLog();
  const loaded = loader.load(FIRST);
  waiting[0](Response.json({ name: "first" }));
  await loaded;
  await loader.load(FIRST);
  assert.deepEqual(log, ["start", "first"]);
});

test("a board that comes when another game has begun is not shown", async () => {
  const { loader, log } = loaderWithLog();
  const first = loader.load(FIRST);
  const second = loader.load(SECOND);
  waiting[1](Response.json({ name: "second" }));
  await second;
  waiting[0](Response.json({ name: "first" }));
  await first;
  assert.deepEqual(log, ["start", "start", "second"]);
});

test("a board that could not be loaded is asked for again", async () => {
  const { loader, log } = loaderWithLog();
  const failed = loader.load(FIRST);
  waiting[0](Response.json({ error: "busy" }, { status: 503 }));
  await failed;
  const loaded = loader.load(FIRST);
  waiting[1](Response.json({ name: "first" }));
  await loaded;
  assert.deepEqual(log, ["start", "failure", "start", "first"]);
});

test("a table without a game asks for no board", async () => {
  const { loader } = loaderWithLog();
  await loader.load({ state: "empty", game: null, sources: [], notice: "", clock: null, proposal: null });
  assert.equal(waiting.length, 0);
});
