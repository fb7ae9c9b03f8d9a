"""Finds in what a board told why it needs a person, and since when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from companion.wire.hall import BoardClock, BoardState
from companion.wire.state import Verdict

NeedKind = Literal["refused", "question", "flag", "draw", "silent", "sensor", "store"]
OVERDUE = 20.0
"""The seconds after which a clock that has run out, and of which its board says nothing, means that the
board has gone silent."""
STORE = "recording"
"""The name under which a board tells of its own store, among its sensors."""
UNWELL = ("trouble", "unlearned", "lost")
"""The states of a sensor that somebody has to look after."""
STOPPED = ("refused", "restore")
"""The kinds of verdicts for which play stands still."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something that waits for a person.

    `since` is by the wall's clock, and may lie ahead: then it begins to wait at that moment.
    """

    kind: NeedKind
    number: int | None = None
    """The game's number at its board."""
    player: str = ""
    action: str = ""
    rules: tuple[str, ...] = ()
    source: str = ""
    words: str = ""
    """What the board says of it, in English."""
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class WaitingNeed:
    """A need that was found, and since when it waits: by the board's clock (`told_at`) or by the wall's
    (`known_at`), where that is known. A deadline is a moment that moves with each letter."""

    need: Need
    told_at: float | None = None
    known_at: float | None = None
    is_deadline: bool = False


def waits_of(
    status: str, status_at: float, mute_since: float, told: BoardState, clock: BoardClock | None
) -> tuple[WaitingNeed, ...]:
    """Returns what needs a person at a board.

    `status_at` is since when its status is so, `mute_since` since when no letter came; 0 where they come.
    """
    silences = _silences(status, status_at, mute_since, told, clock)
    return (*silences, *_play(told), *_flags(told, clock), *_sensors(told))


def going_on(
    known: Iterable[Need], waits: Iterable[WaitingNeed], ahead: float, now: float
) -> tuple[Need, ...]:
    """Returns the needs of a board, each with since when it waits: those that were known already keep that.

    `ahead` is by how many seconds the wall's clock is ahead of the board's.
    """
    earlier = {replace(need, since=0.0): need.since for need in known}

    def since(wait: WaitingNeed) -> float:
        is_known = wait.need in earlier and not wait.is_deadline
        return earlier[wait.need] if is_known else _began(wait, ahead, now)

    return tuple(replace(wait.need, since=since(wait)) for wait in waits)


def _began(wait: WaitingNeed, ahead: float, now: float) -> float:
    if wait.told_at is not None:
        return wait.told_at + ahead
    return now if wait.known_at is None else wait.known_at


def _silences(
    status: str, status_at: float, mute_since: float, told: BoardState, clock: BoardClock | None
) -> Iterator[WaitingNeed]:
    if status == "offline":
        yield WaitingNeed(Need("silent", words="offline"), known_at=status_at)
    elif not status:
        yield WaitingNeed(Need("silent", words="unknown"))
    elif mute_since:
        yield WaitingNeed(Need("silent", words="mute"), known_at=mute_since)
    elif clock and not clock.flags and not told.outcome and (left := _running_down(clock)) is not None:
        need = Need("silent", told.number, clock.runs or "", words="overdue")
        yield WaitingNeed(need, clock.at + max(0.0, left) + clock.delay + OVERDUE, is_deadline=True)


def _running_down(clock: BoardClock) -> float | None:
    """Returns the seconds that are left on the clock that runs; None while none does."""
    return None if clock.paused else clock.left.get(clock.runs or "")


def rules_of(verdict: Verdict) -> tuple[str, ...]:
    """Returns the numbers of the rules that a verdict names, each once."""
    return tuple(dict.fromkeys(breach.rule for breach in verdict.breaks))


def _play(told: BoardState) -> Iterator[WaitingNeed]:
    """Yields what waits in a game that goes on."""
    if told.outcome:
        return
    since, number = told.since, told.number
    if (found := told.verdict) and found.kind in STOPPED:
        action = found.written or found.action or ""
        yield WaitingNeed(Need("refused", number, told.to_act, action, rules_of(found)), since.get("verdict"))
    if told.question:
        yield WaitingNeed(Need("question", number, told.question.by), since.get("question"))
    if told.offer:
        yield WaitingNeed(Need("draw", number, told.offer.by), since.get("offer"))


def _flags(told: BoardState, clock: BoardClock | None) -> Iterator[WaitingNeed]:
    if clock and not told.outcome:
        for player in clock.flags:
            yield WaitingNeed(Need("flag", told.number, player))


def _sensors(told: BoardState) -> Iterator[WaitingNeed]:
    for source in told.sources:
        if source.state in UNWELL:
            kind: NeedKind = "store" if source.name == STORE else "sensor"
            yield WaitingNeed(Need(kind, source=source.name, action=source.state, words=source.words))
