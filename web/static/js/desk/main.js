// Starts the page of the arbiter's desk.

import { byId } from "../shared/dom.js";
import { openSettings } from "../shared/settings_sheet.js";
import { Desk } from "./desk.js";

new Desk().begin();
byId("settings").addEventListener("click", () => openSettings(() => {}));
