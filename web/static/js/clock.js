// Clocks run down here between two states; the table alone knows when time is up.

import { post } from "./api.js";
import { byId, h, show } from "./dom.js";
import { toast } from "./sheet.js";
import { nameOf, token } from "./words.js";

let clock = null;
let ahead = 0; // seconds by which the table's time of day is ahead of this device's

export function setTime(now) {
  ahead = now - Date.now() / 1000;
}

export function renderClock(state, board) {
  clock = state.clock;
  show(byId("clocks"), [Object.keys(clock?.left || {}), clock?.runs, clock?.paused, board?.name, state.head], () =>
    Object.keys(clock?.left || {}).map((player) =>
      h(
        player === clock.runs ? "button" : "div",
        {
          class: `clock ${player === clock.runs ? "runs" : ""} ${clock.paused ? "paused" : ""}`,
          ...(player === clock.runs && { type: "button", title: "Press: the turn is over", onclick: () => press() }),
        },
        token(board, player),
        h("span", { class: "label" }, nameOf(state, player)),
        h("b", { "data-clock": player }),
      )));
  tick();
}

// All of the turn stands on the board: the companion takes it from there.
async function press() {
  try {
    await post("turn-ends", {});
  } catch (error) {
    toast(error.message);
  }
}

function tick() {
  for (const element of byId("clocks").querySelectorAll("[data-clock]")) {
    const player = element.dataset.clock;
    const runs = player === clock.runs && !clock.paused;
    const used = runs ? Math.max(0, Date.now() / 1000 + ahead - clock.since - clock.delay) : 0;
    element.textContent = write(clock.left[player] - used);
  }
}

function write(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(left);
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}

setInterval(() => clock && document.visibilityState === "visible" && tick(), 100);
