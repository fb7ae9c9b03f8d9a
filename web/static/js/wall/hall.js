// The hall as this display knows it: the newest tile of each board, in the order of their names.

import { LiveStream } from "../shared/live_stream.js";

/** @import { HallNotes, TileNeed, Tile } from "../shared/wire.d.ts" */

const byName = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** A need, with the board that has it. @typedef {{ tile: Tile, need: TileNeed }} Waiting */

export class Hall {
  /**
   * @param {object} handlers
   * @param {(changed: Set<string>) => unknown} handlers.onBoards is called with the names of boards that changed
   * @param {() => unknown} [handlers.onNotes]
   * @param {(isConnected: boolean) => unknown} handlers.onConnection
   */
  constructor({ onBoards, onNotes = () => {}, onConnection }) {
    /** @type {Map<string, Tile>} */
    this.tiles = new Map();
    /** @type {HallNotes} */
    this.notes = { lost: false, seen: [], addresses: {}, rulings: 0 };
    /** Whether the boards have been told for the first time. */
    this.isKnown = false;
    /** The seconds by which the server's clock is ahead of this device's. */
    this.ahead = 0;
    this.stream = new LiveStream({
      on: {
        boards: (data) => onBoards(this.#take(data)),
        hall: (notes) => {
          this.notes = notes;
          onNotes();
        },
      },
      onTime: (seconds) => (this.ahead = seconds - Date.now() / 1000),
      onConnection,
    });
  }

  /** The server's time, in seconds since 1970. */
  get now() {
    return Date.now() / 1000 + this.ahead;
  }

  /** Returns the tiles in the order of their names. */
  get all() {
    return [...this.tiles.values()].sort((a, b) => byName.compare(a.name, b.name));
  }

  /**
   * Returns what waits for a person by now, the newest first.
   * @returns {Waiting[]}
   */
  get waiting() {
    const now = this.now;
    const all = this.all.flatMap((tile) => dueNeeds(tile, now).map((need) => ({ tile, need })));
    return all.sort((a, b) => b.need.due - a.need.due);
  }

  /**
   * @param {{ whole: boolean, gone: string[], boards: Tile[] }} data
   * @returns {Set<string>} the boards that are to be drawn again
   */
  #take({ whole, gone, boards }) {
    const changed = new Set([...gone, ...boards.map(({ name }) => name)]);
    if (whole) {
      for (const name of this.tiles.keys()) changed.add(name);
      this.tiles.clear();
      this.isKnown = true;
    }
    for (const name of gone) this.tiles.delete(name);
    for (const tile of boards) this.tiles.set(tile.name, tile);
    return changed;
  }
}

/**
 * Returns the needs of a board that count by now.
 * @param {Tile} tile
 * @param {number} now
 */
export function dueNeeds(tile, now) {
  return tile.needs.filter(({ due }) => due <= now);
}

/**
 * Tells whether a board has gone silent by now.
 * @param {Tile} tile
 * @param {number} now
 */
export function isSilent(tile, now) {
  return dueNeeds(tile, now).some(({ kind }) => kind === "silent");
}
