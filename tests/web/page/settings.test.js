import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {Record<string, string>} what the browser keeps */
const kept = {};
/** @type {any} */ (globalThis).localStorage = {
  getItem: (/** @type {string} */ key) => kept[key] ?? null,
  setItem: (/** @type {string} */ key, /** @type {string} */ value) => {
    kept[key] = value;
  },
};
let copies = 0;
/** Loads the module as a page does that is opened anew. */
const reopen = () =>
  /** @type {Promise<typeof import("../../../web/static/js/shared/settings.js")>} */ (
    import(`../../../web/static/js/shared/settings.js?${copies++}`)
  );

test("what was never chosen has its default", async () => {
  const { setting } = await reopen();
  assert.deepEqual(
    /** @type {const} */ (["view", "side", "sound", "theme"]).map((name) => setting(name)),
    ["auto", "south", "off", "auto"],
  );
});

test("what was chosen is there when the page is opened anew", async () => {
  (await reopen()).remember("sound", "tones");
  (await reopen()).remember("theme", "dark");
  const { setting } = await reopen();
  assert.equal(setting("sound"), "tones");
  assert.equal(setting("theme"), "dark");
});

for (const spoilt of ['{"theme":"pink"}', "{", "null", "7", '"words"']) {
  test(`a store that holds ${spoilt} gives the default`, async () => {
    kept["board-companion"] = spoilt;
    assert.equal((await reopen()).setting("theme"), "auto");
  });
}

test("where the browser keeps nothing, a setting holds until the page is left", async () => {
  /** @type {any} */ (globalThis).localStorage = undefined;
  const { remember, setting } = await reopen();
  remember("side", "north");
  assert.equal(setting("side"), "north");
});
