// Runs on every page before it is first drawn: a theme that came later would flash.

import { applyTheme } from "../shared/theme.js";

applyTheme();
