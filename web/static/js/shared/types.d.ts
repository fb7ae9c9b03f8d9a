/**
 * The shapes that several modules share, with those that the server sends (./wire.d.ts, made by .ci/declarations).
 * Only the type check reads this file; browsers never ask for it.
 */

import type { Breach, EmptyState as Empty, GameState, Look, Outcome, Place, Player, Ply } from "./wire.d.ts";

export * from "./wire.d.ts";

export type Point = [x: number, y: number];

type Absent<T> = { [Name in keyof T]?: undefined };
/** The state of a table without a game: what only a game has may be asked for, and is absent. */
export type EmptyState = Empty & Absent<Omit<GameState, keyof Empty>>;
/** The state of one table, as the stream sends it. */
export type TableState = EmptyState | GameState;

/** Who the caller is, and what this server offers. */
export interface Session {
  role: "home" | "arbiter" | "seat" | "spectator";
  seat: Player;
  /** The seat's pieces begin in the north: its own display shows the board from there. */
  north: boolean;
  csrf: string;
  /** A PIN is set. */
  pin: boolean;
  /** The server is open to the network. */
  open: boolean;
  /** There is a virtual table. */
  table: boolean;
  /** There is a camera that can be set up. */
  bench: boolean;
  /** The camera can be exchanged. */
  eyes: boolean;
  /** There is a sensor grid. */
  grid: boolean;
  /** The players of this game know different things. */
  secrets: boolean;
}

/** A hint for a puzzle. */
export interface Advice {
  solvable: boolean | null;
  action: string | null;
  words: string;
}

/** A board with its drawing, in the drawing's own units. */
export interface BoardData {
  name: string;
  svg: string;
  /** The distance of neighbouring sites. */
  spacing: number;
  sites: Record<Place, Point>;
  /** What players call sites, where that is not as they are named here. */
  names: Record<Place, string>;
  /** Sites and places beside the board: x, y and the degrees by which a piece is turned there. */
  places: Record<Place, [x: number, y: number, angle: number]>;
  /** The id of each look's symbol in the drawing. */
  symbols: Record<Look, string>;
  /** Each look in words. */
  words: Record<Look, string>;
  owners: Owner[];
  /** What a double tap turns on the virtual table. */
  turns: "port" | "disc" | "";
}

/** A player's paint on this board, and the glyph drawn in it. */
export interface Owner {
  name: Player;
  paint: string;
  ink: string;
  glyph: string;
  path: string;
}

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

/** A game that can be chosen. */
export interface GameOffer {
  name: string;
  title: string;
  /** What the game is about, in one line; '' where nothing is known. */
  line: string;
  /** It is one of the games that other programs have a notation for: chess, draughts. */
  classic: boolean;
  /** Options (`name=value`) that have a board of their own. */
  boards: Record<string, string>;
  options: GameOption[];
  players: Player[];
  markers: boolean;
  /** How it is played can be shown. */
  tutorial: boolean;
  /** Options (`name=value`) that seat other players. */
  seats: Record<string, Player[]>;
}

export interface GameOption {
  name: string;
  values: string[];
  /** What each of the values means. */
  labels: string[];
  default: string;
  about: string;
}

/** The addresses at which other devices find the page, and may take seats. */
export interface Invitations {
  watch: string;
  /** Whether other devices reach the page at all. */
  reachable: boolean;
  /** The link of each seat, for those who may hand out seats. */
  seats: Record<Player, string>;
}

/** What a program comes in with. Dates are ISO 8601. */
export interface Token {
  id: string;
  name: string;
  scopes: string[];
  made: string;
  used: string | null;
}

/** A stored game as it is listed. */
export interface GameSummary {
  number: number;
  game: string;
  title: string;
  /** The options that were chosen, each in a few words. */
  variant: string[];
  /** How many moves it has, where players count so; null where they count actions. */
  moves: number | null;
  head: Record<string, string>;
  started: string | null;
  plies: number;
  result: string | null;
  /** Whether there is a picture of how it stands. */
  picture: boolean;
  /** Whether the disk damaged it: then it cannot be opened, unless `head.damaged` says what a repair lost. */
  damaged: boolean;
}

