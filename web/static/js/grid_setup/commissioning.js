// Commissioning on the page: what to do now, what was heard, and at its end the sheet.

import { button, html } from "../shared/dom.js";
import { t, tn } from "../shared/language.js";
import { capital, formatMoment, formatShare } from "../shared/text.js";

/** @import { Child, GridCommissioning, GridFinding, GridSheet, Place } from "../shared/types.d.ts" */

/** What a tap on the map means: a magnet (of a virtual grid), the next site, the lamp's place, a dark lamp. */
/** @typedef {"magnet" | "ask" | "lamp" | "dark" | ""} TapMeaning */

/**
 * What the panel of buttons can do.
 * @typedef {object} Deeds
 * @property {(deed: string) => unknown} act does a step at the server
 * @property {(meaning: TapMeaning) => unknown} mean says what the next tap on the map means
 * @property {(map: boolean) => unknown} keep keeps what was learned
 * @property {(site: Place) => unknown} ask asks for a site
 * @property {() => unknown} begin begins anew
 * @property {() => unknown} end goes back to the test
 */

const KEYS = /** @type {const} */ ({ n: "silent", s: "skip", b: "back" });
const TAP_WORDS = {
  magnet: "",
  ask: t("Tap a site to be asked for that one next."),
  lamp: t("Tap the site where the lamp shines."),
  dark: t("Tap the lamps that are dark."),
  "": "",
};

/**
 * Returns the step that a key stands for, where it stands for one now.
 * @param {string} key
 * @param {GridCommissioning} work
 */
export function deedOfKey(key, work) {
  const deed = KEYS[/** @type {keyof typeof KEYS} */ (key.toLowerCase())];
  return work.stage === "walk" && !work.lost ? deed : undefined;
}

/**
 * Returns what a tap means where nothing else was chosen.
 * @param {GridCommissioning} work
 * @returns {TapMeaning}
 */
export function usualMeaning({ stage, magnets }) {
  if (stage === "lamps") return "dark";
  if (stage === "sheet") return "ask";
  if (magnets) return "magnet";
  return stage === "walk" ? "ask" : "";
}

/**
 * Returns the content of the side.
 * @param {GridCommissioning} work
 * @param {TapMeaning} meaning
 * @param {number} count of the sites
 * @param {Deeds} deeds
 * @param {string} refusal why the last step was refused; '' when it was not
 * @returns {Child[]}
 */
export function panel(work, meaning, count, deeds, refusal) {
  const kinds = { empty: emptyButtons, lamps: lampButtons, walk: walkButtons, pieces: pieceButtons };
  const isBad = work.told > 0 && !work.good && work.stage === "walk";
  const refused = refusal && html("p", { class: "heard wrong", role: "alert" }, refusal);
  if (work.sheet) return [refused, sheet(work, work.sheet, deeds)];
  return [
    refused,
    html("p", { class: "said", role: "status" }, work.words),
    html("p", { class: `heard ${isBad ? "wrong" : ""}`, role: "status" }, work.said),
    TAP_WORDS[meaning] && html("p", { class: "soft" }, TAP_WORDS[meaning]),
    !work.lost && kinds[/** @type {keyof typeof kinds} */ (work.stage)](work, deeds),
    work.stage === "walk" && progress(work.done, count),
    button(t("Stop here; it can be gone on with"), deeds.end, { class: "button quiet" }),
  ];
}

/**
 * @param {number} done
 * @param {number} count
 */
function progress(done, count) {
  const words = tn("{done} of {n} site", "{done} of {n} sites", count, { done });
  return html("p", {}, html("progress", { max: count, value: done, "aria-label": words }), words);
}

/**
 * @param {GridCommissioning} work
 * @param {Deeds} deeds
 * @returns {Child[]}
 */
function emptyButtons(work, { act }) {
  const { suspects, measuring } = work;
  const measure = button(t("The board is empty: measure it"), () => act("empty"), {
    class: "button strong",
    disabled: measuring,
  });
  return [
    measure,
    suspects.length > 0 && !measuring && button(t("Nothing stands there: go on"), () => act("on")),
  ];
}

/**
 * @param {GridCommissioning} work
 * @param {Deeds} deeds
 * @returns {Child[]}
 */
function lampButtons({ lamp_test: test, dark }, { act }) {
  const isRun = test === "run";
  const shine = dark.length ? t("The others do") : t("Yes, all do");
  const yes = isRun ? t("Yes, it runs along the rows") : shine;
  const no = isRun ? t("No, it jumps") : t("No, they have another colour");
  return [
    dark.length > 0 && html("p", {}, t("Dark: {places}.", { places: dark.join(", ") })),
    html("div", { class: "pair" }, [
      button(yes, () => act("yes"), { class: "button strong" }),
      button(no, () => act("no")),
    ]),
    button(t("Leave the lamps out"), () => act("on"), { class: "button quiet" }),
  ];
}

