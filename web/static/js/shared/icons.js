// Small line drawings before the words of buttons. They add nothing to the words: screen readers pass them over.

import { svg } from "./dom.js";

/** The lines of each icon, in a square of 24. */
const LINES = {
  turn: "M5 9a8 8 0 0 1 14 0M19 4v5h-5M19 15a8 8 0 0 1-14 0M5 20v-5h5",
  words: "M4 6h16M4 11h16M4 16h10",
  screen: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  copy: "M8 8h12v12H8ZM4 16V4h12",
  eye: "M2.5 12c4-7 15-7 19 0c-4 7-15 7-19 0ZM12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6Z",
  display: "M3 5h18v11H3ZM9 20h6M12 16v4",
  pen: "M4 20l1-5L16 4l4 4L9 19ZM14 6l4 4",
  new: "M12 5v14M5 12h14",
  draw: "M3 13l5-5l4 2l3-2l6 6M8 17l2 2M11 15l3 3M14 13l3 3M3 13l5 6",
  resign: "M6 21V4M6 4h12l-3 4l3 4H6",
  correct: "M4 8h16M4 16h16M9 5v6M15 13v6",
  rule: "M12 4v16M7 20h10M5 8h14M5 8l-3 6h6ZM19 8l-3 6h6Z",
  key: "M8 9a4 4 0 1 0 0 8a4 4 0 1 0 0-8ZM12 13h9M17 13v4M21 13v3",
  leave: "M10 4H4v16h6M9 12h12M17 8l4 4l-4 4",
  phone: "M7 3h10v18H7ZM11 18h2",
  camera: "M3 7h4l2-3h6l2 3h4v12H3ZM12 9a4 4 0 1 0 0 8a4 4 0 1 0 0-8Z",
  grid: "M4 4h16v16H4ZM4 9.3h16M4 14.6h16M9.3 4v16M14.6 4v16",
  games: "M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2ZM9 9h6M9 13h6",
  program: "M3 5h18v14H3ZM7 10l3 2.5L7 15M12.5 15.5H17",
  flag: "M6 22V3M6 3h13l-4 5l4 5H6",
  undo: "M9 6L4 11l5 5M4 11h10a5 5 0 0 1 0 10h-3",
  redo: "M15 6l5 5l-5 5M20 11H10a5 5 0 0 0 0 10h3",
  sound: "M4 9.5h4l5-4v13l-5-4H4ZM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  silent: "M4 9.5h4l5-4v13l-5-4H4ZM16.5 9.5l5 5M21.5 9.5l-5 5",
  clock: "M12 4a9 9 0 1 0 0 18a9 9 0 1 0 0-18ZM12 8v5l3 2M9 2h6",
  help: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18ZM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3q-1 .5-1 1.7M12 16.5v.5",
};

/** @typedef {keyof typeof LINES} IconName */

/** @param {IconName} name */
export function icon(name) {
  const attributes = { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" };
  return svg("svg", attributes, svg("path", { d: LINES[name] }));
}
