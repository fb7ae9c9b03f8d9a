"""The rules of a puzzle of placing that an action breaks, the sites concerned, and what is wrong there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.game import Breach, Site
from companion.games.placing.position import Position
from companion.games.reasons import say_occupied
from companion.language import Message, listed, say, say_count


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if position.solved:
        return (Breach("GEN-3"),)
    sign, site = action[:1], action[1:]
    if sign not in ("+", "-") or site not in position.task.claims:
        return (Breach("GEN-1"),)
    if (site in position.placed) == (sign == "+"):
        empty = say("There is no piece on {place}.", place=site)
        return (Breach("PZ-1", (site,), say_occupied(site) if sign == "+" else empty),)
    return tuple(_judge_placing(position, site)) if sign == "+" else ()


def _judge_placing(position: Position, site: Site) -> Iterator[Breach]:
    piece = position.task.piece
    for other in position.conflicts(site):
        contested = _contested(position, site, other)
        words = _say_conflict(site, other, contested)
        yield Breach(piece.conflict_rule, (site, other, *contested), words)
    if position.used_up:
        words = say_count(
            "The {n} piece is placed already.", "All {n} pieces are placed already.", len(position.placed)
        )
        yield Breach(piece.number_rule, (site,), words)


def _say_conflict(site: Site, other: Site, contested: Sequence[Site]) -> Message:
    if not contested:
        return say("{place} and {other} are in one line.", place=site, other=other)
    places = listed(contested)
    return say(
        "The pawns on {place} and {other} would both own {places}.", place=site, other=other, places=places
    )


def _contested(position: Position, one: Site, other: Site) -> tuple[Site, ...]:
    """Returns the other sites that the two pieces both claim, where their claims are sites."""
    claims = position.task.claims
    return tuple(sorted(claims[one] & claims[other] & claims.keys() - {one, other}))
