// Setting up a camera: the live picture, the board's corners on it, and what was learned.

import { get, post } from "./api.js";
import { button, byId, h } from "./dom.js";

const NAMES = ["south-west", "south-east", "north-east", "north-west"];
const PICTURE_EVERY = 400;
const REACH = 40; // pixels of the screen

class Wizard {
  constructor(games) {
    this.games = games;
    this.game = games[0].name;
    this.corners = [];
    this.moved = false;
    this.words = "Choose the game, put its board under the camera, then find the board.";
    this.lesson = null;
    this.busy = false;
    this.canvas = byId("picture");
    this.pen = this.canvas.getContext("2d");
    for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"])
      this.canvas.addEventListener(kind, (event) => this.#pointer(event));
    this.#next();
    this.render();
  }

  async #next() {
    if (document.visibilityState === "visible") await this.#fetch().catch(() => {});
    setTimeout(() => this.#next(), PICTURE_EVERY);
  }

  async #fetch() {
    const answer = await fetch("/api/v1/picture.jpg", { cache: "no-store" });
    if (!answer.ok) return;
    const picture = await createImageBitmap(await answer.blob());
    this.picture?.close();
    this.picture = picture;
    [this.canvas.width, this.canvas.height] = [picture.width, picture.height];
    this.draw();
  }

  draw() {
    if (!this.picture) return;
    const { pen, corners } = this;
    pen.drawImage(this.picture, 0, 0);
    if (corners.length < 4) return;
    const thick = this.canvas.width / 320;
    [pen.lineWidth, pen.strokeStyle, pen.fillStyle] = [thick * 1.5, "#ffe600", "#ffe600"];
    pen.beginPath();
    corners.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
    pen.stroke();
    pen.font = `bold ${thick * 9}px system-ui, sans-serif`;
    corners.forEach(([x, y], i) => {
      pen.beginPath();
      pen.arc(x, y, thick * 4, 0, 7);
      pen.stroke();
      pen.fillText(["SW", "SE", "NE", "NW"][i], x + thick * 6, y - thick * 4);
    });
  }

  #pixel(event) {
    const box = this.canvas.getBoundingClientRect();
    const scale = this.canvas.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale, scale];
  }

  #pointer(event) {
    const [x, y, scale] = this.#pixel(event);
    if (event.type === "pointerdown") {
      const far = this.corners.map(([cx, cy]) => Math.hypot(cx - x, cy - y));
      const nearest = far.indexOf(Math.min(...far));
      if (nearest < 0 || far[nearest] > REACH * scale) return;
      this.held = nearest;
      this.canvas.setPointerCapture(event.pointerId);
    }
    if (this.held === undefined) return;
    event.preventDefault();
    this.moved = true;
    this.corners[this.held] = [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
    const held = event.type === "pointerdown" || event.type === "pointermove";
    this.#magnify(held, x, y);
    if (!held) this.held = undefined;
    this.draw();
  }

  // Four times as large, beside the finger that hides it.
  #magnify(held, x, y) {
    const glass = byId("magnifier");
    glass.hidden = !held;
    if (!held || !this.picture) return;
    const pen = glass.getContext("2d");
    const part = 40;
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, glass.width, glass.height);
    pen.drawImage(this.picture, x - part / 2, y - part / 2, part, part, 0, 0, glass.width, glass.height);
    pen.strokeStyle = "#ffe600";
    pen.strokeRect(glass.width / 2 - 6, glass.height / 2 - 6, 12, 12);
  }

  async #do(path, body, then) {
    if (this.busy) return;
    this.busy = true;
    this.words = "Looking…";
    this.render();
    try {
      then(await post(`setup/${path}`, body));
    } catch (error) {
      this.words = error.message;
    }
    this.busy = false;
    this.render();
    this.draw();
  }

  find() {
    return this.#do("aim", { game: this.game }, ({ words, corners, size: [width, height] }) => {
      const found = corners.length === 4;
      this.moved = !found;
      this.corners = found ? corners : this.corners.length ? this.corners : [[0.2, 0.8], [0.8, 0.8], [0.8, 0.2], [0.2, 0.2]].map(([x, y]) => [x * width, y * height]);
      const first = found ? "The board is found: compare its corners." : `${words || "The board is not found"}. Drag the four corners to those of the board's field.`;
      this.words = found && words ? `${first} But: ${words}.` : first;
    });
  }

  keepEmpty() {
    return this.#do("empty", { game: this.game }, ({ words }) => (this.words = words));
  }

  learn() {
    return this.#do("calibration", this.moved ? { game: this.game, corners: this.corners } : { game: this.game }, (lesson) => {
      this.lesson = { ...lesson, at: Date.now() };
      this.words = lesson.wrong.length ? `Read otherwise than they stand: ${lesson.wrong.join(", ")}. Check the start position and the light, then try again.` : `All ${lesson.read} places are read right. The camera is set up.`;
    });
  }

  async take(event) {
    const [file] = event.target.files;
    if (!file) return;
    const profile = await file.text().then(JSON.parse).catch(() => null);
    if (!profile) this.words = "This file is no profile.";
    else return this.#do("profiles", { profile }, ({ board }) => (this.words = `The profile of the board ${board} is kept.`));
    this.render();
  }

  choose(game) {
    [this.game, this.corners, this.lesson] = [game, [], null];
    this.draw();
    this.render();
  }

  render() {
    const options = this.games.map(({ name, title }) => h("option", { value: name, selected: name === this.game }, title));
    const { board } = this.lesson || {};
    byId("steps").replaceChildren(
      h("p", { class: "said", role: "status" }, this.words),
      h("label", {}, h("span", { class: "soft" }, "1. The game"), h("select", { class: "button wide", onchange: (event) => this.choose(event.target.value) }, options)),
      button("2. Find the board", () => this.find(), { class: "button wide", disabled: this.busy }),
      button("The board is empty now (helps, may be left out)", () => this.keepEmpty(), { class: "button wide quiet", disabled: this.busy }),
      button("3. Learn from the start position", () => this.learn(), { class: "button wide strong", disabled: this.busy || this.corners.length < 4 }),
      h("p", { class: "soft" }, `Corners: ${NAMES.join(", ")} of the field, as the players of the board name them.`),
      ...(this.lesson ? [h("img", { class: "seen", src: `/api/v1/setup/seen.jpg?at=${this.lesson.at}`, alt: "What was read on the board" }), h("a", { class: "button wide", href: `/api/v1/setup/profiles/${board}` }, "Save the profile as a file")] : []),
      h("label", { class: "button wide quiet" }, "Load a profile from a file", h("input", { type: "file", class: "hidden", accept: ".json,application/json", onchange: (event) => this.take(event) })),
    );
  }
}

try {
  const [session, games] = await Promise.all([get("session"), get("games")]);
  const may = session.bench && (session.role === "arbiter" || session.role === "home");
  if (may) new Wizard(games);
  else byId("steps").textContent = session.bench ? "Only the arbiter sets the camera up: enter the PIN at the game." : "There is no camera here to set up: start with --source camera.";
} catch (error) {
  byId("steps").textContent = error.message;
}
