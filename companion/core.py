"""What a game is: the contract that every game keeps and every other part relies on.

A position is an immutable value; a game's rules are one stateless object that says what may be
played in a position, what follows from it, and which rule an action breaks. An action *is* its
canonical spelling: it needs no second form for the record, the page or the wire, and compares and
hashes as text. What a player decides is an action; all that follows from it is events.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from companion.board import Board

Player: TypeAlias = str
"""A seat's name, as the game's page spells it: `red`, `south`, `solver`."""
Site: TypeAlias = str
"""Where a piece can stand: `a1`. Case matters: `B8` is a diamond of the Ternion board."""
Place: TypeAlias = str
"""A site, or a part of one that is seen apart from it: the Port corner `b2nw`."""
Look: TypeAlias = str
"""What can be seen on a place: `empty`, `red/marked`, `white+T`, `+T`, `magnet`."""
Changes: TypeAlias = Mapping[Place, tuple[Look, Look]]
"""For each place that changes the look before and after."""
Action: TypeAlias = str
"""The canonical spelling of the smallest thing that a player does by hand and the rules judge."""

EMPTY: Look = "empty"


class GameError(ValueError):
    """The base of what can be wrong with a game's text, options or board: one line, for a person."""


class OptionError(GameError):
    """An option that the game does not have, or a value that it does not take."""


class PositionError(GameError):
    """An arrangement of pieces that cannot be a position of the game."""


class IllegalActionError(GameError):
    """An action that the rules refuse; `breaches` says why."""

    def __init__(self, action: str, breaches: tuple[Breach, ...]) -> None:
        super().__init__(f"'{action}' is not allowed ({', '.join(b.rule for b in breaches)})")
        self.action = action
        self.breaches = breaches


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken rule and the places concerned. The rule's words are in the rulebook."""

    rule: str
    sites: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """A consequence of an action: its kind (a key of the game's `sentences`), who, where, and more."""

    kind: str
    player: Player = ""
    sites: tuple[Place, ...] = ()
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner, or None for a draw, and the reason in a few words."""

    winner: Player | None
    reason: str


@dataclass(frozen=True, slots=True)
class Count:
    """A line of the scoreboard: 'in reserve', and how many for each player (or for the turn: key '')."""

    name: str
    values: Mapping[Player, int]
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game text, `name=value`. No `values` means free text (a file name)."""

    name: str
    values: tuple[str, ...]
    default: str
    about: str


class Position(Protocol):
    """What all positions have in common. Immutable; equal when nothing tells them apart."""

    @property
    def turn(self) -> Player:
        """Whose turn it is."""

    @property
    def to_act(self) -> Player:
        """Who owes the next action: the turn's owner, but for answers owed in the middle of a turn."""


P = TypeVar("P", bound=Position)


class Form(NamedTuple):
    """How the pattern of an action is filled in: a piece of the stock for each site.

    The letters of the pieces chosen, in the order of the sites, take the place of the pattern's `?`.
    `stock`: each letter, what its piece is called, how it looks, and how many there are.
    """

    sites: tuple[Site, ...]
    stock: tuple[tuple[str, str, Look, int], ...]


class Step(NamedTuple, Generic[P]):
    """What an action leads to."""

    position: P
    events: tuple[Event, ...]


