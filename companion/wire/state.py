"""The state of a table as it is shown: what a page draws, and what a board tells its hall.

What is in `Told` and `ToldGame` boards tell a hall too: a member that is written there is on the page, on the
wall and in the hall's messages. Members of the page alone are in `EmptyState` and `GameState`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec import field as member

from companion.core.game import Count
from companion.wire.values import (
    MOST_ITEMS,
    Look,
    Number,
    Pieces,
    Place,
    Places,
    Player,
    Players,
    Text,
    Texts,
    Time,
    Whole,
    Wire,
    Words,
    one_of,
)

VerdictKind = Literal["refused", "turn", "unfinished", "restore", "setup", "announced"]
SourceState = Literal["ok", "hand", "moving", "learning", "unlearned", "away", "trouble", "lost"]
"""How a source is. What is `away` is missed by nobody at the table: a hall's broker."""


class SourceStatus(Wire):
    """A sensor, the store (`recording`) or the companion itself, and how it is."""

    name: Text
    state: Annotated[str, one_of(*get_args(SourceState))] = "ok"
    words: Words = ""
    """What is wrong, or else worth knowing, if anything is."""


class ByoYomi(Wire):
    """The periods that a player has left, each of so many seconds."""

    periods: Whole
    seconds: Number


class RunningClock(Wire, kw_only=True):
    """The players' clock at a moment: one of the players' times runs on from there."""

    left: Annotated[Mapping[Player, Number], Meta(max_length=MOST_ITEMS)]
    """The seconds that each player has at that moment."""
    runs: Player | None = None
    """Whose clock runs."""
    paused: bool = False
    """No clock runs down."""
    held: bool = False
    """The arbiter has stopped it."""
    flags: Players = ()
    """The players whose time is up."""
    byo_yomi: Annotated[Mapping[Player, ByoYomi], Meta(max_length=MOST_ITEMS)] = field(default_factory=dict)
    delay: Number = 0.0
    """Seconds before the clock that runs begins to run down."""


class ControlledClock(RunningClock, kw_only=True):
    """The players' clock with its time control."""

    control: Words = ""
    """The time control as it is spelled: `90:00+30`."""


class Clock(ControlledClock, kw_only=True):
    """The clock at the moment `since`."""

    since: Time


class Proposal(Wire):
    """The game that a round has for this table. Texts that nobody gave are ''."""

    title: Words
    """The game's name."""
    players: tuple[Words, ...]
    """The names of the players, in the order of play."""
    event: Words = ""
    round: Words = ""
    clock: Words = ""
    """The time control."""


class Game(Wire, kw_only=True):
    """The game that is on."""

    name: Text = ""
    title: Words = ""
    board: Text = ""
    options: Texts = field(default_factory=dict)
    head: Words = ""
    """The game text."""
    players: Players = ()
    """The players in the order of play."""


class GameInfo(Game, kw_only=True):
    """The game that is on, with what the page has to know of it."""

    palette: tuple[Look, ...]
    notations: tuple[Text, ...]
    """The notations in which other programs write the game: `pgn`."""
    hints: bool
    tutorial: bool
    """How it is played can be shown."""
    goal: Words
    """What the game is about; '' where no tutorial tells."""
    kinds: tuple[tuple[Text, Words], ...]
    """Patterns of spellings, each with the kind of action that is spelled so; the first that fits counts."""


class Ply(Wire, kw_only=True):
    """An action that was played: the `n`th."""

    n: Whole = 0
    action: Words = ""
    """The canonical spelling, which the API takes."""
    written: Words = ""
    """The action as players write it: `Nf3`."""
    player: Player = ""
    sites: Places = ()
    """The places that it names, and those between which it moved a piece unnamed."""
    words: Annotated[tuple[Words, ...], Meta(max_length=MOST_ITEMS)] = ()
    tells_end: bool = False
    """The words tell how the game ended."""
    source: Text = ""
    """What reported it: `camera:0`, `tablet`."""
    certainty: Number | None = None
    """How sure that is, 0 to 1; None where doubts would give hidden things away."""


class PastPly(Ply, kw_only=True):
    """An action of the past."""

    round: Whole
    """The number of the round, as the game's players count."""


class Move(Wire):
    """A line of the list of moves."""

    n: Whole
    round: Whole
    """The number of the round, as the game's players count."""
    player: Player
    action: Words
    written: Words
    words: Words


class FeedMove(Move):
    """A line of the list of moves, as programs that show games elsewhere get it."""

    clock: Number | None
    """The seconds that the player had left; None where that could tell a secret, or there is no clock."""


class Breach(Wire):
    """A broken rule."""

    rule: Text
    title: Words = ""
    here: Words = ""
    """What is wrong here, in a sentence."""
    text: Words = ""
    """The whole rule."""
    sites: Places = ()


class GuideStep(Struct, frozen=True):
    """A step that puts the board right."""

    start: Place | None = member(name="from", default=None)
    end: Place | None = member(name="to", default=None)
    look: Look | None = None
    words: Words = ""


class Verdict(Wire):
    """The reason why play waits."""

    kind: Annotated[str, one_of(*get_args(VerdictKind))]
    action: Words | None = None
    written: Words = ""
    """The action as players write it."""
    words: Words = ""
    breaks: Annotated[tuple[Breach, ...], Meta(max_length=MOST_ITEMS)] = ()
    steps: Annotated[tuple[GuideStep, ...], Meta(max_length=MOST_ITEMS)] = ()


