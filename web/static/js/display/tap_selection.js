// Playing by tapping: the places tapped so far are the beginning of the paths of some legal actions.

import { ownerOf } from "../shared/piece_motion.js";

/** @import { LegalAction, Look, Place } from "../shared/types.d.ts" */

/**
 * What a tap came to: an action to play, one that is not allowed or the way of a piece that is none, or nothing yet.
 * @typedef {{ play?: string, refuse?: { action: string } | { from: Place, to: Place } }} TapResult
 */

export class TapSelection {
  constructor() {
    /** @type {Place[]} the places tapped so far */
    this.tapped = [];
    /** @type {LegalAction[]} */
    this.legal = [];
    /** @type {Record<Place, Look>} */
    this.pieces = {};
  }

  /**
   * Goes on with another state; the taps are dropped where no action goes on from them.
   * @param {LegalAction[]} legal
   * @param {Record<Place, Look>} pieces
   */
  update(legal, pieces) {
    const hadActions = this.startingWith(this.tapped).length > 0;
    this.legal = legal;
    this.pieces = pieces;
    const isStuck = !hadActions && this.#isStuck(this.tapped);
    if (!this.startingWith(this.tapped).length && !isStuck) this.clear();
  }

  /**
   * Tells whether these taps hold a piece that may not be moved now, while others may: its next tap tells why.
   * @param {Place[]} places
   */
  #isStuck(places) {
    const isPiece = places.length === 1 && ownerOf(this.pieces[places[0]]) !== "";
    return isPiece && this.legal.some(({ path }) => path[0] in this.pieces);
  }

  /**
   * Tells whether two places have pieces of the same owner.
   * @param {Place} one
   * @param {Place} other
   */
  #isAlike(one, other) {
    return ownerOf(this.pieces[one]) === ownerOf(this.pieces[other]);
  }

  clear() {
    this.tapped = [];
  }

  /**
   * Returns the actions whose paths begin with these places.
   * @param {Place[]} places
   */
  startingWith(places) {
    return this.legal.filter(({ path }) => places.every((place, i) => path[i] === place));
  }

  /** The actions whose paths are tapped to the end. */
  get complete() {
    if (!this.tapped.length) return [];
    return this.startingWith(this.tapped).filter(({ path }) => path.length === this.tapped.length);
  }

  /** The places where a next tap makes sense. */
  get nextPlaces() {
    const count = this.tapped.length;
    const longer = this.startingWith(this.tapped).filter(({ path }) => path.length > count);
    return [...new Set(longer.map(({ path }) => path[count]))];
  }

  /** The actions that name no place: end, pass, declare, keep. */
  get placeless() {
    return this.legal.filter(({ path }) => path.length === 0);
  }

  /**
   * The places where an action can begin, those from which the one that is begun goes on, and those of pieces of
   * the same owners: also a piece that may not be moved is taken hold of, and why not is told.
   */
  get grips() {
    const starts = this.legal.flatMap(({ path }) => path.slice(0, 1));
    const own = Object.keys(this.pieces).filter((place) =>
      starts.some((start) => this.#isAlike(start, place)),
    );
    return [...new Set([...starts, ...this.tapped, ...own])];
  }

  /**
   * The actions to choose from by words, because taps alone do not tell them apart, or no piece is to be moved.
   */
  get choices() {
    if (!this.tapped.length) return this.#choicesOfPieces;
    const { complete } = this;
    const isOpen = complete.length > 1 || this.nextPlaces.length > 0 || this.tapped.length === 1;
    return isOpen ? complete : [];
  }

  /**
   * The actions where all that may be done is to say which pieces are meant, as the three of a ternion: no hand on
   * the board could show that.
   */
  get #choicesOfPieces() {
    const namesPieces = (/** @type {LegalAction} */ { path }) =>
      path.length > 2 && path.every((place) => place in this.pieces);
    return this.legal.length > 1 && this.legal.every(namesPieces) ? this.legal : [];
  }

  /**
   * Takes a tap: the selection grows, begins anew or is dropped.
   * @param {Place} place
   * @returns {TapResult}
   */
  tap(place) {
    const grown = [...this.tapped, place];
    if (this.startingWith(grown).length) return this.#select(grown);
    const [from] = this.tapped;
    if (from === place || this.tapped.at(-1) === place) {
      this.clear();
      return {};
    }
    if (this.startingWith([place]).length) return this.#select([place]);
    const ways = this.#waysTo(place);
    if (ways.length > 1) return {}; // the next stops stay to be tapped
    if (ways.length) {
      this.clear();
      return { play: ways[0].action };
    }
    if (this.#isStuck([place]) && (!from || this.#isAlike(from, place))) {
      this.tapped = [place];
      return {};
    }
    return this.#refuse(place);
  }

  /**
   * Drops the taps, and names what may not be done with a place: spelled as where it may be, unless a piece is
   * moved. Of a way that went wrong after several stops nobody knows what was meant.
   * @param {Place} place
   * @returns {TapResult}
   */
  #refuse(place) {
    const { tapped } = this;
    const allowed = this.startingWith(tapped).find(
      ({ path }) => path.length === tapped.length + 1 && !ownerOf(this.pieces[path[0]]),
    );
    this.clear();
    if (allowed) {
      return { refuse: { action: allowed.action.slice(0, -allowed.path[tapped.length].length) + place } };
    }
    return tapped.length === 1 ? { refuse: { from: tapped[0], to: place } } : {};
  }

  /**
   * Returns the actions that go on from the taps and end at a place: of a capture of several pieces, or a chain of
   * jumps, a finger may show only the end.
   * @param {Place} place
   */
  #waysTo(place) {
    if (!this.tapped.length) return [];
    return this.startingWith(this.tapped).filter(({ path }) => path.at(-1) === place);
  }

  /**
   * Selects these places, and plays where only one action is left. A single tap on a piece plays nothing: it
   * may be the beginning of a move that is not allowed.
   * @param {Place[]} places
   * @returns {TapResult}
   */
  #select(places) {
    this.tapped = places;
    const left = this.startingWith(places);
    const isDecided = left.length === 1 && left[0].path.length === places.length;
    const isMeant = places.length > 1 || !(places[0] in this.pieces);
    if (!isDecided || !isMeant) return {};
    this.clear();
    return { play: left[0].action };
  }
}
