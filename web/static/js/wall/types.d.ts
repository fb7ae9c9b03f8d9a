/**
 * What the wall's server sends (hall/wall/tile.py, hall/wall/routes/). Only the type check reads this file.
 */

import type { Clock, Look, Place, Player } from "../shared/types.d.ts";

/** A board of the hall. */
export interface Tile {
  /** Site and board: `Hall A/7`. */
  name: string;
  site: string;
  board: string;
  status: "online" | "offline" | "";
  number: number | null;
  game: { name: string; title: string; options: Record<string, string>; players: Player[] } | null;
  /** The players' names, the event and the round. */
  head: Record<string, string>;
  state: "empty" | "setup" | "playing" | "over";
  /** Whose turn it is; '' where nobody's. */
  turn: Player;
  pieces: Record<Place, Look>;
  checked: Place[];
  last: { n: number; written: string; player: Player; sites: Place[] } | null;
  refusal: { kind: string; action: string; rules: BrokenRule[]; sites: Place[] } | null;
  question: { id: number; by: Player; choices: { action: string; words: string }[] } | null;
  /** The player who offers a draw; '' for nobody. */
  offer: Player;
  ending: { winner: Player | null; words: string } | null;
  clock: Clock | null;
  needs: Need[];
  /** The board's page, as it says itself. */
  address: string;
}

export interface BrokenRule {
  rule: string;
  /** '' where this hall does not know the rule. */
  title: string;
}

/** Something that waits for a person, from `due` on. Times are seconds since 1970 by the server's clock. */
export interface Need {
  id: string;
  kind: "refused" | "question" | "flag" | "draw" | "silent" | "sensor" | "store";
  since: number;
  due: number;
  player: Player;
  action: string;
  rules: BrokenRule[];
  source: string;
  words: string;
}

/** How the hall is. */
export interface HallNotes {
  /** There is no broker now. */
  lost: boolean;
  /** The ids of needs that were ticked off. */
  seen: string[];
  /** The boards whose address the desk knows, and that address. */
  addresses: Record<string, string>;
  /** A number that changes with each ruling. */
  rulings: number;
}

/** What of a hall is shown. */
export interface Filter {
  game: string;
  round: string;
  state: string;
  words: string;
  board: string;
}
