"""Carries what a look back has found to the process that draws a score sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.core.game import Player
from companion.core.players import say_player
from companion.language import say
from companion.record.session import Session
from companion.wire import codec
from opponent.review import TurnJudgement, turning_points

KEY = "looked_back"
"""The key of a head that holds it, for the sheet alone."""


@dataclass(frozen=True, slots=True)
class LostChance:
    """A turn that gave much away, and what was better, as players write them."""

    player: Player
    played: str
    better: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Chances:
    """For each turn its last ply, its player, and the chance that it left; and the turning points."""

    turns: tuple[tuple[int, Player, float], ...]
    points: tuple[LostChance, ...] = ()


def write(session: Session, found: Sequence[TurnJudgement]) -> str:
    """Returns what a look back has found as the line of a head."""
    turns = tuple((one.turn.last + 1, one.turn.player, round(one.left, 3)) for one in found)
    points = tuple(_lost(session, one) for one in turning_points(found))
    return codec.write(Chances(turns, points)).decode()


def _lost(session: Session, one: TurnJudgement) -> LostChance:
    return LostChance(one.turn.player, *as_written(session, one), one.chance, one.left)


def as_written(session: Session, judged: TurnJudgement) -> tuple[str, str]:
    """Returns what was played in a turn and what was better, as players write it."""
    turn = judged.turn
    before = replace(session, plies=session.plies[: turn.first], ruled=None)
    played = (ply.action for ply in session.plies[turn.first : turn.last + 1])
    return " ".join(before.write(*played)), " ".join(before.write(*judged.better))


def read(text: str) -> Chances | None:
    """Returns what the line of a head says; None where it says nothing of the kind."""
    try:
        return codec.decode(text.encode(), Chances) if text else None
    except codec.WireError:
        return None


def say_points(chances: Chances) -> Iterator[str]:
    """Yields a sentence for each turning point."""
    for point in chances.points:
        yield say(
            "{player}: {played}. Better: {better} ({before} → {after})",
            player=say_player(point.player),
            played=point.played,
            better=point.better,
            before=f"{point.before:.0%}",
            after=f"{point.after:.0%}",
        )


def shown(session: Session) -> tuple[Player, ...]:
    """Returns the players who have a line: of two the first, since the other's chance is the rest."""
    return session.players[:1] if len(session.players) == 2 else session.players
