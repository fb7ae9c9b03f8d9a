/** What the server sends. Written by .ci/declarations, from companion/wire: change it there. */

/** A site such as `a2`, a place beside the board, or the way between two sites, as `c4-c5`. */
export type Place = string;

/** How a piece looks: `red/marked`, `white+T`; `empty` for nothing. */
export type Look = string;

/** A player's name in the rules: `red`, `white`, `solver`. */
export type Player = string;

/** The blanks of an action that is a pattern: pieces of the stock are laid on the sites. */
export interface ActionForm {
  sites: Place[];
  stock: StockPiece[];
}

/**
 * A next action, and whether the puzzle can still be solved from here by adding alone. `solvable` is None where that
 * could not be decided in the time given; `action` is then None, too.
 */
export interface Advice {
  solvable: boolean | null;
  action: string | null;
  words: string;
  /** What may be told before the action; '' for nothing. */
  nudge: string;
}

/** A line of the log that plays nothing. */
export interface Aside {
  line: number;
  kind: string;
  words: string;
}

/** A board with its drawing, in the drawing's own units. */
export interface BoardData {
  name: string;
  svg: string;
  /** The distance of neighbouring sites. */
  spacing: number;
  /** What players call sites, where that is not as they are named here. */
  names: Record<Place, string>;
  sites: Record<Place, [number, number]>;
  /** Sites and places beside the board: x, y and the degrees by which a piece is turned there. */
  places: Record<Place, [number, number, number]>;
  /** The id of each look's symbol in the drawing. */
  symbols: Record<Look, string>;
  /** Each look in words. */
  words: Record<Look, string>;
  /** What a double tap turns on the virtual table. */
  turns: "" | "disc" | "port";
  owners: Owner[];
}

/** The test before play. */
export interface BoardTestShown {
  places: TriedPlace[];
  /** What is wrong, or to be done first; '' for nothing. */
  words: string;
  /** That is about what a camera sees: light, view, or what is cut off. */
  picture: boolean;
  done: boolean;
}

/** A broken rule. */
export interface Breach {
  rule: string;
  title: string;
  /** What is wrong here, in a sentence. */
  here: string;
  /** The whole rule. */
  text: string;
  sites: Place[];
}

/** The number of a rule, and its title. */
export interface BrokenRule {
  rule: string;
  /** '' where this hall does not know the rule. */
  title: string;
}

/** The periods that a player has left, each of so many seconds. */
export interface ByoYomi {
  periods: number;
  seconds: number;
}

/** One answer to a question. */
export interface Choice {
  action: string;
  words: string;
  sites: Place[];
}

/** The clock at the moment `since`. */
export interface Clock {
  /** The seconds that each player has at that moment. */
  left: Record<Player, number>;
  /** Seconds since 1970. */
  since: number;
  /** Whose clock runs. */
  runs: Player | null;
  /** No clock runs down. */
  paused: boolean;
  /** The arbiter has stopped it. */
  held: boolean;
  /** The players whose time is up. */
  flags: Player[];
  byo_yomi: Record<Player, ByoYomi>;
  /** Seconds before the clock that runs begins to run down. */
  delay: number;
  /** The time control as it is spelled: `90:00+30`. */
  control: string;
}

/** A line of the scoreboard, such as 'in reserve': a number for each player, or for the turn (key ''). */
export interface Count {
  name: string;
  values: Record<string, number>;
  total: number | null;
}

/** The state of a table without a game. */
export interface EmptyState {
  clock: Clock | null;
  proposal: Proposal | null;
  state: "empty";
  game: null;
  sources: SourceStatus[];
  notice: string;
}

/** A board with sensors that is plugged in. */
export interface FoundBoard {
  /** What it is chosen by; '' where it cannot be. */
  source: string;
  /** What it is, and where; '' for one in use. */
  words: string;
  /** Why it cannot be chosen now; '' where it can. */
  trouble: string;
  /** The companion sees the board with it now. */
  used: boolean;
}

/** The boards with sensors that were found. */
export interface FoundBoards {
  boards: FoundBoard[];
}