class Rules(ABC, Generic[P]):
    """A game's rules: stateless, and pure functions of immutable positions."""

    name: ClassVar[str]
    title: ClassVar[str]
    board: ClassVar[str]
    """The name of the board file that the game is played on, unless an option asks for another."""
    options: ClassVar[tuple[Option, ...]] = ()
    sentences: ClassVar[Mapping[str, str]] = {}
    """For each kind of event a sentence with `{player}`, `{sites}` and the event's details."""
    alternates: ClassVar[bool] = False
    """Whether each action ends its player's turn."""

    def board_for(self, options: Mapping[str, str]) -> str:
        """The name of the board file that the game is played on with these options."""
        return self.board

    @abstractmethod
    def players(self, position: P) -> tuple[Player, ...]:
        """The seats, in the order of play."""

    def playing(self, position: P) -> tuple[Player, ...]:
        """The seats that are still in the game."""
        return self.players(position)

    def can_win(self, position: P, player: Player) -> bool:
        """Whether this player can win at all (not with a bare king)."""
        return True

    @abstractmethod
    def start(self, options: Mapping[str, str], board: Board) -> P:
        """The position before the first action; every option is there, with a value it takes."""

    @abstractmethod
    def legal(self, position: P) -> Iterator[Action]:
        """Each action open to `position.to_act`, once; none when the game is over."""

    @abstractmethod
    def judge(self, position: P, action: str) -> tuple[Breach, ...]:
        """Every rule that the action would break; () exactly when it is legal. Takes any text."""

    @abstractmethod
    def play(self, position: P, action: Action) -> Step[P]:
        """What a legal action leads to. Trusts its caller: ask `judge` first."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """How the game ended, or None while it is on."""

    @abstractmethod
    def look(self, position: P) -> Mapping[Place, Look]:
        """What a perfect camera sees: places left out are empty."""

    @abstractmethod
    def looks(self, position: P) -> tuple[Look, ...]:
        """Every look that this game can put on the board, `empty` first."""

    @abstractmethod
    def path(self, action: Action) -> tuple[Place, ...]:
        """The places that the action names, in the order in which a finger would tap them."""

    @abstractmethod
    def arrange(self, position: P, looks: Mapping[Place, Look], turn: Player) -> P:
        """An arbiter's correction: the position with these looks on the board and this player's turn.

        What no camera sees is kept from `position` where it can be. PositionError says why not.
        """

    def attempts(self, position: P, changed: Changes) -> Iterator[str]:
        """Spellings that a player may have meant by a change of the board that no legal action explains.

        For each changed place: the look that should be there, and the one that is. Likeliest first.
        """
        return iter(())

    def rarity(self, position: P, action: Action) -> float:
        """How much rarer players choose this than its equals, in nats: a promotion to a knight. Below 0
        for what is owed."""
        return 0.0

    def is_transient(self, action: Action) -> bool:
        """Whether what the action puts on the board is gone again when the turn is over (Magnet's pillar)."""
        return False

    def legal_at(self, position: P, places: Collection[Place]) -> Iterator[Action]:
        """The legal actions that name any of these places, or none at all; others may be among them."""
        return self.legal(position)

    def change(self, position: P, action: Action) -> Changes | None:
        """Which pieces a legal action puts, takes and moves, where that is told sooner than by `play`: the
        look of each place before and after, markers left out. None where only playing tells."""
        return None

    def future(self, position: P) -> object:
        """All of a position that bears on what may follow, comparable and hashable.

        Positions that are alike in it need no telling apart."""
        return position

    def marks(self, position: P) -> frozenset[str]:
        """The spots of `board.marks` on which move markers lie where players lay them."""
        return frozenset()

    def palette(self, position: P) -> tuple[Look, ...]:
        """What an arbiter may put on a site, `empty` first: `looks` and finer faces for `arrange`."""
        return self.looks(position)

    def pieces(self, position: P) -> Mapping[Place, Look]:
        """What the page draws: as `look`, but with kinds that no camera tells apart (`white/knight`)."""
        return self.look(position)

    def read(self, position: P, text: str) -> Action:
        """The canonical spelling of another allowed way to write an action; else the text itself."""
        return text

    def view(self, position: P, viewer: Player | None) -> P:
        """The position without what this viewer (None: a spectator) may not know."""
        return position

    def show(self, action: Action, player: Player, viewer: Player | None, over: bool) -> str:
        """An action that `player` made, as a viewer may read it: a secret set-up shows its owner alone."""
        return action

    def deal(self, position: P, options: Mapping[str, str], rng: Random) -> Action | None:
        """An action that chance makes and no player (a set-up that is dealt); None where none is owed."""
        return None

    def form(self, position: P) -> Form | None:
        """How the pattern among the legal actions (`=?`) is filled in; None where there is none."""
        return None

    def reversible(self, position: P) -> bool:
        """Whether the last action may be taken back (it may not once it has revealed a secret)."""
        return True

    def counts(self, position: P) -> tuple[Count, ...]:
        """The scoreboard, top to bottom."""
        return ()

    def prompt(self, position: P) -> str:
        """What is owed next, in a few words: 'move or flip one piece'."""
        return ""

    def label(self, action: Action) -> str:
        """The action on a button: 'end the turn'."""
        return action

    def tell(self, event: Event) -> str:
        """One sentence for an event."""
        return self.sentences[event.kind].format(
            player=event.player.capitalize(), sites=", ".join(event.sites), **event.details
        )
