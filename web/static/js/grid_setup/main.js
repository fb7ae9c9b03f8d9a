// The page that commissions and tests the sensor grid, for the arbiter alone.

import { get, reasonOf } from "../shared/api.js";
import { isArbiter, onlyArbiter } from "../shared/arbiter.js";
import { byId, html, showIfChanged } from "../shared/dom.js";
import { GridPage } from "./grid_page.js";

/** @import { Session } from "../shared/types.d.ts" */
/** @import { WiredGrid } from "./grid_page.js" */

const ASK_AGAIN_MS = 1000;

/**
 * Returns the grid as it is first seen. Until it is plugged in and answers, the page says what keeps it.
 * @returns {Promise<WiredGrid>}
 */
async function awaitGrid() {
  for (;;) {
    try {
      return await get("setup/grid");
    } catch (error) {
      const words = reasonOf(error);
      showIfChanged(byId("side"), words, () => [html("p", { class: "said", role: "status" }, words)]);
    }
    await new Promise((done) => setTimeout(done, ASK_AGAIN_MS));
  }
}

try {
  /** @type {Session} */
  const session = await get("session");
  if (isArbiter(session)) new GridPage(await awaitGrid()).start();
  else byId("side").replaceChildren(onlyArbiter(session, "grid", () => location.reload()));
} catch (error) {
  byId("side").textContent = reasonOf(error);
}
