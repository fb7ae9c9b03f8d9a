// Words with fields, and numbers of things, in English; a browser test says them in other languages.

import assert from "node:assert/strict";
import { test } from "node:test";

import { t, tn } from "../../../web/static/js/shared/language.js";

test("a sentence is said with its fields, and a field that is not given stays to be seen", () => {
  assert.equal(t("Pass the tablet to {player}", { player: "Red" }), "Pass the tablet to Red");
  assert.equal(t("{a} and {b}", { a: 1 }), "1 and {b}");
  assert.equal(t("{a} s of {b}", { a: 0.5, b: 1_200 }), "0.5 s of 1200");
});

test("a number of things has words for one and for many", () => {
  assert.equal(tn("{n} move", "{n} moves", 1), "1 move");
  assert.equal(tn("{n} move", "{n} moves", 0), "0 moves");
  assert.equal(tn("{player}: {n} move", "{player}: {n} moves", 2, { player: "Bo" }), "Bo: 2 moves");
});

test("decimals are written as the display's language writes them", async () => {
  const page = { documentElement: { lang: "de" }, getElementById: () => null };
  Object.assign(globalThis, { document: page });
  const address = "../../../web/static/js/shared/language.js?de";
  const german = await import(address);
  Reflect.deleteProperty(globalThis, "document");
  assert.equal(german.t("{a} s of {b}", { a: 0.5, b: 1_200 }), "0,5 s of 1200");
});
