// The page of earlier games: `/records` lists them, `/records#12/3` replays game 12 from its third step.

import { FORBIDDEN, Refusal, get, reasonOf } from "../shared/api.js";
import { isArbiter } from "../shared/arbiter.js";
import { byId } from "../shared/dom.js";
import { showClosedGame } from "./closed_game.js";
import { alarm, GameList } from "./game_list.js";
import { loadGame, Replay } from "./replay.js";

/** @import { BoardData, Session } from "../shared/types.d.ts" */

const gameList = new GameList();
/** @type {Replay | null} the game that is replayed, which hears the keys */
let replay = null;

/**
 * @param {number} number of the game
 * @param {number} [step]
 */
async function openReplay(number, step) {
  const game = await loadGame(number);
  const answers = [get(`records/${number}/board`), get("session")];
  const [board, session] = /** @type {[BoardData, Session]} */ (await Promise.all(answers));
  closeReplay();
  replay = new Replay(game, board, isArbiter(session));
  replay.show(byId("replay"), step);
}

function closeReplay() {
  replay?.stop();
  replay = null;
}

/** Shows what the address names. */
async function followAddress() {
  const [number, step] = location.hash.slice(1).split("/").map(Number);
  const isReplay = Boolean(number);
  document.body.classList.toggle("replaying", isReplay);
  for (const id of ["bar", "list", "foot"]) byId(id).hidden = isReplay;
  byId("replay").hidden = !isReplay;
  closeReplay();
  try {
    await (isReplay ? openReplay(number, step) : gameList.show());
  } catch (error) {
    if (isReplay && error instanceof Refusal && error.status === FORBIDDEN) {
      const session = /** @type {Session} */ (await get("session"));
      showClosedGame(byId("replay"), number, error.message, isArbiter(session));
      return;
    }
    byId("replay").hidden = true;
    for (const id of ["bar", "list"]) byId(id).hidden = false;
    if (isReplay) await gameList.show().catch(() => null);
    else byId("list").replaceChildren();
    byId("list").prepend(alarm(reasonOf(error)));
  }
}

addEventListener("keydown", (event) => replay?.pressKey(event));
addEventListener("hashchange", followAddress);
followAddress();
