// Starts the wall's page.

import { byId } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { openSettings } from "../shared/settings_sheet.js";
import { Wall } from "./wall.js";

new Wall();
byId("settings").append(icon("display"));
byId("settings").addEventListener("click", () => openSettings(() => {}));
