// Testing and calibrating the sensor grid: a live map of how strongly each sensor feels, and the steps.

import { get, post } from "./api.js";
import { button, byId, capital, h, s, show } from "./dom.js";
import { isArbiter, onlyArbiter } from "./pin.js";

const EVERY = 600;
const RADIUS = 0.46;
const DONE = "✓";

class GridPage {
  constructor(found) {
    this.places = found.places;
    this.virtual = found.virtual;
    this.words = "Test the grid, or calibrate it from the empty board on.";
    this.busy = this.walking = false;
    this.#take(found);
    this.#layMap();
    byId("back").addEventListener("click", (event) => this.#leave(event));
    this.render();
    this.#next();
  }

  async #next() {
    if (document.visibilityState === "visible" && !this.busy && !this.walking)
      await get("setup/grid").then((found) => this.#take(found), (error) => (this.words = error.message));
    this.render();
    setTimeout(() => this.#next(), EVERY);
  }

  #take(found) {
    this.found = found;
    if (found.words) this.words = found.words;
  }

  async #do(step, body = {}, waiting = "Measuring: keep your hands off the board…") {
    if (this.busy) return false;
    this.busy = true;
    this.words = waiting;
    this.render();
    const went = await this.#ask(step, body);
    this.busy = false;
    this.render();
    return went;
  }

