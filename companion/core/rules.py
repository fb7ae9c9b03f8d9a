"""The contract of a game: every game keeps it, and every other part of the program relies on it alone.

A game's rules are one stateless object of pure functions on the values of `game.py`.

`Mechanics` is what a game must say. `Words`, `Appearance`, `Secrets`, `SearchHints` and `Thought` are what it
may add; each has a default for all that it declares. `Rules`, which games extend, is all of these together.

A game is a package, `companion/games/NAME/`, of modules with the same names in every game;
docs/architecture.md says what each holds. A function in one of these modules that serves a method of `Rules`
has the method's name, and the class takes it over as it is: `legal = staticmethod(moves.legal)`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from re import fullmatch
from types import MappingProxyType
from typing import ClassVar, Generic

from companion.core.board import Board
from companion.core.game import (
    Action,
    ActionForm,
    Asked,
    Breach,
    Changes,
    Contradiction,
    Count,
    Event,
    GameError,
    Look,
    Option,
    Outcome,
    P,
    Place,
    Player,
    Step,
)
from companion.core.notation import Notation
from companion.core.players import say_player
from companion.language import NamedPhrases, say


def say_spelled(phrases: NamedPhrases, action: Action, names: NamedPhrases = MappingProxyType({})) -> str:
    """Returns the words whose pattern fits the spelling of an action, with the pattern's groups in them; ''
    where none does. `names` are the words for groups that are codes."""
    for spelling, words in phrases.items():
        if match := fullmatch(spelling, action):
            groups = match.groupdict().items()
            return say(words, **{key: say(names[part]) if part in names else part for key, part in groups})
    return ""


class Mechanics(ABC, Generic[P]):
    """The part that every game must have: seats, beginning, legal actions, what follows from one, looks."""

    name: ClassVar[str]
    title: ClassVar[str]
    board: ClassVar[str]
    """The name of the board file that the game is played on, unless an option asks for another."""
    options: ClassVar[tuple[Option, ...]] = ()
    seats: ClassVar[tuple[Player, ...]] = ()
    """The seats in the order of play, where they are always the same."""
    alternates: ClassVar[bool] = False
    """True if each action ends its player's turn."""

    def players(self, position: P) -> tuple[Player, ...]:
        """Returns the seats, in the order of play."""
        return self.seats

    @abstractmethod
    def start(self, options: Mapping[str, str], board: Board) -> P:
        """Returns the position before the first action; `options` holds every option, with a valid value."""

    @abstractmethod
    def legal(self, position: P) -> Iterator[Action]:
        """Yields each action open to `position.to_act`, once; none when the game is over."""

    @abstractmethod
    def judge(self, position: P, action: str) -> tuple[Breach, ...]:
        """Returns every rule that the action would break; () exactly when it is legal. Takes any text.

        Each says what is wrong here, in one sentence with its places: 'e5 touches e6.' '' leaves it at the
        rule's words in the rulebook. Rules that hold for all games (GEN) need no words.
        """

    @abstractmethod
    def play(self, position: P, action: Action) -> Step[P]:
        """Plays a legal action. Trusts its caller: ask `judge` first."""

    def after(self, position: P, action: Action) -> P:
        """Returns the position that `play` leads to; sooner in games that need no events for it."""
        return self.play(position, action).position

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Returns how the game ended, or None while it is on."""

    @abstractmethod
    def look(self, position: P) -> Mapping[Place, Look]:
        """Returns what a perfect camera sees; places left out are empty."""

    @abstractmethod
    def looks(self, position: P) -> tuple[Look, ...]:
        """Returns every look that this game can put on the board, `empty` first."""

    @abstractmethod
    def path(self, action: Action) -> tuple[Place, ...]:
        """Returns the places that the action names, in the order in which a finger would tap them."""

    @abstractmethod
    def arrange(self, position: P, looks: Mapping[Place, Look], turn: Player) -> P:
        """Returns an arbiter's correction: the position with these looks on the board and this player's turn.

        What no camera sees is kept from `position` where it can be. PositionError says why not.
        """

    def claim(self, position: P) -> str:
        """Returns why the player to move may claim a draw, in a few words; '' while nobody may."""
        return ""

    def board_for(self, options: Mapping[str, str]) -> str:
        """Returns the name of the board file that the game is played on with these options."""
        return self.board

    def check_board(self, board: Board) -> Iterator[str]:
        """Yields what is wrong with an owner's board that `start` does not refuse, a line each."""
        return iter(())

    def playing(self, position: P) -> tuple[Player, ...]:
        """Returns the seats that are still in the game."""
        return self.players(position)

    def can_win(self, position: P, player: Player) -> bool:
        """Tells whether this player can win at all: in some games not with a bare king."""
        return True


