"""Reads the state and the clock of a board from the messages of its topics `state` and `clock`.

Any program with the rights of a board may have written them: every member is checked before it is used. The
sentences in them are English; the wall makes its own, from what the other members say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from broker_bridge.messages import MessageError, read_json

STATES = ("empty", "setup", "playing", "over")
MOST = 400
"""The most pieces, names, sources or choices of a board that are read."""
LONGEST = 400
"""The most characters of a text that are read."""
Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class GameOn:
    """The game on a board: its name, its options, and the players in their order."""

    name: str
    title: str
    options: Mapping[str, str]
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LastAction:
    """The action played last: the `n`th."""

    n: int
    written: str
    player: str
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why play waits at the board: `kind` is that of the verdict, as 'refused' or 'restore'."""

    kind: str
    action: str
    rules: tuple[str, ...]
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the referee, and its choices: for each the actions and their words."""

    id: int
    by: str
    words: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game. `winner` is None where nobody has won."""

    winner: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A board as spectators see it. Times are seconds since 1970 by the board's clock."""

    companion: str = ""
    address: str = ""
    at: float = 0.0
    state: str = "empty"
    number: int | None = None
    game: GameOn | None = None
    head: Mapping[str, str] = field(default_factory=dict)
    turn: str = ""
    to_act: str = ""
    pieces: Mapping[str, str] = field(default_factory=dict)
    checked: tuple[str, ...] = ()
    last: LastAction | None = None
    refusal: Refusal | None = None
    question: Asked | None = None
    offer: str = ""
    """The player who offers a draw."""
    ending: Ending | None = None
    sources: tuple[tuple[str, str, str], ...] = ()
    """The name of each sensor, its state, and its words."""
    since: Mapping[str, float] = field(default_factory=dict)


NOTHING_TOLD = Scene()


@dataclass(frozen=True, slots=True)
class BoardClock:
    """The players' clock at `at` (by the board's clock): the seconds that each has left, and whose runs."""

    at: float
    number: int | None
    left: Mapping[str, float]
    runs: str
    is_paused: bool
    is_held: bool
    delay: float
    flags: tuple[str, ...]
    byo_yomi: Mapping[str, tuple[int, int]]

    @property
    def is_running(self) -> bool:
        return self.runs in self.left and not self.is_paused


def read_scene(payload: bytes) -> Scene:
    """Reads the message of topic `state`. MessageError for anything else."""
    return _read(payload, _scene)


def read_clock(payload: bytes) -> BoardClock | None:
    """Reads the message of topic `clock`; None where no clock runs. MessageError for anything else."""
    if payload.strip() in (b"", b"null"):
        return None
    return _read(payload, _clock)


def _read(payload: bytes, make: Callable[[Mapping[str, Any]], Kind]) -> Kind:
    values = read_json(payload)
    try:
        return make(values)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise MessageError(f"this is no message of a board: {error}") from error


def _scene(values: Mapping[str, Any]) -> Scene:
    state = _text(values.get("state", "empty"))
    if state not in STATES:
        raise ValueError(f"'{state}' is no state")
    return Scene(
        companion=_text(values.get("companion")),
        address=_text(values.get("address")),
        at=_number(values.get("at")),
        state=state,
        number=_count_or_none(values.get("number")),
        game=_game(values["game"]) if values.get("game") else None,
        head=_texts(values.get("head")),
        turn=_text(values.get("turn")),
        to_act=_text(values.get("to_act")),
        pieces=_texts(values.get("pieces")),
        checked=_list(values.get("checked"), _text),
        last=_last(values["last"]) if values.get("last") else None,
        refusal=_refusal(values["verdict"]) if values.get("verdict") else None,
        question=_question(values["question"]) if values.get("question") else None,
        offer=_text(values["offer"]["by"]) if values.get("offer") else "",
        ending=_ending(values["outcome"]) if values.get("outcome") else None,
        sources=_list(values.get("sources"), _source),
        since=_mapping(values.get("since"), _number),
    )


def _game(values: Mapping[str, Any]) -> GameOn:
    players = _list(values.get("players"), _text)
    return GameOn(_text(values["name"]), _text(values.get("title")), _texts(values.get("options")), players)


def _last(values: Mapping[str, Any]) -> LastAction:
    written = _text(values.get("written")) or _text(values.get("action"))
    sites = _list(values.get("sites"), _text)
    return LastAction(_count(values.get("n", 0)), written, _text(values.get("player")), sites)


def _refusal(values: Mapping[str, Any]) -> Refusal:
    breaks = _list(values.get("breaks"), dict)
    rules = tuple(_text(found["rule"]) for found in breaks)
    sites = tuple(site for found in breaks for site in _list(found.get("sites"), _text))
    written = _text(values.get("written")) or _text(values.get("action"))
    return Refusal(_text(values["kind"]), written, rules, sites)


def _question(values: Mapping[str, Any]) -> Asked:
    choices = _list(values.get("choices"), lambda one: (_text(one["action"]), _text(one.get("words"))))
    return Asked(_count(values["id"]), _text(values.get("by")), _text(values.get("words")), choices)


def _ending(values: Mapping[str, Any]) -> Ending:
    return Ending(_text(values.get("winner")) or None, _text(values.get("reason")))


def _source(values: Mapping[str, Any]) -> tuple[str, str, str]:
    return _text(values["name"]), _text(values.get("state")), _text(values.get("words"))


def _clock(values: Mapping[str, Any]) -> BoardClock:
    return BoardClock(
        at=_number(values["at"]),
        number=_count_or_none(values.get("number")),
        left=_mapping(values["left"], _number),
        runs=_text(values.get("runs")),
        is_paused=bool(values.get("paused")),
        is_held=bool(values.get("held")),
        delay=_number(values.get("delay")),
        flags=_list(values.get("flags"), _text),
        byo_yomi=_mapping(
            values.get("byo_yomi"), lambda one: (_count(one["periods"]), _count(one["seconds"]))
        ),
    )


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.40} is no text")
    return value[:LONGEST]


def _number(value: Any) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:
        raise ValueError(f"{value!r:.40} is no number")
    return float(value)


def _count(value: Any) -> int:
    number = _number(value)
    if number != int(number) or number < 0:
        raise ValueError(f"{value!r:.40} is no count")
    return int(number)


def _count_or_none(value: Any) -> int | None:
    return None if value is None else _count(value)


def _list(values: Iterable[Any] | None, read: Callable[[Any], Kind]) -> tuple[Kind, ...]:
    if values is None:
        return ()
    if not isinstance(values, list) or len(values) > MOST:
        raise ValueError("a list is none, or too long")
    return tuple(map(read, values))


def _mapping(values: Any, read: Callable[[Any], Kind]) -> dict[str, Kind]:
    if values is None:
        return {}
    if not isinstance(values, dict) or len(values) > MOST:
        raise ValueError("an object is none, or too large")
    return {_text(name): read(value) for name, value in values.items()}


def _texts(values: Any) -> dict[str, str]:
    return _mapping(values, _text)
