"""The rules of a puzzle of placing that an action breaks, and the sites concerned."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Breach, Site
from companion.games.placing.position import Position


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if position.solved:
        return (Breach("GEN-3"),)
    sign, site = action[:1], action[1:]
    if sign not in ("+", "-") or site not in position.task.claims:
        return (Breach("GEN-1"),)
    if (site in position.placed) == (sign == "+"):
        return (Breach("PZ-1", (site,)),)
    return tuple(_judge_placing(position, site)) if sign == "+" else ()


def _judge_placing(position: Position, site: Site) -> Iterator[Breach]:
    piece = position.task.piece
    for other in position.conflicts(site):
        yield Breach(piece.conflict_rule, (site, other, *_contested(position, site, other)))
    if position.used_up:
        yield Breach(piece.number_rule, (site,))


def _contested(position: Position, one: Site, other: Site) -> tuple[Site, ...]:
    """Returns the other sites that the two pieces both claim, where their claims are sites."""
    claims = position.task.claims
    return tuple(sorted(claims[one] & claims[other] & claims.keys() - {one, other}))
