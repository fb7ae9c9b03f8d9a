// Numbers of things in a language with other plurals than English: Polish has one, few and many.

import assert from "node:assert/strict";
import { test } from "node:test";

const FORMS = { "{n} move": ["{n} ruch", "{n} ruchy", "{n} ruchów"], Close: ["Zamknij"] };

/**
 * Loads the module as a page in a language does.
 * @param {string} lang
 * @param {object} catalogue
 * @returns {Promise<typeof import("../../../web/static/js/shared/language.js")>}
 */
async function speaking(lang, catalogue) {
  const page = {
    documentElement: { lang },
    getElementById: () => ({ textContent: JSON.stringify(catalogue) }),
  };
  Object.assign(globalThis, { document: page });
  try {
    return await import(`../../../web/static/js/shared/language.js?${lang}`);
  } finally {
    Reflect.deleteProperty(globalThis, "document");
  }
}

test("each number has the words of its category", async () => {
  const { tn } = await speaking("pl", FORMS);
  const said = [1, 2, 4, 5, 12, 22, 0].map((n) => tn("{n} move", "{n} moves", n));
  const expected = ["1 ruch", "2 ruchy", "4 ruchy", "5 ruchów", "12 ruchów", "22 ruchy", "0 ruchów"];
  assert.deepEqual(said, expected);
});

test("a language may count nought as one, or know one form alone", async () => {
  const french = await speaking("fr", { "{n} move": ["{n} coup", "{n} coups"] });
  assert.deepEqual(
    [0, 1, 2].map((n) => french.tn("{n} move", "{n} moves", n)),
    ["0 coup", "1 coup", "2 coups"],
  );
  const japanese = await speaking("ja", { "{n} move": ["{n} 手"] });
  assert.equal(japanese.tn("{n} move", "{n} moves", 3), "3 手");
});

test("what the catalogue lacks stays English, with English plurals", async () => {
  const { t, tn } = await speaking("pl-PL", FORMS);
  assert.equal(t("Close"), "Zamknij");
  assert.equal(t("Open"), "Open");
  assert.equal(tn("{n} piece", "{n} pieces", 1), "1 piece");
  assert.equal(tn("{n} piece", "{n} pieces", 22), "22 pieces");
});