/** The game that is on. */
export interface Game {
  name: string;
  title: string;
  board: string;
  options: Record<string, string>;
  /** The game text. */
  head: string;
  /** The players in the order of play. */
  players: Player[];
}

/** The game that is on, with what the page has to know of it. */
export interface GameInfo {
  palette: Look[];
  /** The notations in which other programs write the game: `pgn`. */
  notations: string[];
  hints: boolean;
  /** How it is played can be shown. */
  tutorial: boolean;
  /** What the game is about; '' where no tutorial tells. */
  goal: string;
  /** Patterns of spellings, each with the kind of action that is spelled so; the first that fits counts. */
  kinds: [string, string][];
  name: string;
  title: string;
  board: string;
  options: Record<string, string>;
  /** The game text. */
  head: string;
  /** The players in the order of play. */
  players: Player[];
}

/** A game that can be chosen. */
export interface GameOffer {
  name: string;
  title: string;
  /** What the game is about, in one line; '' where nothing is known. */
  line: string;
  board: string;
  /** Options (`name=value`) that have a board of their own. */
  boards: Record<string, string>;
  options: GameOption[];
  players: string[];
  /** It is one of the games that other programs have a notation for: chess, draughts. */
  classic: boolean;
  /** How it is played can be shown. */
  tutorial: boolean;
  markers: boolean;
  /** Options (`name=value`) that seat other players. */
  seats: Record<string, string[]>;
}

/** An option of a game, with what each of its values means. */
export interface GameOption {
  name: string;
  values: string[];
  labels: string[];
  default: string;
  about: string;
}

/** The state of a table with a game. */
export interface GameState {
  /** The pieces that have left the board for good. */
  gone: Look[];
  clock: Clock | null;
  proposal: Proposal | null;
  plies: number;
  /** What the sensors see where it differs from the game. */
  seen: Record<Place, Look>;
  /** Who may have something to tell of a turn that is over, as far as everybody knows, and its last move. */
  teller: Teller | null;
  /** Why the player to move may claim a draw; '' while nobody may. */
  claim: string;
  /** The pieces stand as at the start again, for a new game. */
  set_up: boolean;
  /** The board for which play waits would be as right turned round: players have to say how it lies. */
  may_be_turned: boolean;
  /** The seats that the companion plays, and at which level; 0 for those at another table. */
  companion: Record<Player, number>;
  /** How the puzzle stands that is played here: one turn is looked for; '' in other games. */
  puzzle: "" | "open" | "solved";
  can_undo: boolean;
  can_redo: boolean;
  legal: LegalAction[];
  moves: Move[];
  state: "over" | "playing" | "setup";
  game: GameInfo;
  sources: SourceStatus[];
  notice: string;
  /** What stands where. */
  pieces: Record<Place, Look>;
  /** The places of pieces that are in check. */
  checked: Place[];
  /** The position as other programs write it; '' where there is no such way. */
  fen: string;
  /** The number of the game in the store. */
  number: number | null;
  /** The players' names, the place and the occasion. */
  head: Record<string, string>;
  turn: Player;
  /** Who is to act: in a turn another player may owe an answer. */
  to_act: Player;
  /** Who is not out of the game. */
  playing: Player[];
  prompt: string;
  /** The last action. */
  last: Ply | null;
  /** Why play waits. */
  verdict: Verdict | null;
  question: Question | null;
  offer: Offer | null;
  counts: Count[];
  outcome: Outcome | null;
  /** People ended the game before its rules did. */
  ruled: boolean;
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
  /** There is a picture of how it stands. */
  picture: boolean;
  deleted: boolean;
  /** The disk damaged it: then it cannot be opened, unless `head.damaged` says what a repair lost. */
  damaged: boolean;
}

/** The stage of commissioning the grid; `told` counts how often something was `said`. */
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

/** One thing that commissioning has found: what it is, and what to do about it. */
export interface GridFinding {
  kind: string;
  words: string;
  advice: string;
  /** The sites concerned. */
  sites: Place[];
  /** Nothing is to be done any more: the calibration that is in use makes up for it. */
  mended: boolean;
}