/**
 * @param {GridCommissioning} work
 * @param {Deeds} deeds
 * @returns {Child[]}
 */
function walkButtons({ overdue, lamps, magnets }, { act, mean }) {
  const silent = { class: `button ${overdue ? "strong" : ""}`, "aria-keyshortcuts": "n" };
  return [
    button(t("It does not answer ({key})", { key: "N" }), () => act("silent"), silent),
    html("div", { class: "pair" }, [
      button(t("Back ({key})", { key: "B" }), () => act("back"), { "aria-keyshortcuts": "b" }),
      button(t("Skip ({key})", { key: "S" }), () => act("skip"), { "aria-keyshortcuts": "s" }),
    ]),
    lamps > 0 && button(t("Its lamp shines elsewhere…"), () => mean("lamp")),
    magnets && button(t("Ask for another site…"), () => mean("ask")),
    button(t("End the walk here"), () => act("on"), { class: "button quiet" }),
  ];
}

/**
 * @param {GridCommissioning} work
 * @param {Deeds} deeds
 * @returns {Child[]}
 */
function pieceButtons({ pieces }, { act }) {
  const words = pieces ? t("All pieces were tried: to the sheet") : t("Leave the pieces out: to the sheet");
  return [button(words, () => act("on"), { class: "button strong" })];
}

/**
 * @param {GridCommissioning} work
 * @param {GridSheet} found
 * @param {Deeds} deeds
 * @returns {Child[]}
 */
function sheet(work, found, deeds) {
  return [
    html("p", { class: "said", role: "status" }, found.verdict),
    html("h2", {}, t("Commissioned {moment}", { moment: formatMoment(new Date(found.when * 1000)) })),
    findings(found.findings),
    html(
      "ul",
      { class: "found" },
      found.right.map((words) => html("li", {}, `✓ ${words}`)),
    ),
    found.untried.length > 0 && untried(found.untried, deeds),
    Object.keys(found.wires).length > 0 && wires(found.wires),
    keepButtons(work, found, deeds),
    facts(found),
    html("div", { class: "pair" }, [
      button(t("Print this sheet"), () => print()),
      button(t("Begin anew"), deeds.begin),
    ]),
    button(t("To the test"), deeds.end, { class: "button quiet" }),
  ];
}

/** @param {GridFinding[]} found */
function findings(found) {
  const item = (/** @type {GridFinding} */ { words, advice, mended }) =>
    html("li", {}, html("b", {}, words), " ", mended ? t("Known, and made up for.") : `${capital(advice)}.`);
  return found.length ? html("ul", { class: "bad" }, found.map(item)) : null;
}

/**
 * @param {Place[]} sites
 * @param {Deeds} deeds
 * @returns {Child[]}
 */
function untried(sites, { ask }) {
  return [
    html("p", {}, t("Not tried: {places}.", { places: sites.join(", ") })),
    button(t("Try {place} and what follows", { place: sites[0] }), () => ask(sites[0])),
  ];
}

/**
 * Puts exchanges of wires in words: those of two sites as pairs.
 * @param {Record<Place, Place>} map
 */
export function wireWords(map) {
  const words = Object.entries(map).flatMap(([wire, end]) => {
    if (map[end] !== wire) return [`${wire} → ${end}`];
    return wire < end ? [`${wire} ↔ ${end}`] : [];
  });
  return words.join(", ");
}

/** @param {Record<Place, Place>} map */
function wires(map) {
  return html("p", {}, html("b", {}, t("The wires as they are soldered:")), " ", wireWords(map));
}

/**
 * @param {GridCommissioning} work
 * @param {GridSheet} found
 * @param {Deeds} deeds
 * @returns {Child[]}
 */
function keepButtons({ saved }, found, { keep }) {
  if (saved) return [html("p", {}, html("b", {}, t("Kept: the grid uses it from now on.")))];
  if (!Object.keys(found.wires).length) {
    return [button(t("Keep this calibration"), () => keep(false), { class: "button strong" })];
  }
  return [
    button(t("Keep it, with the map of the wires"), () => keep(true), { class: "button strong" }),
    button(t("Keep it, with the wires as in the table"), () => keep(false)),
  ];
}

/** @param {GridSheet} found */
function facts({ facts: known, weakest }) {
  const weak = weakest.map(([site, share]) => `${site} ${formatShare(share)}`).join(", ");
  const all = weak ? [...known, [t("Weakest"), weak]] : known;
  return html(
    "dl",
    { class: "facts" },
    all.map(([name, value]) => [html("dt", {}, name), html("dd", {}, value)]),
  );
}