class Choice(Wire):
    """One answer to a question."""

    action: Words
    words: Words = ""
    sites: Places = ()


class Part(Wire):
    """A thing that may have been done."""

    words: Words
    sites: Places
    choices: tuple[Whole, ...]
    """The choices with it, from 0."""


class Question(Wire):
    """A question to a player, as far as the viewer may know it."""

    id: Whole
    by: Player = ""
    words: Words = ""
    choices: Annotated[tuple[Choice, ...], Meta(max_length=MOST_ITEMS)] = ()
    parts: Annotated[tuple[Part, ...], Meta(max_length=MOST_ITEMS)] = ()
    """Things of which any number may have been done: one card asks for all of them."""


class Teller(Wire):
    """A player who may have something to tell of an action, which was the last of so many plies."""

    player: Player
    plies: Whole


class Offer(Wire):
    """A draw that a player offers."""

    by: Player
    agreed: Players | UnsetType = UNSET
    """Who has accepted already."""
    kind: Literal["draw"] = "draw"


class Outcome(Wire):
    """The end of a game."""

    winner: Player | None = None
    reason: Words = ""
    words: Words = ""


class StockPiece(Wire):
    """A kind of piece that can be laid, and how many there are."""

    letter: Text
    words: Words
    look: Look
    number: Whole


class ActionForm(Wire):
    """The blanks of an action that is a pattern: pieces of the stock are laid on the sites."""

    sites: Places
    stock: tuple[StockPiece, ...]


class LegalAction(Wire):
    """An action that may be played now."""

    action: Words
    path: Places
    """The places to tap for it, in order."""
    label: Words
    form: ActionForm | UnsetType = UNSET


class Position(Wire, kw_only=True):
    """A position as everybody is told of it."""

    pieces: Pieces = field(default_factory=dict)
    """What stands where."""
    checked: Places = ()
    """The places of pieces that are in check."""
    fen: Words = ""
    """The position as other programs write it; '' where there is no such way."""


class PagePosition(Position, kw_only=True):
    """A position, as a page draws it."""

    gone: tuple[Look, ...]
    """The pieces that have left the board for good."""


class PastPosition(PagePosition, kw_only=True):
    """The board of the game that is on as it stood after `n` actions."""

    n: Whole
    number: Whole | None
    last: PastPly | None


class Feed(Wire):
    """A game as everybody may know it now, for programs that show games elsewhere."""

    number: Whole
    game: Words
    """The game text."""
    name: Text
    title: Words
    head: Texts
    players: Players
    turn: Player
    moves: tuple[FeedMove, ...]
    pieces: Pieces
    fen: Words
    outcome: Outcome | None


class Told(Wire, kw_only=True):
    """The state of a table that spectators and a hall are told, with a game or without."""

    state: Literal["empty", "setup", "playing", "over"] = "empty"
    game: Game | None = None
    sources: Annotated[tuple[SourceStatus, ...], Meta(max_length=MOST_ITEMS)] = ()
    notice: Words = ""


class ToldGame(Position, Told, kw_only=True):
    """The state of a table with a game that spectators and a hall are told."""

    number: Whole | None = None
    """The number of the game in the store."""
    head: Texts = field(default_factory=dict)
    """The players' names, the place and the occasion."""
    turn: Player = ""
    to_act: Player = ""
    """Who is to act: in a turn another player may owe an answer."""
    playing: Players = ()
    """Who is not out of the game."""
    prompt: Words = ""
    last: Ply | None = None
    """The last action."""
    verdict: Verdict | None = None
    """Why play waits."""
    question: Question | None = None
    offer: Offer | None = None
    counts: Annotated[tuple[Count, ...], Meta(max_length=MOST_ITEMS)] = ()
    outcome: Outcome | None = None
    ruled: bool = False
    """People ended the game before its rules did."""


class OnPage(Told, kw_only=True):
    """The state of a table that a page shows, with a game or without."""

    clock: Clock | None
    proposal: Proposal | None


class EmptyState(OnPage, kw_only=True):
    """The state of a table without a game."""

    state: Literal["empty"] = "empty"
    game: None = None


class GameState(OnPage, PagePosition, ToldGame, kw_only=True):
    """The state of a table with a game."""

    state: Literal["setup", "playing", "over"]
    game: GameInfo
    plies: Whole
    seen: Pieces
    """What the sensors see where it differs from the game."""
    teller: Teller | None
    """Who may have something to tell of a turn that is over, as far as everybody knows, and its last move."""
    claim: Words
    """Why the player to move may claim a draw; '' while nobody may."""
    set_up: bool
    """The pieces stand as at the start again, for a new game."""
    may_be_turned: bool
    """The board for which play waits would be as right turned round: players have to say how it lies."""
    companion: Mapping[Player, Whole]
    """The seats that the companion plays, and at which level; 0 for those at another table."""
    puzzle: Literal["", "open", "solved"]
    """How the puzzle stands that is played here: one turn is looked for; '' in other games."""
    can_undo: bool
    can_redo: bool
    legal: tuple[LegalAction, ...]
    moves: tuple[Move, ...]


TableState: TypeAlias = EmptyState | GameState
"""The state of one table, as the stream sends it."""
