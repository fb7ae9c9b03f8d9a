"""The messages that a table's inbox takes. `by` is a player, `arbiter`, or '' where anybody may."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import dataclass_transform

from companion.core.game import Action, Breach, Look, Place, Player
from companion.record.session import ARBITER, Entry, Session, write_looks
from companion.sensing.observation import Sighting


@dataclass_transform(frozen_default=True)
class Message:
    """The base of all messages: each class is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class NewGame(Message):
    """Begin a game from a game text; actions in it are played at once. `head` holds names, place, event,
    and `clock`, a time control."""

    text: str
    head: Mapping[str, str] = field(default_factory=dict)


class Propose(Message):
    """A game that a round has for this table, as NewGame takes it; with '' there is none any more.

    It waits until it is begun. One that was begun already, by the pairing in its head, is no proposal.
    """

    text: str = ""
    head: Mapping[str, str] = field(default_factory=dict)


class Report(Message):
    """Something beside the table is away, with words that say why; '' where it is there. Play may need it, as
    it does an opponent, or go on without it."""

    name: str
    words: str = ""
    is_needed: bool = False


class BeginProposed(Message):
    """Begin the game that was proposed."""


class OpenGame(Message):
    """Go on with a stored game."""

    number: int


class Submit(Message):
    """An action entered by hand, not seen."""

    action: str
    by: str = ""
    source: str = "tablet"


class Answer(Message):
    """The choice among equals that a question offered."""

    question: int
    choice: tuple[Action, ...]
    by: str = ""


class TakeBack(Message):
    count: int = 1
    by: str = ""


class Deed(Message):
    """Something of which the log says no more than its `kind`, and who did it: `redo`, `resign`, a draw that
    is claimed (`claim`: the rules give it to the player to move), offered, accepted or declined (`offer`,
    `accept`, `decline`), or the time of a player at another table that is up by the clock there (`flag`)."""

    kind: str
    by: Player = ""


class EndTurn(Message):
    """The player pressed the clock: all of the turn stands on the board."""

    by: str = ""


class RuleResult(Message):
    """The arbiter's result: a winner, or '' for a draw."""

    winner: Player


class ChangeTime(Message):
    """The arbiter gives a player so many seconds (fewer than 0: takes them), or sets their clock to that, all
    periods of byo-yomi among them."""

    player: Player
    seconds: float
    is_set: bool = False


class StopClock(Message):
    """The arbiter stops the clock, or lets it go on."""

    is_stopped: bool = True


class ChangeHead(Message):
    """The arbiter tells more of the game that is on: names of players, event, place, round, board. An empty
    text takes away what was told."""

    head: Mapping[str, str]


class Correct(Message):
    """The arbiter's correction: these looks stand on the board (places left out are empty)."""

    looks: Mapping[Place, Look]
    turn: Player


class Believe(Message):
    """The board is right as the game has it; whatever the sensors say against it is their mistake."""


class TurnBoard(Message):
    """The pieces are laid from the other side of the board: it is read from there."""


class CloseGame(Message):
    """Clears the table; the game stays stored."""


class FromElsewhere(Message):
    """A message from the other table of a game. `left` are the seconds that its clock leaves the player."""

    message: Message
    left: float | None = None


class SightingArrived(Message):
    sighting: Sighting


class Removed(Message):
    """A source of sightings is looked through no more: nobody waits for it, and it is shown no more."""

    name: str


class Tick(Message):
    """Time went by."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A message that was meant for one game (0: for an empty table), when so many actions stood; None where
    that does not matter. It is refused where the table went on: who sent it saw something else."""

    message: Message
    number: int | None = None
    plies: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a message: whether it was carried out; if not, why, in words and as the rules broken."""

    ok: bool
    words: str = ""
    breaches: tuple[Breach, ...] = ()


def entry_of(message: Message, session: Session) -> Entry:
    """Returns the log's line for what a person entered. A correction keeps what no camera sees."""
    match message:
        case Submit(action, by, source):
            return Entry("action", session.rules.read(session.position, action), by, source)
        case TakeBack(count, by):
            return Entry("takeback", str(count), by, "tablet")
        case Deed(kind, by):
            return Entry(kind, "", by, "clock" if kind == "flag" else "tablet")
        case RuleResult(winner):
            return Entry("result", winner, ARBITER, "tablet")
        case Correct(looks, turn):
            before = session.rules.pieces(session.public_position)
            return Entry("correction", write_looks(turn, looks, before), ARBITER, "tablet")
    raise TypeError(message)
