// Filling in a pattern of an action: a piece of the stock for each site, their letters in the sites' order.

import { button, byId, capital, h, s } from "./dom.js";
import { say } from "./board.js";

export class Arrangement {
  constructor(state, entry, board, view, onReady) {
    Object.assign(this, { state, entry, board, view, onReady, chosen: {} });
    [this.piece] = entry.form.stock;
    this.draw();
  }

  left({ letter, number }) {
    return number - Object.values(this.chosen).filter((piece) => piece.letter === letter).length;
  }

  tap(place) {
    if (!this.entry.form.sites.includes(place)) return;
    const stood = this.chosen[place];
    delete this.chosen[place];
    if (stood !== this.piece && this.left(this.piece) > 0) this.chosen[place] = this.piece;
    if (this.left(this.piece) <= 0) this.piece = this.entry.form.stock.find((piece) => this.left(piece) > 0) || this.piece;
    this.draw();
  }

  fill() {
    const rest = this.entry.form.stock.flatMap((piece) => Array(this.left(piece)).fill(piece));
    for (const site of this.entry.form.sites) if (!this.chosen[site]) this.chosen[site] = rest.splice(Math.floor(Math.random() * rest.length), 1)[0];
    this.draw();
  }

  draw() {
    const { sites, stock } = this.entry.form;
    const own = Object.fromEntries(Object.entries(this.chosen).map(([site, { look }]) => [site, look]));
    const taps = Object.fromEntries(sites.map((site) => [site, `${site}: ${say(own[site] || "empty")}`]));
    this.view.draw({ pieces: { ...this.state.pieces, ...own }, marks: [{ kind: "can", sites: sites.filter((site) => !own[site]) }], taps });
    const missing = sites.length - Object.keys(own).length;
    byId("news").replaceChildren(h(
      "section",
      { class: "card correct arrange" },
      h("h2", {}, capital(this.state.prompt)),
      h("p", { class: "soft" }, "Tap a piece, then its place."),
      h("div", { class: "palette", role: "group", "aria-label": "Pieces" }, stock.map((piece) => this.#swatch(piece))),
      h("div", { class: "row" },
        button(missing ? `${missing} to go` : "Ready", () => this.submit(), { class: "button strong", disabled: missing > 0 }),
        missing > 0 && button("The rest by chance", () => this.fill()),
        button("Clear", () => ((this.chosen = {}), this.draw()))),
    ));
  }

  #swatch(piece) {
    const id = this.board.symbols[piece.look];
    const words = `${capital(piece.words)}, ${this.left(piece)} left`;
    return h(
      "button",
      { type: "button", class: "swatch", "aria-pressed": String(piece === this.piece), "aria-label": words, title: words, disabled: this.left(piece) <= 0, onclick: () => ((this.piece = piece), this.draw()) },
      id ? s("svg", { viewBox: "-.5 -.5 1 1" }, s("use", { href: `#${id}` })) : h("span", {}, piece.words),
      h("small", {}, `×${this.left(piece)}`),
    );
  }

  submit() {
    const { action, form } = this.entry;
    this.onReady(action.replace("?", form.sites.map((site) => this.chosen[site].letter).join("")));
  }
}
