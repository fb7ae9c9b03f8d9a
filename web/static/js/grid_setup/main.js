// The page that commissions and tests the sensor grid, for the arbiter alone.

import { get, reasonOf } from "../shared/api.js";
import { isArbiter, onlyArbiter } from "../shared/arbiter.js";
import { byId } from "../shared/dom.js";
import { GridPage } from "./grid_page.js";

/** @import { Session } from "../shared/types.d.ts" */

try {
  /** @type {Session} */
  const session = await get("session");
  if (isArbiter(session)) new GridPage(await get("setup/grid")).start();
  else byId("side").replaceChildren(onlyArbiter(session, "grid", () => location.reload()));
} catch (error) {
  byId("side").textContent = reasonOf(error);
}
