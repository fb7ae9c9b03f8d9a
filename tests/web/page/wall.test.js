import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange, perPage } from "../../../web/static/js/wall/arrangement.js";
import { isShown, readFilter, statesOf, writeFilter } from "../../../web/static/js/wall/filter.js";
import { formatDuration } from "../../../web/static/js/wall/words.js";

/** @import { Tile } from "../../../web/static/js/shared/wire.d.ts" */

const SCREENS = [
  [1920, 1000],
  [1280, 740],
  [800, 1200],
];

test("all tiles of a page fit, and are readable where they can be", () => {
  for (const [width, height] of SCREENS) {
    for (let count = 1; count <= 120; count++) {
      const { columns, rows, letter, edge } = arrange(count, width, height);
      assert.ok(columns * rows >= count);
      assert.ok(letter > 0 && edge > 0);
      const each = perPage(count, width, height);
      const page = arrange(each, width, height);
      assert.ok(each === 1 || page.letter >= width / 100, `${count} on ${width}`);
    }
  }
});

test("a hundred boards go on pages of equal size, four on one", () => {
  assert.equal(perPage(100, 1920, 1000), 20);
  assert.equal(perPage(100, 1280, 740), 20);
  assert.equal(perPage(4, 1920, 1000), 4);
  assert.equal(perPage(0, 1920, 1000), 1);
});

/** @type {Tile} */
const TILE = {
  name: "Hall A/7",
  site: "Hall A",
  board: "7",
  status: "online",
  number: 1,
  game: {
    name: "chess",
    title: "Schach",
    board: "chess",
    options: {},
    head: "chess",
    players: ["white", "black"],
  },
  head: { white: "Ann Ash", round: "3" },
  state: "playing",
  turn: "white",
  pieces: {},
  checked: [],
  last: null,
  broken: [],
  question: null,
  ending: null,
  ruled: false,
  clock: null,
  needs: [],
  address: "",
};
const CALM = statesOf(TILE, { isWaiting: false, isSilent: false });

test("a filter shows what it names", () => {
  const shown = [
    "",
    "game=chess",
    "round=3",
    "state=playing",
    "words=ann+a/7",
    "board=Hall+A/7",
    "state=odd",
  ];
  const hidden = ["game=magnet", "round=4", "state=waiting", "words=ann+b/7", "board=Hall+A/8"];
  for (const search of shown) assert.ok(isShown(readFilter(`?${search}`), TILE, CALM), search);
  for (const search of hidden) assert.ok(!isShown(readFilter(`?${search}`), TILE, CALM), search);
  const turkish = { ...TILE, head: { ...TILE.head, white: "Müller, Şükrü" } };
  for (const words of ["muller", "SUKRU", "müller"]) {
    assert.ok(isShown(readFilter(`?words=${words}`), turkish, CALM), words);
  }
  const waiting = statesOf(TILE, { isWaiting: true, isSilent: true });
  assert.deepEqual(waiting, ["playing", "waiting", "silent"]);
});

test("an address keeps its filter, and what else it had", () => {
  const search = "?game=chess&words=ann+ash&more=1";
  assert.deepEqual(readFilter(writeFilter(readFilter(search), search)), readFilter(search));
  assert.equal(writeFilter({ ...readFilter(search), game: "", words: "" }, search), "?more=1");
  assert.equal(writeFilter(readFilter(""), ""), "");
});

test("durations", () => {
  const written = [0, 59.9, 60, 185, 7300].map(formatDuration);
  assert.deepEqual(written, ["0 s", "59 s", "1:00", "3:05", "2 h"]);
});