/** The findings of commissioning; `when` is in seconds since 1970. */
export interface GridSheet {
  facts: [string, string][];
  right: string[];
  findings: GridFinding[];
  weakest: [Place, number][];
  wires: Record<Place, Place>;
  untried: Place[];
  when: number;
  verdict: string;
  whole: boolean;
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

/** A step that puts the board right. */
export interface GuideStep {
  from: Place | null;
  to: Place | null;
  look: Look | null;
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

/** The addresses at which other devices find the page, and may take seats. */
export interface Invitations {
  watch: string;
  /** Other devices reach the page at all. */
  reachable: boolean;
  /** The link of each seat, for those who may hand out seats. */
  seats: Record<Player, string>;
}

/** A turn of a game that is looked back at. */
export interface JudgedTurn {
  /** The step before it: 0 is the start. */
  step: number;
  player: Player;
  /** The player's chance of winning before it, 0 to 1. */
  chance: number;
  /** The chance that the turn has left. */
  left: number;
}

/** An action that may be played now. */
export interface LegalAction {
  action: string;
  /** The places to tap for it, in order. */
  path: Place[];
  label: string;
  form?: ActionForm;
}

/** A piece or marker by its look, or a part of the board by a place there. */
export interface LegendEntry {
  words: string;
  look: Look | null;
  at: Place | null;
}

/** The game with another table, as the player here sees it, and who acts for all. */
export interface LineState {
  /** The other table has yet to join, by a code that is made here. */
  invites: boolean;
  /** The letters to be entered at the other table; '' where none were made. */
  code: string;
  /** Where this companion is to be found; '' where others cannot reach it. */
  address: string;
  /** Of the certificate by which the guest knows the host; '' without HTTPS. */
  fingerprint: string;
  /** What the other table wishes to take back; '' for nothing. */
  wish: string;
  /** So many actions that is. */
  count: number;
  /** The player here may seal what nobody is told before the end. */
  seal: boolean;
}

/** A look back at a game, as far as it has come. */
export interface LookBack {
  players: Player[];
  /** The turns that are judged in the end. */
  total: number;
  turns: JudgedTurn[];
  points: TurningPoint[];
}

/** A line of the list of moves. */
export interface Move {
  n: number;
  /** The number of the round, as the game's players count. */
  round: number;
  player: Player;
  action: string;
  written: string;
  words: string;
}

/** A draw that a player offers. */
export interface Offer {
  by: Player;
  /** Who has accepted already. */
  agreed?: Player[];
  kind: "draw";
}

/** The end of a game. */
export interface Outcome {
  winner: Player | null;
  reason: string;
  words: string;
}

/** A player's paint on this board, and the glyph drawn in it. */
export interface Owner {
  name: Player;
  paint: string;
  ink: string;
  glyph: string;
  path: string;
}

/** A thing that may have been done. */
export interface Part {
  words: string;
  sites: Place[];
  /** The choices with it, from 0. */
  choices: number[];
}

/** An action of the past. */
export interface PastPly {
  /** The number of the round, as the game's players count. */
  round: number;
  n: number;
  /** The canonical spelling, which the API takes. */
  action: string;
  /** The action as players write it: `Nf3`. */
  written: string;
  player: Player;
  /** The places that it names, and those between which it moved a piece unnamed. */
  sites: Place[];
  words: string[];
  /** The words tell how the game ended. */
  tells_end: boolean;
  /** What reported it: `camera:0`, `tablet`. */
  source: string;
  /** How sure that is, 0 to 1; None where doubts would give hidden things away. */
  certainty: number | null;
}

/** The board of the game that is on as it stood after `n` actions. */
export interface PastPosition {
  /** The pieces that have left the board for good. */
  gone: Look[];
  n: number;
  number: number | null;
  last: PastPly | null;
  /** What stands where. */
  pieces: Record<Place, Look>;
  /** The places of pieces that are in check. */
  checked: Place[];
  /** The position as other programs write it; '' where there is no such way. */
  fen: string;
}

/** An action that was played: the `n`th. */
export interface Ply {
  n: number;
  /** The canonical spelling, which the API takes. */
  action: string;
  /** The action as players write it: `Nf3`. */
  written: string;
  player: Player;
  /** The places that it names, and those between which it moved a piece unnamed. */
  sites: Place[];
  words: string[];
  /** The words tell how the game ended. */
  tells_end: boolean;
  /** What reported it: `camera:0`, `tablet`. */
  source: string;
  /** How sure that is, 0 to 1; None where doubts would give hidden things away. */
  certainty: number | null;
}

/** The game that a round has for this table. Texts that nobody gave are ''. */
export interface Proposal {
  /** The game's name. */
  title: string;
  /** The names of the players, in the order of play. */
  players: string[];
  event: string;
  round: string;
  /** The time control. */
  clock: string;
}

/** The puzzles of a game that can be played here. */
export interface Puzzles {
  /** There is one for today. */
  today: boolean;
  /** Today's is solved. */
  solved: boolean;
  /** The puzzles of own games that are not solved yet. */
  own: number;
  /** Why there is none; ''. */
  words: string;
}

/** A question to a player, as far as the viewer may know it. */
export interface Question {
  id: number;
  by: Player;
  words: string;
  choices: Choice[];
  /** Things of which any number may have been done: one card asks for all of them. */
  parts: Part[];
}

/** A rule of the rulebook. */
export interface Rule {
  rule: string;
  title: string;
  text: string;
}

/** The caller's role and seat, and the services of this server. */
export interface Session {
  role: "home" | "arbiter" | "seat" | "spectator";
  seat: Player;
  /** The seat's pieces begin in the north: its own display shows the board from there. */
  north: boolean;
  /** The token that POSTs must carry. */
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

/** A sensor, the store (`recording`) or the companion itself, and how it is. */
export interface SourceStatus {
  name: string;
  state: "ok" | "hand" | "moving" | "learning" | "unlearned" | "away" | "trouble" | "lost";
  /** What is wrong, or else worth knowing, if anything is. */
  words: string;
}

/** One sensor of the grid. */
export interface Spot {
  /** 1 where a magnet is felt as strongly as usual. */
  share: number | null;
  felt: boolean;
  verdict: string;
  advice: string;
  /** Commissioning has tried it. */
  tried?: boolean;
}

/** A kind of piece that can be laid, and how many there are. */
export interface StockPiece {
  letter: string;
  words: string;
  look: Look;
  number: number;
}

/** An action of a stored game. */
export interface StoredAction {
  /** The pieces that have left the board for good. */
  gone: Look[];
  /** The number of the round; 0 for the start. */
  round: number;
  /** The line of the log. */
  line: number;
  notes: StoredNote[];
  asides: Aside[];
  /** What stands where. */
  pieces: Record<Place, Look>;
  /** The places of pieces that are in check. */
  checked: Place[];
  /** The position as other programs write it; '' where there is no such way. */
  fen: string;
  n: number;
  /** The canonical spelling, which the API takes. */
  action: string;
  /** The action as players write it: `Nf3`. */
  written: string;
  player: Player;
  /** The places that it names, and those between which it moved a piece unnamed. */
  sites: Place[];
  words: string[];
  /** The words tell how the game ended. */
  tells_end: boolean;
  /** What reported it: `camera:0`, `tablet`. */
  source: string;
  /** How sure that is, 0 to 1; None where doubts would give hidden things away. */
  certainty: number | null;
}

/** A stored game to be replayed. */
export interface StoredGame {
  number: number;
  game: string;
  title: string;
  head: Record<string, string>;
  players: Player[];
  steps: StoredStart[];
  /** The forms in which it can be exported. */
  forms: string[];
  /** Whose comments the caller writes; '' for nobody's. */
  author: string;
  outcome: Outcome | null;
  deleted: boolean;
  /** There are steps after these. */
  more: boolean;
}

/** A comment on a line of the log. */
export interface StoredNote {
  by: string;
  text: string;
  line: number;
}

/** The start of a stored game. Its actions have more members: those of a ply. */
export interface StoredStart {
  /** The pieces that have left the board for good. */
  gone: Look[];
  /** The number of the round; 0 for the start. */
  round: number;
  /** The line of the log. */
  line: number;
  notes: StoredNote[];
  asides: Aside[];
  /** What stands where. */
  pieces: Record<Place, Look>;
  /** The places of pieces that are in check. */
  checked: Place[];
  /** The position as other programs write it; '' where there is no such way. */
  fen: string;
}

/** A player who may have something to tell of an action, which was the last of so many plies. */
export interface Teller {
  player: Player;
  plies: number;
}

/** A board of the hall. */
export interface Tile {
  /** Site and board: `Hall A/7`. */
  name: string;
  site: string;
  board: string;
  status: "" | "offline" | "online";
  number: number | null;
  game: Game | null;
  /** The players' names, the event and the round: as the board has them, else as paired. */
  head: Record<string, string>;
  state: "empty" | "over" | "playing" | "setup";
  /** Whose turn it is; '' where nobody's. */
  turn: Player;
  pieces: Record<Place, Look>;
  checked: Place[];
  last: Ply | null;
  /** The places of the rules that were broken, while play waits for that. */
  broken: Place[];
  question: Question | null;
  ending: Outcome | null;
  /** People ended the game before its rules did. */
  ruled: boolean;
  clock: TileClock | null;
  needs: TileNeed[];
  /** The board's page, as it says itself. */
  address: string;
}

/** The clock at the moment `since`, in seconds since 1970 by the server's clock. */
export interface TileClock {
  /** The seconds that each player has at that moment. */
  left: Record<Player, number>;
  since: number;
  /** Whose clock runs. */
  runs: Player | null;
  /** No clock runs down. */
  paused: boolean;
  /** The arbiter has stopped it. */
  held: boolean;
  /** The players whose time is up. */
  flags: Player[];
  byo_yomi: Record<Player, ByoYomi>;
  /** Seconds before the clock that runs begins to run down. */
  delay: number;
}

/** An action of the game that is on. */
export interface TileMove {
  n: number;
  player: Player;
  written: string;
}

/** Something that waits for a person, from `due` on. Times are seconds since 1970 by the server's clock. */
export interface TileNeed {
  id: string;
  kind: "draw" | "flag" | "question" | "refused" | "sensor" | "silent" | "store";
  since: number;
  due: number;
  player: Player;
  action: string;
  rules: BrokenRule[];
  source: string;
  words: string;
}

/** What a program comes in with, as lists show it. Dates are ISO 8601. */
export interface TokenInfo {
  id: string;
  name: string;
  scopes: string[];
  made: string;
  used: string | null;
}

/** A place that is tried before play. */
export interface TriedPlace {
  place: Place;
  /** What players call it. */
  called: string;
  /** A piece stands there in the game: it is lifted and put back. Else one is put there and taken away. */
  taken: boolean;
  /** `waiting`: not seen as the game has it; `ready`: it is; `changed`: seen otherwise; `done`: and back. */
  stage: "waiting" | "ready" | "changed" | "done";
}

/** A turn that lost much of its player's chance, and what was better. */
export interface TurningPoint {
  /** The step before it: 0 is the start. */
  step: number;
  player: Player;
  /** The player's chance of winning before it, 0 to 1. */
  chance: number;
  /** The chance that the turn has left. */
  left: number;
  played: string;
  better: string;
  /** The places of the better turn. */
  sites: Place[];
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

/** The board after a step, or before the first one. */
export interface TutorialFrame {
  words: string;
  pieces: Record<Place, Look>;
  path: Place[];
  /** The rules that a refused action would break. */
  breaks: Breach[];
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

/** The reason why play waits. */
export interface Verdict {
  kind: "refused" | "turn" | "unfinished" | "restore" | "setup" | "announced";
  action: string | null;
  /** The action as players write it. */
  written: string;
  words: string;
  breaks: Breach[];
  steps: GuideStep[];
}