/** A stored game to be replayed. */
export interface StoredGame {
  number: number;
  title: string;
  head: Record<string, string>;
  players: Player[];
  steps: StoredStep[];
  /** The forms in which it can be exported. */
  forms: string[];
  /** Whose comments the caller writes; '' for nobody's. */
  author: string;
  outcome: Outcome | null;
  deleted: boolean;
  /** Whether there are steps after these. */
  more: boolean;
}

/** The start of a stored game, which is no action, or one of its actions. */
export interface StoredStep extends Partial<Ply> {
  /** The number of the round; 0 for the start. */
  round: number;
  pieces: Record<Place, Look>;
  checked: Place[];
  gone: Look[];
  /** The position as other programs write it; '' where there is no such way. */
  fen: string;
  /** The line of the log. */
  line: number;
  notes: { by: string; text: string; line: number }[];
  asides: { line: number; kind: string; words: string }[];
  /** The lines of the log that have a picture. */
  pictures: number[];
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

/** One sensor of the grid: `share` is 1 where a magnet is felt as strongly as usual. */
export interface Spot {
  share: number | null;
  felt: boolean;
  verdict: string;
  advice: string;
  /** Whether commissioning has tried it. */
  tried?: boolean;
}

/** The grid as it is now. */
export interface GridStatus {
  board: string;
  sensor: string;
  words: string;
  spots: Record<Place, Spot>;
  /** The map of the wires that is in use: those that end at another sensor than in the table. */
  wires: Record<Place, Place>;
}

/** One thing that commissioning has found; `mended` when nothing is to be done any more. */
export interface GridFinding {
  kind: string;
  words: string;
  advice: string;
  mended: boolean;
}

/** What commissioning has found; `when` is in seconds since 1970. */
export interface GridSheet {
  when: number;
  verdict: string;
  whole: boolean;
  facts: [name: string, value: string][];
  right: string[];
  findings: GridFinding[];
  weakest: [site: Place, share: number][];
  wires: Record<Place, Place>;
  untried: Place[];
}

/** How far the commissioning of the grid is: `told` counts what was `said`. */
export interface GridCommissioning {
  stage: "empty" | "lamps" | "walk" | "pieces" | "sheet";
  words: string;
  said: string;
  good: boolean;
  told: number;
  asked: Place | null;
  measuring: boolean;
  lost: boolean;
  overdue: boolean;
  suspects: Place[];
  lamps: number;
  lamp_test: "red" | "green" | "blue" | "run";
  dark: Place[];
  done: number;
  pieces: number;
  spots: Record<Place, Spot>;
  /** The sites of a virtual grid on which magnets are; null for a real one. */
  magnets: Place[] | null;
  sheet: GridSheet | null;
  saved: boolean;
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

/** A rule of the rulebook. */
export interface Rule {
  rule: string;
  title: string;
  text: string;
}

/** How a game is played. */
export interface Tutorial {
  game: string;
  title: string;
  goal: string;
  /** Where the board of the legend is described. */
  board: string;
  legend: LegendEntry[];
  asks: string[];
  rules: Rule[];
  topics: TutorialTopic[];
}

/** A piece or marker by its look, or a part of the board by a place there. */
export interface LegendEntry {
  words: string;
  look: Look | null;
  at: Place | null;
}

/** One thing to learn, frame by frame. */
export interface TutorialTopic {
  name: string;
  title: string;
  rules: string[];
  /** The kinds of action that it shows. */
  kinds: string[];
  /** The option (`name=value`) that it is for. */
  only: string | null;
  board: string;
  frames: TutorialFrame[];
}

/** The board after a step, or before the first one; `breaks` are the rules that a refused action would break. */
export interface TutorialFrame {
  words: string;
  pieces: Record<Place, Look>;
  path: Place[];
  breaks: Breach[];
}