  async #ask(step, body) {
    try {
      const answer = await post(`setup/grid/${step}`, body);
      if (answer.spots) this.#take(answer);
      else this.words = answer.words;
      return true;
    } catch (error) {
      this.words = error.message;
      return false;
    }
  }

  // Play goes on at once, and not only when the grid was left alone for a while.
  async #leave(event) {
    event.preventDefault();
    this.walking = false;
    await post("setup/grid/end").catch(() => {});
    location.href = event.target.href;
  }

  // One moment of the walk after the other, until every site was visited or the player has enough.
  async walk() {
    this.walking = !this.walking;
    while (this.walking) {
      const went = await this.#do("walk", {}, this.words);
      if (!went || this.found.steps.walk === this.total) this.walking = false;
    }
    this.render();
  }

  get total() {
    return Object.keys(this.places).length;
  }

  magnets(on, off) {
    return post("setup/grid/magnets", { on, off }).catch((error) => (this.words = error.message));
  }

  #layMap() {
    const all = Object.values(this.places);
    const [xs, ys] = [0, 1].map((i) => all.map((at) => at[i]));
    const near = Math.min(...all.flatMap(([x, y], i) => all.slice(i + 1).map(([a, b]) => Math.hypot(a - x, b - y))));
    this.at = Object.fromEntries(Object.entries(this.places).map(([site, [x, y]]) => [site, [(x - Math.min(...xs)) / near, (Math.max(...ys) - y) / near]]));
    const size = [xs, ys].map((v) => (Math.max(...v) - Math.min(...v)) / near + 1.1);
    this.svg = s("svg", { viewBox: `-0.55 -0.55 ${size.join(" ")}`, role: "group", "aria-label": "The sensors of the board" });
    byId("map").replaceChildren(this.svg);
  }

  #spot([site, spot]) {
    const [x, y] = this.at[site];
    const share = spot.share === null ? null : Math.round(spot.share * 100);
    const percent = share === null ? "" : `${share} %`;
    const below = spot.verdict || percent;
    const words = [`${site} ${below}`.trim(), spot.verdict && percent, spot.felt ? "something stands here" : "empty"].filter(Boolean).join(", ");
    const tap = () => this.magnets(spot.felt ? [] : [site], spot.felt ? [site] : []);
    const acts = this.virtual ? { role: "button", tabindex: 0, onclick: tap, onkeydown: (event) => event.key === "Enter" && tap() } : { role: "img" };
    const reach = RADIUS * 0.7;
    return s(
      "g",
      { class: `spot ${spot.verdict ? "bad" : ""}`, transform: `translate(${x} ${y})`, "data-site": site, "aria-label": words, ...acts },
      s("circle", { class: "disc", r: RADIUS }),
      share !== null && s("circle", { class: "heat", r: RADIUS, opacity: Math.max(0, Math.min(0.75, (spot.share - 0.4) * 0.75)).toFixed(2) }),
      spot.felt && s("circle", { class: "felt", r: RADIUS - 0.02 }),
      spot.verdict && s("path", { class: "cross", d: `M${-reach} ${-reach}L${reach} ${reach}` }),
      s("text", { y: below ? -0.02 : 0.09 }, site),
      " ",
      s("text", { class: "share", y: 0.24 }, below),
    );
  }

  render() {
    const { spots, steps, board, sensor } = this.found;
    show(this.svg, spots, () => Object.entries(spots).map((entry) => this.#spot(entry)));
    show(byId("side"), [this.words, this.busy, this.walking, steps, spots], () => this.#steps(spots, steps, board, sensor));
  }

  #step(number, words, count, done, act, attributes = {}) {
    const label = [h("span", {}, `${number}. ${words}`), h("span", {}, done ? DONE : count)];
    return button(label, act, { class: "button step", disabled: this.busy || this.walking, ...attributes });
  }

  #steps(spots, steps, board, sensor) {
    const bad = Object.entries(spots).filter(([, spot]) => spot.verdict);
    const waits = this.busy || this.walking;
    const walked = `${steps.walk} of ${this.total}`;
    return [
      h("p", { class: "said", role: "status" }, this.words),
      bad.length > 0 && h("ul", { class: "bad" }, bad.map(([site, { verdict, advice }]) => h("li", {}, h("b", {}, `${site}: ${verdict}`), ` – ${advice}`))),
      h("h2", {}, "Test, in a few seconds"),
      button("The board as it is", () => this.#do("test", { stands: "" }), { class: "button", disabled: waits }),
      h("div", { class: "pair" },
        button("It is empty", () => this.#do("test", { stands: "empty" }), { class: "button", disabled: waits }),
        button("Every site is full", () => this.#do("test", { stands: "full" }), { class: "button", disabled: waits })),
      h("h2", {}, "Calibrate"),
      this.#step(1, "The board is empty", "", steps.empty > 0, () => this.#do("empty")),
      this.#step(2, "Every site has a piece", "", steps.full > 0, () => this.#do("full"), { disabled: waits || !steps.empty }),
      this.#step(3, this.walking ? "Enough: end the walk" : "Clear it, then move one piece over all sites", walked, steps.walk === this.total, () => this.walk(), { disabled: !steps.empty || (this.busy && !this.walking), "aria-pressed": String(this.walking) }),
      this.#step(4, "Keep the calibration", "", this.found.saved, () => this.#do("calibration", {}, "Keeping…"), { class: "button step strong", disabled: waits || !(steps.full || steps.walk) }),
      steps.empty > 0 && button("Stop without keeping anything", () => this.#do("end", {}, "…"), { class: "button quiet", disabled: waits }),
      this.virtual && h("h2", {}, "This grid is virtual: tap a site for a magnet"),
      this.virtual && h("div", { class: "pair" },
        button("Magnets on all sites", () => this.magnets(Object.keys(this.places), []), { class: "button quiet" }),
        button("Take all magnets off", () => this.magnets([], Object.keys(this.places)), { class: "button quiet" })),
      h("p", { class: "soft" }, `${capital(board)}, ${sensor}. The fuller a disc, the stronger the sensor feels its magnet: 100 % is usual. A blue ring: something is felt there now.`),
    ];
  }
}

try {
  const session = await get("session");
  if (isArbiter(session)) new GridPage(await get("setup/grid"));
  else byId("side").replaceChildren(onlyArbiter(session, "sets the grid up", () => location.reload()));
} catch (error) {
  byId("side").textContent = error.message;
}