class Words(Mechanics[P]):
    """The part that a game may add for people who read: sentences, labels, prompts, players' notation."""

    sentences: ClassVar[NamedPhrases] = {}
    """A sentence for each kind of event, with `{player}`, `{sites}` and the event's details."""
    phrases: ClassVar[NamedPhrases] = {}
    """The words for details of events that are codes: 'solid' is a 'solid piece'."""
    action_kinds: ClassVar[NamedPhrases] = {}
    """The kinds of action, in a word or two, by a pattern of their spelling; the first that fits counts."""
    labels: ClassVar[NamedPhrases] = {}
    """Actions as buttons name them, in the same way: the groups of the pattern are fields of the words."""
    notations: ClassVar[Sequence[Notation]] = ()
    """The notations in which other programs write and read this game."""

    def tell(self, event: Event) -> str:
        """Returns one sentence for an event."""
        template, sites = self.sentences[event.kind], ", ".join(event.sites)
        return say(template, player=say_player(event.player), sites=sites, **self.details(event))

    def details(self, event: Event) -> Mapping[str, object]:
        """Returns an event's details as its sentence names them."""
        return {key: self._say_detail(key, value) for key, value in event.details.items()}

    def _say_detail(self, key: str, value: object) -> object:
        if key == "owner":
            return say_player(str(value))
        phrase = self.phrases.get(value) if isinstance(value, str) else None
        return say(phrase) if phrase else value

    def label(self, action: Action) -> str:
        """Returns the action as a button names it: 'end the turn'; its spelling where that has no words."""
        return say_spelled(self.labels, action, self.phrases) or action

    def ask(self, position: P, choices: Sequence[Sequence[Action]]) -> Asked | None:
        """Returns how players are asked which of these was played from a position: 'Was it promoted?'

        Each choice is a series of actions. None asks in general which it was, with the labels of the actions.
        """
        return None

    def kind(self, action: Action) -> str:
        """Returns what kind of action this is, in a word or two: 'flip'. '' for a spelling of no kind."""
        return say_spelled(self.action_kinds, action)

    def prompt(self, position: P) -> str:
        """Returns what is owed next, in a few words: 'move or flip one piece'."""
        return ""

    def counts(self, position: P) -> tuple[Count, ...]:
        """Returns the scoreboard, top to bottom."""
        return ()

    def read(self, position: P, text: str) -> Action:
        """Returns the canonical spelling of another allowed way to write an action; else the text itself."""
        return text

    def write(self, position: P, action: Action) -> str:
        """Returns an action as players write it (`Nf3`, `11-15`); `read` gives a legal one back.

        One that is not legal is written in full: `Ra1-h8`.
        """
        return action

    def write_position(self, position: P) -> str:
        """Returns a position as other programs write it (FEN); '' where there is no such way."""
        return ""

    def first_number(self, position: P) -> int:
        """Returns the number of the first round of a game that begins here, as its players count."""
        return 1


class Appearance(Mechanics[P]):
    """The part that a game may add to be drawn and corrected more finely than a camera sees it."""

    def pieces(self, position: P) -> Mapping[Place, Look]:
        """Returns what the page draws: `look` with the kinds that no camera tells apart (`white/knight`)."""
        return self.look(position)

    def palette(self, position: P) -> tuple[Look, ...]:
        """Returns what an arbiter may put on a site, `empty` first: `looks` and finer faces for `arrange`."""
        return self.looks(position)

    def checked(self, position: P) -> tuple[Place, ...]:
        """Returns the places of pieces that are in check, which the page marks."""
        return ()

    def gone(self, first: P, position: P) -> tuple[Look, ...]:
        """Returns the pieces that have left the board for good since the game began at `first`.

        The page lays them beside the board; () where that tells players nothing.
        """
        return ()

    def marks(self, position: P) -> frozenset[str]:
        """Returns the spots of `board.marks` on which move markers lie where players lay them."""
        return frozenset()


