// Opens the display, and keeps its shell for a tablet that is offline for a moment.

import { get } from "../shared/api.js";
import { byId } from "../shared/dom.js";
import { Display } from "./display.js";

const RELOAD_AFTER_MS = 3_000;

try {
  const display = new Display(await get("session"));
  display.wanted = new URLSearchParams(location.search).get("play") || "";
  display.start();
} catch {
  byId("lost").hidden = false;
  setTimeout(() => location.reload(), RELOAD_AFTER_MS);
  addEventListener("online", () => location.reload());
}
if ("serviceWorker" in navigator && window.isSecureContext) {
  navigator.serviceWorker.register("/sw.js").catch(() => {}); // refused where the certificate is not trusted
}
