// The arbiter's desk: what needs a person at any board, the newest first, and the board that was chosen.

import { tellRefusal, wakeSound } from "../display/sound.js";
import { get } from "../shared/api.js";
import { attempt } from "../shared/attempt.js";
import { isArbiter, pinButton } from "../shared/arbiter.js";
import { button, byId, elementOf, html, replaceContent, showIfChanged } from "../shared/dom.js";
import { t, tn } from "../shared/language.js";
import { Hall } from "../wall/hall.js";
import { formatDuration, needDetails, needWords } from "../wall/words.js";
import { Case } from "./case.js";
import { rulingLine } from "./ruling_words.js";

/** @import { Session } from "../shared/types.d.ts" */
/** @import { Waiting } from "../wall/hall.js" */

const TICK_MS = 500;

export class Desk {
  constructor() {
    /** @type {Session | null} */
    this.session = null;
    this.case = new Case(byId("case"), () => this.isArbiter);
    /** @type {Set<string> | null} the needs that were there before: others are heard */
    this.known = null;
    this.rulings = -1;
    this.hall = new Hall({
      onBoards: () => this.#receive(),
      onNotes: () => this.#receive(),
      onConnection: (isConnected) => (byId("lost").hidden = isConnected),
    });
  }

  /** Asks who is at the desk, and begins to show what waits. */
  async begin() {
    addEventListener("pointerdown", wakeSound);
    elementOf("ticked", HTMLInputElement).addEventListener("change", () => this.#tick());
    const boards = elementOf("boards", HTMLSelectElement);
    boards.addEventListener("change", () => this.#open(boards.value));
    setInterval(() => this.#tick(), TICK_MS);
    this.#setSession(await get("session"));
  }

  get isArbiter() {
    return this.session !== null && isArbiter(this.session);
  }

  /** @param {Session} session */
  #setSession(session) {
    this.session = session;
    replaceContent(
      byId("standing"),
      pinButton(session, (found) => this.#setSession(found)),
    );
    this.rulings = -1;
    this.case.redraw();
    this.#receive();
  }

  #receive() {
    byId("lost-broker").hidden = !this.hall.notes.lost;
    const names = this.hall.all.map(({ name }) => name);
    showIfChanged(byId("boards"), names, () =>
      ["", ...names].map((name) => html("option", { value: name, selected: name === this.case.name }, name)),
    );
    this.#tick();
    if (this.isArbiter && this.rulings !== this.hall.notes.rulings) this.#showRulings();
  }

  #tick() {
    const { hall } = this;
    const seen = new Set(hall.notes.seen);
    const withTicked = elementOf("ticked", HTMLInputElement).checked;
    const { waiting } = hall;
    const open = waiting.filter(({ need }) => !seen.has(need.id));
    const shown = withTicked ? waiting : open;
    const key = [shown.map(({ need }) => need), hall.notes.seen, this.case.name, this.isArbiter];
    showIfChanged(byId("needs"), key, () => shown.map((found) => this.#line(found, seen.has(found.need.id))));
    for (const element of document.querySelectorAll("[data-since]")) {
      element.textContent = formatDuration(hall.now - Number(element.getAttribute("data-since")));
    }
    byId("calm").hidden = shown.length > 0 || !hall.isKnown;
    byId("count").textContent = hall.isKnown && shown.length ? tn("{n} line", "{n} lines", shown.length) : "";
    this.#ring(open);
    const tile = hall.tiles.get(this.case.name);
    if (tile) this.case.show(tile, hall.now, hall.notes.addresses[tile.name] || "");
  }

  /**
   * Lets be heard what was not there before. What waited when the page was opened is not news.
   * @param {Waiting[]} open
   */
  #ring(open) {
    if (!this.hall.isKnown) return;
    const { known } = this;
    this.known = new Set(open.map(({ need }) => need.id));
    const fresh = known && open.find(({ need }) => !known.has(need.id));
    if (fresh) tellRefusal(`${fresh.tile.name}: ${needWords(fresh.tile, fresh.need)}`);
  }

  /**
   * @param {Waiting} waiting
   * @param {boolean} isSeen
   */
  #line({ tile, need }, isSeen) {
    const isChosen = tile.name === this.case.name;
    const marks = `case-line ${isChosen ? "chosen" : ""} ${isSeen ? "seen" : ""}`;
    const details = needDetails(need);
    return html(
      "li",
      { class: marks, "data-kind": need.kind },
      html(
        "button",
        { type: "button", class: "open", onclick: () => this.#open(tile.name) },
        html("b", {}, tile.name),
        html("span", { "data-since": need.since }),
        html("span", {}, needWords(tile, need)),
        details && html("small", {}, details),
      ),
      this.isArbiter &&
        button("✓", () => attempt("desk/ticks", { need: need.id, seen: !isSeen }), {
          class: "button tick",
          "aria-pressed": String(isSeen),
          "aria-label": t("Seen"),
        }),
    );
  }

  /** @param {string} name */
  #open(name) {
    if (!name) return;
    this.case.open(name);
    this.#tick();
  }

  async #showRulings() {
    this.rulings = this.hall.notes.rulings;
    /** @type {{ rulings: import("./ruling_words.js").Ruling[] }} */
    const { rulings } = await get("desk/rulings").catch(() => ({ rulings: [] }));
    byId("journal").hidden = rulings.length === 0;
    replaceContent(
      byId("rulings"),
      rulings.map((ruling) => html("li", {}, rulingLine(ruling))),
    );
  }
}
