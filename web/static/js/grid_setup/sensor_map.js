// The map of the grid's sensors: the fuller a disc, the stronger a sensor feels its magnet.

import { showIfChanged, svg } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { formatShare } from "../shared/text.js";

/** @import { Place, Point, Spot } from "../shared/types.d.ts" */

// In distances of neighbouring sensors.
const RADIUS = 0.46;
const MARGIN = 0.55;
// Characters above which a word is written smaller.
const LONG = 7;

/**
 * Lays the sensors out for a drawing, in distances of the two nearest ones: the upper left one at (0, 0), y downwards.
 * @param {Record<Place, Point>} places in the board's own units, y upwards
 */
export function layOut(places) {
  const points = Object.values(places);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const unit = shortestDistance(points);
  /** @type {(entry: [Place, Point]) => [Place, Point]} */
  const moved = ([place, [x, y]]) => [place, [(x - left) / unit, (top - y) / unit]];
  return {
    spots: Object.fromEntries(Object.entries(places).map(moved)),
    width: (right - left) / unit,
    height: (top - bottom) / unit,
  };
}

/** @param {Point[]} points */
function shortestDistance(points) {
  const distances = points.flatMap(([x, y], i) =>
    points.slice(i + 1).map(([otherX, otherY]) => Math.hypot(otherX - x, otherY - y)),
  );
  return Math.min(...distances);
}

/**
 * Returns what is written below a sensor, and what a screen reader says of it.
 * @param {Place} place
 * @param {Spot} spot
 */
export function spotWords(place, { share, felt, verdict }) {
  const percent = share === null ? "" : formatShare(share);
  const below = verdict || percent;
  const stands = felt ? t("something stands here") : t("empty");
  const label = [`${place} ${below}`.trim(), verdict && percent, stands].filter(Boolean).join(", ");
  return { below, label };
}

/**
 * Returns how opaque a sensor's disc is: nothing below 40 % of the usual strength, at most three quarters.
 * @param {number} share of the usual strength
 */
export function heatOpacity(share) {
  return Math.max(0, Math.min(0.45, (share - 0.4) * 0.45)).toFixed(2);
}

export class SensorMap {
  /**
   * @param {Element} element
   * @param {Record<Place, Point>} places
   * @param {((place: Place) => unknown) | null} onTap where sensors can be tapped
   */
  constructor(element, places, onTap) {
    const { spots, width, height } = layOut(places);
    this.spots = spots;
    this.onTap = onTap;
    const viewBox = [-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN].join(" ");
    this.drawing = svg("svg", {
      viewBox,
      role: "group",
      "aria-label": t("The sensors of the board"),
    });
    element.replaceChildren(this.drawing);
  }

  /**
   * @param {Record<Place, Spot>} spots
   * @param {Place | null} asked the site that is asked for
   */
  show(spots, asked = null) {
    const focused = this.drawing.querySelector(":focus")?.getAttribute("data-site");
    const isChanged = showIfChanged(this.drawing, [spots, asked, Boolean(this.onTap)], () =>
      Object.entries(spots).map(([place, spot]) => this.#drawSpot(place, spot, place === asked)),
    );
    const again = isChanged && focused && this.drawing.querySelector(`[data-site="${CSS.escape(focused)}"]`);
    if (again instanceof SVGElement) again.focus();
  }

  /**
   * @param {Place} place
   * @param {Spot} spot
   * @param {boolean} isAsked
   */
  #drawSpot(place, spot, isAsked) {
    const { share, felt, verdict, tried } = spot;
    const [x, y] = this.spots[place];
    const { below, label } = spotWords(place, spot);
    const reach = RADIUS * 0.7;
    const attributes = {
      class: ["spot", verdict && "bad", isAsked && "asked", tried && !verdict && "right"]
        .filter(Boolean)
        .join(" "),
      transform: `translate(${x} ${y})`,
      "data-site": place,
      "aria-label": isAsked ? t("{label}, asked for", { label }) : label,
    };
    return svg(
      "g",
      { ...attributes, ...this.#handlers(place) },
      svg("circle", { class: "disc", r: RADIUS }),
      share !== null &&
        svg("circle", {
          class: "heat",
          r: RADIUS,
          opacity: heatOpacity(share),
        }),
      isAsked && svg("circle", { class: "wanted", r: RADIUS }),
      felt && svg("circle", { class: "felt", r: RADIUS - 0.02 }),
      verdict &&
        svg("path", {
          class: "cross",
          d: `M${-reach} ${-reach}L${reach} ${reach}`,
        }),
      svg("text", { y: below ? -0.02 : 0.09 }, place),
      " ",
      svg("text", { class: below.length > LONG ? "share long" : "share", y: 0.24 }, below),
    );
  }

  /** @param {Place} place */
  #handlers(place) {
    const { onTap } = this;
    if (!onTap) return { role: "img" };
    const tap = () => onTap(place);
    const onkeydown = (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && tap();
    return { role: "button", tabindex: 0, onclick: tap, onkeydown };
  }
}
