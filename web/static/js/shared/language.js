// The words of the page in the language of its display. The page brings the catalogue; English needs none.

/** @typedef {Record<string, string | number>} Fields */

/** The language of this display, as "en". Unit tests have no page, and speak English. */
export const language = globalThis.document?.documentElement.lang || "en";

/** The languages that the program speaks, by their codes. */
export const languages = (globalThis.document?.documentElement.dataset?.languages || "en").split(" ");

const YEAR_S = 365 * 24 * 3600;

/** CLDR's plural categories in the order in which gettext lists the forms of the languages that have them. */
const CATEGORIES = ["zero", "one", "two", "few", "many", "other"];

/** @type {Record<string, string[]>} */
const catalogue = JSON.parse(globalThis.document?.getElementById("catalogue")?.textContent || "{}");

const pluralRules = new Intl.PluralRules(language);
const categories = CATEGORIES.filter((name) =>
  pluralRules.resolvedOptions().pluralCategories.some((known) => known === name),
);

/**
 * Says a whole sentence, or a name, with its fields filled in: t("Pass the tablet to {player}", { player }).
 * @param {string} text
 * @param {Fields} [fields]
 */
export function t(text, fields = {}) {
  return fill(catalogue[text]?.[0] || text, fields);
}

/**
 * Says a number of things: tn("{n} move", "{n} moves", 3).
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Fields} [fields]
 */
export function tn(one, many, n, fields = {}) {
  const english = n === 1 ? one : many;
  const forms = catalogue[one];
  const words = forms ? forms[Math.min(categoryOf(n), forms.length - 1)] : english;
  return fill(words, { n, ...fields });
}

/**
 * Returns a language's name for itself: 'Deutsch'.
 * @param {string} code
 */
export function languageName(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) || code;
  return name[0].toLocaleUpperCase(code) + name.slice(1);
}

/**
 * Has this display speak another language from now on, which loads the page anew.
 * @param {string} code
 */
export function chooseLanguage(code) {
  document.cookie = `language=${code}; path=/; max-age=${YEAR_S}; samesite=lax`;
  location.reload();
}

/** @param {number} n */
function categoryOf(n) {
  return Math.max(categories.indexOf(pluralRules.select(n)), 0);
}

/**
 * @param {string} words
 * @param {Fields} fields
 */
function fill(words, fields) {
  return words.replace(/\{(\w+)\}/g, (field, name) => (name in fields ? written(fields[name]) : field));
}

/**
 * Writes a value: decimals as the reader's language does, and nothing between thousands.
 * @param {string | number} value
 */
function written(value) {
  return typeof value === "number" ? value.toLocaleString(language, { useGrouping: false }) : value;
}
