// Boards without anything around them, for programs that broadcast: one (?board=Hall A/7), or those of a filter.

import { Hall } from "./hall.js";
import { Tiles } from "./tiles.js";

const TICK_MS = 100;

const hall = new Hall({ onBoards: receive, onConnection: () => {} });
const tiles = new Tiles(hall);
addEventListener("resize", layOut);
setInterval(() => tiles.tick(), TICK_MS);

/** @param {Set<string>} changed */
function receive(changed) {
  if (tiles.showNews(tiles.shown, changed)) layOut();
}

function layOut() {
  tiles.layOut(tiles.shown, innerWidth, innerHeight);
}
