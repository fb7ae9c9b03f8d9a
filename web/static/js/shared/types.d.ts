/**
 * The shapes that several modules share, with those that the server sends (./wire.d.ts, made by .ci/declarations).
 * Only the type check reads this file; browsers never ask for it.
 */

import type {
  EmptyState as Empty,
  GameState,
  Look,
  Place,
  Player,
  Ply,
  StoredGame as Stored,
  StoredStart,
} from "./wire.d.ts";

export * from "./wire.d.ts";

export type Point = [x: number, y: number];

type Absent<T> = { [Name in keyof T]?: undefined };
/** The state of a table without a game: what only a game has may be asked for, and is absent. */
export type EmptyState = Empty & Absent<Omit<GameState, keyof Empty>>;
/** The state of one table, as the stream sends it. */
export type TableState = EmptyState | GameState;
/** The start of a stored game, which is no action, or one of its actions. */
export type StoredStep = StoredStart & Partial<Ply>;
export type StoredGame = Omit<Stored, "steps"> & { steps: StoredStep[] };

/** All that lies on a board's drawing. */
export interface BoardContents {
  pieces: Record<Place, Look>;
  /** Pieces drawn faintly: those that should come, or that stand astray. */
  ghosts?: Record<Place, Look>;
  marks?: Mark[];
  arrows?: Arrow[];
  /** The places that can be tapped, each with its words for a screen reader. */
  taps?: Record<Place, string>;
  /** The places whose pieces can be dragged. */
  drags?: Place[];
}

export interface Mark {
  kind: "label" | "last" | "check" | "broken" | "ask" | "chosen" | "target" | "can" | "guide";
  sites: Place[];
  words?: string;
}

export type Arrow = [from: Place, to: Place, kind: "guide" | "played" | "refused"];

/** Where a place lies in the camera's picture: its pixel, and how far right and down a step east and south lead. */
export type SeenPlace = [x: number, y: number, eastX: number, eastY: number, southX: number, southY: number];

/** Where the places of the board lie in the camera's picture; none while that is not known. */
export interface SeenPlaces {
  size: [width: number, height: number] | null;
  places: Record<Place, SeenPlace>;
}

/** What a camera learned of a board. */
export interface Profile {
  name: string;
  game: string;
  board: string;
  title: string;
  /** In seconds since 1970. */
  made: number;
  kept: boolean;
  used: boolean;
  /** That of the table's cameras which is read by it; '' for none, or where there is one camera without a name. */
  camera: string;
}

/** The camera's picture: trouble with it in words, its size, and where the board is found its corners and the
 * camera's place. */
export interface Aim {
  words: string;
  size: [width: number, height: number];
  corners: Point[];
  placement: Placement | null;
}

/** How the camera stands: its figures in words, and what to change, the most important first. */
export interface Placement {
  words: string;
  advice: PlacementAdvice[];
}

/** One thing to change about the camera's place. Directions are those of its picture. */
export interface PlacementAdvice {
  kind: "higher" | "lower" | "left" | "right" | "up" | "down" | "turn" | "flat" | "coarse";
  words: string;
  clockwise: boolean;
}

/** The result of learning: how many places were read, and those that look otherwise than they should. */
export interface Lesson {
  board: string;
  read: number;
  wrong: Place[];
}

export type Child = Node | string | number | false | null | undefined | "" | Child[];

type Value = string | number | boolean | null | undefined;

/** The attributes that the page's elements use, and their handlers. */
export interface Attributes<E> {
  [name: `aria-${string}` | `data-${string}`]: Value;
  accept?: Value;
  alt?: Value;
  autocapitalize?: Value;
  autocomplete?: Value;
  checked?: Value;
  class?: Value;
  cx?: Value;
  cy?: Value;
  d?: Value;
  disabled?: Value;
  "dominant-baseline"?: Value;
  download?: Value;
  "font-size"?: Value;
  form?: Value;
  height?: Value;
  lang?: Value;
  href?: Value;
  id?: Value;
  inputmode?: Value;
  loading?: Value;
  max?: Value;
  maxlength?: Value;
  min?: Value;
  name?: Value;
  opacity?: Value;
  placeholder?: Value;
  r?: Value;
  readonly?: Value;
  rel?: Value;
  required?: Value;
  role?: Value;
  rows?: Value;
  scope?: Value;
  selected?: Value;
  spellcheck?: Value;
  src?: Value;
  tabindex?: Value;
  "text-anchor"?: Value;
  title?: Value;
  transform?: Value;
  type?: Value;
  value?: Value;
  viewBox?: Value;
  width?: Value;
  x?: Value;
  y?: Value;
  /** Properties of CSS. */
  vars?: Record<string, string>;
  onchange?: (event: Event & { currentTarget: E }) => unknown;
  onclick?: (event: MouseEvent & { currentTarget: E }) => unknown;
  oninput?: (event: Event & { currentTarget: E }) => unknown;
  onkeydown?: (event: KeyboardEvent & { currentTarget: E }) => unknown;
  onsubmit?: (event: SubmitEvent & { currentTarget: E }) => unknown;
}