class Secrets(Mechanics[P]):
    """The part that a game may add where chance deals, or where not everybody may know everything."""

    def deal(self, position: P, options: Mapping[str, str], rng: Random) -> Action | None:
        """Returns an action that chance makes, such as a set-up that is dealt; None where none is owed."""
        return None

    def form(self, position: P) -> ActionForm | None:
        """Returns the form for the pattern among the legal actions (`=?`); None where there is no pattern."""
        return None

    def view(self, position: P, viewer: Player | None) -> P:
        """Returns the position without what this viewer (None: a spectator) may not know.

        A view is a position of the same rules: play goes on from it, and where that depends on a secret, its
        owner owes an answer first (`reveals`).
        """
        return position

    def keeps_secrets(self, first: P) -> bool:
        """Tells whether players may come to know different things in a game that begins so."""
        return type(self).view is not Secrets.view

    def reveals(self, events: Iterable[Event]) -> tuple[Action, ...]:
        """Returns the answers that tell, where play goes on from a view, what these events have revealed."""
        return ()

    def show(self, action: Action, player: Player, viewer: Player | None, over: bool) -> str:
        """Returns an action of `player` as a viewer may read it: a secret set-up shows to its owner alone."""
        return action

    def reversible(self, position: P) -> bool:
        """Tells whether the last action may be taken back: not once it has revealed a secret."""
        return True

    def audit(
        self,
        first: P,
        actions: Iterable[Action],
        told: Sequence[str],
        outcome: Outcome | None,
        ruled: bool,
    ) -> Contradiction | None:
        """Returns the first thing in a whole game that does not agree with what each seat tells after it.

        `first` is the position before the first action, and `ruled` whether people ended the game before its
        rules did. GameError for a game without such a check, and for what cannot be true.
        """
        raise GameError(f"{self.title} has nothing that is checked against what is told after a game")


class SearchHints(Mechanics[P]):
    """The part that a game may add so that the referee explains boards sooner, and prefers what is usual."""

    def legal_at(self, position: P, places: Collection[Place]) -> Iterator[Action]:
        """Yields the legal actions that name or change any of these places, or name none; perhaps others."""
        return self.legal(position)

    def change(self, position: P, action: Action) -> Changes | None:
        """Returns which pieces a legal action puts, takes and moves, where it is known sooner than by `play`.

        Markers are left out. None where only playing tells.
        """
        return None

    def stops(self, position: P, action: Action) -> Collection[Place]:
        """Returns where the piece of a legal action may rest while hands are at it: on the places that it
        names, and on others where several ways are the same action."""
        return self.path(action)

    def future(self, position: P) -> object:
        """Returns all of a position that bears on what may follow, comparable and hashable.

        Positions that are alike in it need not be told apart.
        """
        return position

    def attempts(self, position: P, changed: Changes) -> Iterator[str]:
        """Yields spellings that a player may have meant by a change that no legal action explains.

        Where a piece went from one place to another, a way of that piece is among them, by its `path`.

        `changed` has for each place the look that should be there, and the one that is. Likeliest first.
        """
        return iter(())

    def rarity(self, position: P, action: Action) -> float:
        """Returns by how many nats players choose this less often than its equals (a promotion to a knight).

        Negative for what is owed.
        """
        return 0.0

    def stands(self, options: Mapping[str, str]) -> bool:
        """Tells whether an action stands once its pieces were let go; else it may still go on, unanswered."""
        return False

    def is_transient(self, action: Action) -> bool:
        """Tells whether what the action puts on the board is gone again when the turn is over."""
        return False


class Thought(Words[P]):
    """The part that a game may add for whoever thinks about it: an opponent, hints, a look back."""

    engines: ClassVar[tuple[str, ...]] = ()
    """The names of UCI programs that play this game; it writes positions as FEN and spells actions as UCI."""
    long_turns: ClassVar[bool] = False
    """True if a turn is a series of many actions, of which only the most promising can be thought about."""
    slips: ClassVar[Mapping[int, float]] = {}
    """The share of its actions that the companion chooses at first sight, by its level, where the usual
    shares (`opponent/levels.py`) make levels that are too much alike."""

    def estimate(self, position: P) -> Mapping[Player, float]:
        """Returns how well each seat stands: more is better, and a lead of 1 is about a plain piece's worth.

        Asked while the game is on, of views too. Unless a game says more, its first count with all players.
        """
        seats = self.players(position)
        values = (count.values for count in self.counts(position))
        return next((found for found in values if {*seats} <= {*found}), dict.fromkeys(seats, 0))

    def considered(self, position: P) -> Iterator[Action]:
        """Yields the legal actions that are worth a thought, one at least; a game has to come to its end."""
        return self.legal(position)

    def takes(self, position: P, action: Action) -> bool:
        """Tells whether a legal action takes a piece, or changes as much: then its answer is thought about
        before the position is judged."""
        return False

    def can_be_thought_about(self, first: P) -> bool:
        """Tells whether the companion can play a seat in a game that begins so: not where it is never told
        what a player's own pieces are."""
        return True

    def guess(self, view: P, viewer: Player, rng: Random) -> P:
        """Returns a position that may be the true one, by all that the viewer of this view knows."""
        return view


class Rules(Thought[P], Appearance[P], Secrets[P], SearchHints[P]):
    """A game's rules: stateless, and pure functions of immutable positions."""
