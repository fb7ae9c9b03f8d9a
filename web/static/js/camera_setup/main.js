// The page that sets a camera up, for the arbiter alone.

import { get, reasonOf } from "../shared/api.js";
import { isArbiter, onlyArbiter } from "../shared/arbiter.js";
import { byId, html } from "../shared/dom.js";
import { listProfiles } from "./profiles.js";
import { CameraWizard } from "./wizard.js";
import { t } from "../shared/language.js";

/** @import { GameOffer, Session, TableState } from "../shared/types.d.ts" */

/** @param {string} words */
function refuse(words) {
  byId("steps").replaceChildren(html("p", { class: "said", role: "alert" }, words));
}

try {
  const answers = [get("session"), get("games"), get("state")];
  const [session, games, state] = /** @type {[Session, GameOffer[], TableState]} */ (
    await Promise.all(answers)
  );
  if (!session.bench) refuse(t("There is no camera here to set up: start with --source camera:0."));
  else if (isArbiter(session)) {
    const game = state.game?.name || games[0].name;
    const setUp = await get("setup/calibration");
    const unlearned = state.sources.find(
      (source) => source.state === "unlearned" && setUp.cameras.includes(source.name),
    );
    new CameraWizard(games, game, await listProfiles(), setUp, unlearned?.name).start();
  } else byId("steps").replaceChildren(onlyArbiter(session, "camera", () => location.reload()));
} catch (error) {
  refuse(reasonOf(error));
}
