// The picture of a camera that stands well over the board, for where the board is not seen.

import { html } from "./dom.js";
import { t } from "./language.js";

/** Shows how the camera stands well: words alone do not tell what "flat" or "cut off" means. */
export function howItShouldBe() {
  const alt = t(
    "How it should be: the camera high above one edge, the lamp on the other side, and the whole board in " +
      "the picture, with a margin.",
  );
  return html("img", { class: "start", src: "/static/pictures/camera_placement.svg", alt });
}
