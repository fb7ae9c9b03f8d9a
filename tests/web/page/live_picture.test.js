import assert from "node:assert/strict";
import { test } from "node:test";

import { placeAtPixel, quartersTurned } from "../../../web/static/js/display/live_picture.js";

/** @import { SeenPlace } from "../../../web/static/js/shared/types.d.ts" */

/** Two squares of a board that a camera sees from the side: a step east leads down, one south to the left. */
/** @type {Record<string, SeenPlace>} */
const PLACES = { a1: [100, 50, 5, 40, -30, 2], b1: [105, 90, 5, 40, -30, 2] };

test("a tap belongs to the place whose square it lies in", () => {
  assert.equal(placeAtPixel(PLACES, [101, 52]), "a1");
  assert.equal(placeAtPixel(PLACES, [90, 60]), "a1");
  assert.equal(placeAtPixel(PLACES, [103, 75]), "b1");
  assert.equal(placeAtPixel(PLACES, [160, 50]), null);
  assert.equal(placeAtPixel({}, [100, 50]), null);
});

test("signs stand upright however the board lies in the picture", () => {
  const turned = [
    [40, 3],
    [-2, 40],
    [2, 40],
    [-40, 3],
    [-40, -3],
    [1, -40],
  ].map(quartersTurned);
  assert.deepEqual(
    turned.map((quarters) => (quarters + 4) % 4),
    [0, 1, 1, 2, 2, 3],
  );
});
