// The live picture of a real camera: small beside the diagram, and large in its place.

import { t } from "../shared/language.js";
import { LivePicture } from "./live_picture.js";

/** @import { BoardContents, BoardData, Place } from "../shared/types.d.ts" */

/** How often a picture is fetched: a small computer makes each of them beside its other work. */
const SMALL = { every: 2_000, isSmall: true };
const LARGE = { every: 500, isSmall: false };

export class CameraPicture {
  /**
   * @param {{ inset: HTMLElement, frame: HTMLElement }} homes where it is shown small, and large
   * @param {{ onTap: (place: Place) => unknown, onEnlarge: () => unknown }} handlers
   */
  constructor(homes, { onTap, onEnlarge }) {
    this.homes = homes;
    this.isLarge = false;
    const label = t("The board as the camera sees it");
    this.picture = new LivePicture(label, () => (this.isLarge ? LARGE : SMALL));
    homes.inset.append(this.picture.element);
    homes.inset.addEventListener("click", onEnlarge);
    homes.frame.addEventListener("click", (event) => {
      const place = this.picture.placeAt(this.picture.pixelAt(event));
      if (place) onTap(place);
    });
  }

  /**
   * Shows the picture where it belongs, with what lies on the board; nothing where the caller may not see it.
   * @param {{ isAllowed: boolean, isLarge: boolean }} where
   * @param {{ board: BoardData, contents: BoardContents } | null} shown
   */
  render({ isAllowed, isLarge }, shown) {
    const { inset, frame } = this.homes;
    inset.hidden = !isAllowed || isLarge;
    frame.hidden = !isAllowed;
    this.isLarge = isLarge;
    const home = isLarge ? frame : inset;
    if (this.picture.element.parentElement !== home) home.append(this.picture.element);
    this.picture.draw(shown);
  }
}
