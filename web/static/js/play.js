// Playing by tapping: the taps so far are a prefix of the paths of some legal actions.

export class Play {
  constructor() {
    this.prefix = [];
    this.legal = [];
    this.pieces = {};
  }

  update(state) {
    this.legal = state.legal || [];
    this.pieces = state.pieces || {};
    if (!this.#open().length) this.prefix = [];
  }

  // The actions that go on from the taps so far.
  #open(prefix = this.prefix) {
    return this.legal.filter(({ path }) => prefix.every((place, i) => path[i] === place));
  }

  get complete() {
    return this.prefix.length ? this.#open().filter(({ path }) => path.length === this.prefix.length) : [];
  }

  // Where a next tap makes sense: place -> words.
  get taps() {
    const found = {};
    for (const { path } of this.#open()) if (path.length > this.prefix.length) found[path[this.prefix.length]] ||= true;
    return Object.keys(found);
  }

  // Actions that name no place: end, pass, declare, keep.
  get placeless() {
    return this.legal.filter(({ path }) => path.length === 0);
  }

  // Takes a tap: {play: action}, {refuse: [from, to]} or {} when the choice only grew, changed or was dropped.
  tap(place) {
    const grown = [...this.prefix, place];
    if (this.#open(grown).length) return this.#grow(grown);
    const from = this.prefix[0];
    if (from === place || this.prefix.at(-1) === place) return this.#drop();
    if (this.#open([place]).length) return this.#grow([place]);
    const wrong = this.prefix.length === 1 ? { refuse: [from, place] } : {};
    this.prefix = [];
    return wrong;
  }

  #grow(prefix) {
    this.prefix = prefix;
    const open = this.#open();
    const sure = open.length === 1 && open[0].path.length === prefix.length;
    const meant = prefix.length > 1 || !(prefix[0] in this.pieces);
    if (!sure || !meant) return {};
    this.prefix = [];
    return { play: open[0].action };
  }

  #drop() {
    this.prefix = [];
    return {};
  }

  // The spelling of a move between two places that is not allowed, after the pattern of one that is:
  // the referee can then say which rule it breaks.
  spell(from, to) {
    const taking = to in this.pieces;
    const pairs = this.legal.filter(({ action, path }) => path.length === 2 && action.endsWith(path[1]) && action.startsWith(path[0]));
    const takes = ({ path }) => path[1] in this.pieces === taking;
    const model =
      pairs.find((entry) => entry.path[0] === from && takes(entry)) || pairs.find(takes) ||
      (taking ? null : pairs[0]);
    if (!model) return null;
    const middle = model.action.slice(model.path[0].length, -model.path[1].length);
    return `${from}${middle}${to}`;
  }
}
