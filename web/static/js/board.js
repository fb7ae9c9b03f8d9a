// A board drawn from its data, with pieces and marks laid on it, and the place under a finger.

import { s } from "./dom.js";

const LAYERS = ["under", "pieces", "over", "hits"];

export class BoardView {
  constructor(frame, onTap) {
    this.frame = frame;
    this.onTap = onTap;
    this.turned = false;
    this.data = null;
    this.shown = {};
    frame.addEventListener("pointerdown", (event) => (this.pressed = [event.clientX, event.clientY]));
    frame.addEventListener("pointerup", (event) => this.#release(event));
  }

  load(data) {
    this.data = data;
    const parsed = new DOMParser().parseFromString(data.svg, "image/svg+xml").documentElement;
    this.svg = document.importNode(parsed, true);
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", "Board");
    const box = this.svg.viewBox.baseVal;
    this.middle = [box.x + box.width / 2, box.y + box.height / 2];
    document.documentElement.style.setProperty("--board-ratio", box.width / box.height);
    this.whole = s("g");
    this.whole.append(...[...this.svg.children].filter((child) => child.tagName !== "defs"));
    this.svg.append(this.whole);
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, this.whole.querySelector(`g.${name}`)]));
    this.frame.replaceChildren(this.svg);
    this.turn(this.turned);
  }

  turn(turned) {
    this.turned = turned;
    if (!this.svg) return;
    const [x, y] = this.middle;
    this.whole.setAttribute("transform", turned ? `rotate(180 ${x} ${y})` : "");
    for (const text of this.whole.querySelectorAll(".wood text")) {
      const at = `${text.getAttribute("x")} ${text.getAttribute("y")}`;
      text.setAttribute("transform", turned ? `rotate(180 ${at})` : "");
    }
    if (this.shown.pieces) this.draw(this.shown);
  }

  // pieces: place -> look. marks: [{kind, sites, words?}]. arrows: [[from, to, kind]]. taps: place -> words.
  draw(shown) {
    this.shown = shown;
    if (!this.data) return;
    const { pieces = {}, ghosts = {}, marks = [], arrows = [], taps = {} } = shown;
    const over = marks.filter((mark) => mark.kind !== "last" && mark.kind !== "chosen");
    const under = marks.filter((mark) => mark.kind === "last" || mark.kind === "chosen");
    this.layers.under.replaceChildren(...under.flatMap((mark) => this.#mark(mark, pieces)));
    this.#drawPieces(pieces, ghosts);
    this.layers.over.replaceChildren(
      ...arrows.map((arrow) => this.#arrow(...arrow)).filter(Boolean),
      ...over.flatMap((mark) => this.#mark(mark, pieces)),
    );
    this.layers.hits.replaceChildren(...Object.entries(taps).filter(([place]) => this.data.places[place]).map(([place, words]) => this.#hit(place, words)));
  }

  #drawPieces(pieces, ghosts) {
    const all = [...Object.entries(pieces).map((p) => [...p, ""]), ...Object.entries(ghosts).map((p) => [...p, "ghost"])];
    const old = new Map([...this.layers.pieces.children].map((node) => [node.dataset.key, node]));
    const nodes = all.filter(([place, look]) => this.#spot(place) && look !== "empty").map(([place, look, kind]) => {
      const key = `${place} ${look} ${kind} ${this.turned}`;
      return old.get(key) || this.#piece(place, look, kind, key);
    });
    this.layers.pieces.replaceChildren(...nodes);
  }

  // A place, or the middle of the way from one site to another: c4-c5 holds a move marker.
  #spot(place) {
    const [a, b] = place.split("-").map((site) => this.data.sites[site]);
    return this.data.places[place] || (a && b && [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0]);
  }

  #piece(place, look, kind, key) {
    const [x, y, angle] = this.#spot(place);
    const upright = this.turned && place in this.data.sites ? 180 : 0;
    const node = s(
      "g",
      { class: `piece ${kind}`, transform: `translate(${x} ${y}) rotate(${angle + upright})`, "data-look": look, "data-place": place },
      ...look.split(/(?=\+)/).map((part, i, parts) => this.#use(part, i > 0 && parts[0] !== "" ? "translate(.22 -.22)" : "")),
      s("title", {}, `${place}: ${say(look)}`),
    );
    node.dataset.key = key;
    return node;
  }

  #use(look, transform) {
    const id = this.data.symbols[look];
    if (id) return s("use", { href: `#${id}`, transform });
    const words = look.replace("+", "").split("/").pop();
    return s(
      "g",
      { class: "unknown", transform },
      s("circle", { r: look.startsWith("+") ? 0.19 : 0.34 }),
      s("text", { "text-anchor": "middle", "dominant-baseline": "central", "font-size": 0.22 }, words.slice(0, 3)),
    );
  }

  #mark({ kind, sites, words }, pieces) {
    const full = Math.min(0.46, this.data.spacing * 0.5);
    return sites.filter((site) => this.data.places[site]).map((site) => {
      const [x, y] = this.data.places[site];
      const r = site in this.data.sites ? full : full * 0.55;
      const at = `translate(${x} ${y})` + (this.turned ? " rotate(180)" : "");
      const filled = kind === "target" && pieces[site] ? "take" : "";
      const shape = kind === "target" && !filled ? s("circle", { r: r * 0.36 }) : s("circle", { r });
      const sign = { broken: "M-.09-.09L.09.09M.09-.09L-.09.09" }[kind];
      return s(
        "g",
        { class: `mark ${kind} ${filled}`, transform: at, "data-site": site },
        shape,
        sign && s("g", { transform: `translate(${r * 0.78} ${-r * 0.78})` }, s("circle", { class: "disc", r: 0.17 }), s("path", { class: "sign", d: sign })),
        words && s("g", { transform: `translate(${r * 0.78} ${-r * 0.78})` }, s("circle", { class: "disc", r: 0.18 }), s("text", { class: "sign", "text-anchor": "middle", "dominant-baseline": "central", "font-size": 0.24 }, words)),
      );
    });
  }

  #arrow(from, to, kind) {
    const [a, b] = [this.data.places[from], this.data.places[to]];
    if (!a || !b) return null;
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (!length) return null;
    const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    const end = [b[0] - ux * 0.12, b[1] - uy * 0.12];
    const neck = [end[0] - ux * 0.3, end[1] - uy * 0.3];
    const wing = (side) => `${neck[0] - uy * 0.17 * side} ${neck[1] + ux * 0.17 * side}`;
    return s(
      "g",
      { class: `arrow ${kind}` },
      s("path", { class: "shaft", d: `M${a[0] + ux * 0.2} ${a[1] + uy * 0.2}L${neck[0]} ${neck[1]}` }),
      s("path", { class: "head", d: `M${end[0]} ${end[1]}L${wing(1)}L${wing(-1)}Z` }),
    );
  }

  #hit(place, words) {
    const [x, y] = this.data.places[place];
    const tap = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.onTap(place);
    };
    return s("circle", {
      class: "hit", cx: x, cy: y, r: this.data.spacing / 2, role: "button", tabindex: 0,
      "aria-label": words, "data-place": place, onkeydown: tap,
    });
  }

  #release(event) {
    if (!this.pressed || !this.svg) return;
    const moved = Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]);
    this.pressed = null;
    if (moved > 18) return;
    const place = this.at(event.clientX, event.clientY);
    if (place) this.onTap(place);
  }

  // The place under a point of the screen: the nearest one that can be tapped, else the nearest site.
  at(clientX, clientY) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.whole.getScreenCTM().inverse());
    const nearest = (names, reach) => {
      let best = null;
      for (const name of names) {
        const [x, y] = this.data.places[name];
        const far = Math.hypot(x - point.x, y - point.y);
        if (far < reach) [best, reach] = [name, far];
      }
      return best;
    };
    const wanted = Object.keys(this.shown.taps || {}).filter((place) => this.data.places[place]);
    return nearest(wanted, this.data.spacing * 0.55) || nearest(Object.keys(this.data.sites), this.data.spacing * 0.75);
  }
}

// A look in words: 'red/marked' is 'red, marked'; 'white+T' is 'white under T'.
export function say(look) {
  const [body, marker] = look.split("+");
  const words = body === "solver" ? "piece" : body.replace(/^solver\//, "").split("/").filter(Boolean).join(" ");
  if (!marker) return words;
  return words ? `${words}, marker ${marker} on it` : `marker ${marker}`;
}
