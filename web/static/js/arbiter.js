// The arbiter's correction: any look on any place, and whose turn it is; the rules say whether it can be.

import { post } from "./api.js";
import { button, byId, capital, h, s } from "./dom.js";
import { toast } from "./sheet.js";
import { nameOf } from "./words.js";
import { say } from "./board.js";

export class Correction {
  constructor(state, board, view, onEnd) {
    Object.assign(this, { board, view, onEnd, state, looks: { ...state.pieces }, turn: state.turn, look: state.game.palette.find((look) => look !== "empty") });
    this.refused = "";
    this.draw();
  }

  tap(place) {
    if (this.look === "empty" || this.looks[place] === this.look) delete this.looks[place];
    else this.looks[place] = this.look;
    this.draw();
  }

  draw() {
    const taps = Object.fromEntries(Object.keys(this.board.places).map((place) => [place, `${place}: ${say(this.looks[place] || "empty")}`]));
    this.view.draw({ pieces: this.looks, taps });
    this.card = h(
      "section",
      { class: "card correct" },
      h("h2", {}, "Correct the position"),
      h("p", { class: "soft" }, "Tap a piece, then its place."),
      h("div", { class: "palette", role: "group", "aria-label": "Pieces" }, ["empty", ...this.state.game.palette.filter((look) => look !== "empty")].map((look) => this.#swatch(look))),
      h("div", { class: "segments", role: "group", "aria-label": "Whose turn" }, this.#players().map((player) =>
        h("label", {}, h("input", { type: "radio", name: "turn", value: player, checked: player === this.turn, onchange: () => (this.turn = player) }), h("span", {}, `${nameOf(this.state, player)} to play`)))),
      this.refused && h("p", { class: "why", role: "alert" }, this.refused),
      h("div", { class: "row" },
        button("Done", () => this.submit(), { class: "button strong" }),
        button("Clear", () => ((this.looks = {}), this.draw())),
        button("Cancel", () => this.onEnd())),
    );
    byId("news").replaceChildren(this.card);
  }

  #players() {
    return this.state.game.players;
  }

  #swatch(look) {
    const id = this.board.symbols[look];
    const words = look === "empty" ? "Take away" : capital(say(look));
    return h(
      "button",
      { type: "button", class: "swatch", "aria-pressed": String(look === this.look), "aria-label": words, title: words, onclick: () => ((this.look = look), this.draw()) },
      id ? s("svg", { viewBox: "-.5 -.5 1 1" }, s("use", { href: `#${id}` })) : h("span", {}, words),
    );
  }

  async submit() {
    try {
      await post("corrections", { looks: this.looks, turn: this.turn, number: this.state.number, plies: this.state.moves.length });
      this.onEnd();
    } catch (error) {
      if (!this.card.isConnected) return; // its game ended meanwhile
      this.refused = error.message;
      toast("");
      this.draw();
    }
  }
}
