import assert from "node:assert/strict";
import { test } from "node:test";

import { firstCorners, nearestWithin } from "../../../web/static/js/camera_setup/corners.js";
import { suggestedName } from "../../../web/static/js/camera_setup/profiles.js";
import { aimWords, boardsOf, wrongWords } from "../../../web/static/js/camera_setup/wizard_words.js";
import { deedOfKey, usualMeaning, wireWords } from "../../../web/static/js/grid_setup/commissioning.js";
import { heatOpacity, layOut, spotWords } from "../../../web/static/js/grid_setup/sensor_map.js";

/** @import { GridCommissioning, Place, Point } from "../../../web/static/js/shared/types.d.ts" */

test("a finger takes the nearest corner within reach", () => {
  const corners = firstCorners([100, 100]);
  assert.deepEqual(corners[0], [20, 80]);
  assert.equal(nearestWithin(corners, [75, 30], 20), 2);
  assert.equal(nearestWithin(corners, [50, 50], 20), null);
  assert.equal(nearestWithin([], [50, 50], 20), null);
});

test("the camera's words say whether the board is found, and what to do", () => {
  const corners = firstCorners([100, 100]);
  assert.match(aimWords({ words: "", corners }), /^The board is found\. Do the yellow/);
  assert.match(aimWords({ words: "it is dark", corners }), /^The board is found\. But: it is dark\. Do/);
  assert.match(aimWords({ words: "it is dark", corners: [] }), /^It is dark\. Move the camera/);
  assert.match(aimWords({}, "no connection"), /^No connection\. Move the camera/);
  assert.match(aimWords({}), /^The board is not found\. Move/);
});

test("of many places that are read wrongly, six are named", () => {
  assert.match(wrongWords(["a1", "a2"]), /: a1, a2\. Check/);
  assert.match(wrongWords(["a", "b", "c", "d", "e", "f", "g"]), /: a, b, c, d, e, f and more\. Check/);
});

test("each option with a board of its own can be set up for", () => {
  const game = {
    name: "draughts",
    title: "Draughts",
    line: "",
    board: "draughts",
    classic: true,
    options: [],
    players: [],
    markers: false,
    tutorial: true,
    seats: {},
  };
  assert.deepEqual(boardsOf({ ...game, boards: { "board=10": "draughts10" } }), [
    { text: "draughts", title: "Draughts" },
    { text: "draughts board=10", title: "Draughts, 10" },
  ]);
});

test("a suggested name is no longer than a name may be", () => {
  assert.match(suggestedName("Triune", 0), /^Triune, .*19(69|70)/);
  assert.equal(suggestedName("x".repeat(60), 0).length, 40);
});

test("sensors are laid out in distances of the nearest ones, y downwards", () => {
  /** @type {Record<Place, Point>} */
  const places = { a1: [10, 10], b1: [30, 10], a2: [10, 50] };
  const { spots, width, height } = layOut(places);
  assert.deepEqual(spots, { a1: [0, 2], b1: [1, 2], a2: [0, 0] });
  assert.deepEqual([width, height], [1, 2]);
});

test("a sensor tells its strength, and its fault before that", () => {
  const spot = { share: 0.954, felt: true, verdict: "", advice: "" };
  assert.deepEqual(spotWords("a1", spot), { below: "95%", label: "a1 95%, something stands here" });
  const weak = { ...spot, felt: false, verdict: "weak" };
  assert.deepEqual(spotWords("a1", weak), { below: "weak", label: "a1 weak, 95%, empty" });
  assert.deepEqual(spotWords("a1", { ...spot, share: null, felt: false }), { below: "", label: "a1, empty" });
});

test("a disc is fuller the stronger its sensor feels, within limits", () => {
  assert.equal(heatOpacity(0), "0.00");
  assert.equal(heatOpacity(1), "0.27");
  assert.equal(heatOpacity(9), "0.45");
});

test("exchanged wires are told as pairs, and rings as where each wire ends", () => {
  assert.equal(wireWords({}), "");
  assert.equal(wireWords({ b1: "a1", a1: "b1" }), "a1 ↔ b1");
  assert.equal(wireWords({ a1: "b1", b1: "c1", c1: "a1" }), "a1 → b1, b1 → c1, c1 → a1");
});

/**
 * @param {Partial<GridCommissioning>} given
 * @returns {GridCommissioning}
 */
function commissioning(given) {
  return {
    ...{
      stage: "walk",
      words: "",
      said: "",
      good: true,
      told: 0,
      asked: "a1",
      measuring: false,
      lost: false,
    },
    ...{ overdue: false, suspects: [], lamps: 0, lamp_test: "red", dark: [], done: 0, pieces: 0, spots: {} },
    ...{ magnets: null, sheet: null, saved: false },
    ...given,
  };
}

test("keys are for the walk alone, while the grid is there", () => {
  assert.equal(deedOfKey("n", commissioning({})), "silent");
  assert.equal(deedOfKey("S", commissioning({})), "skip");
  assert.equal(deedOfKey("b", commissioning({})), "back");
  assert.equal(deedOfKey("x", commissioning({})), undefined);
  assert.equal(deedOfKey("n", commissioning({ lost: true })), undefined);
  assert.equal(deedOfKey("n", commissioning({ stage: "lamps" })), undefined);
});

test("a tap means what the stage is about", () => {
  assert.equal(usualMeaning(commissioning({ stage: "lamps" })), "dark");
  assert.equal(usualMeaning(commissioning({})), "ask");
  assert.equal(usualMeaning(commissioning({ magnets: [] })), "magnet");
  assert.equal(usualMeaning(commissioning({ stage: "sheet" })), "ask");
  assert.equal(usualMeaning(commissioning({ stage: "empty" })), "");
});
