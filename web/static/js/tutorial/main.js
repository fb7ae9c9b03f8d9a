// The page that teaches one game: `/how-to-play/magnet`; `#MG-5` shows where that rule is taught.

import { sayWhy } from "../shared/attempt.js";
import { byId, html } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { TutorialView, loadTutorial } from "./tutorial.js";

const game = location.pathname.split("/").at(-1) || "";
const options = Object.fromEntries(new URLSearchParams(location.search));

async function show() {
  const loaded = await loadTutorial(game, options);
  const view = new TutorialView(loaded);
  const title = t("How to play {game}", { game: loaded.tutorial.title });
  document.title = title;
  const back = html("a", { class: "button", href: "/" }, t("Back"));
  byId("tutorial").replaceChildren(html("header", {}, html("h1", {}, title), back), view.element);
  addEventListener("beforeprint", () => view.drawStrips());
  const follow = () => view.showRule(decodeURIComponent(location.hash.slice(1)));
  addEventListener("hashchange", follow);
  follow();
}

show().catch(sayWhy);
