"""Actions of the Ternion games that a player may have meant by a change that no legal action explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import EMPTY, Changes, Look, Place, Player
from companion.games.ternion.board import Net, listed
from companion.games.ternion.position import Phase, Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    """Yields spellings for pawns that left a place or came to one, the likeliest first."""
    left: dict[Place, Look] = {}
    entered: dict[Place, Look] = {}
    for place, (before, after) in changed.items():
        if _owner(before) and not _owner(after):
            left[place] = before
        elif _owner(after) not in ("", _owner(before)):
            entered[place] = after
    yield from _carried(position, left, entered, changed)
    if not entered:
        yield from (f"-{place}" for place in left)
    if not left:
        sign = "" if position.phase is Phase.PLACE else "+"
        yield from (sign + place for place in entered if not _owner(changed[place][0]))


def _owner(look: Look) -> Player:
    """Returns the owner of a pawn; '' where there is none."""
    return "" if look == EMPTY else look.partition("+")[0]


def _carried(
    position: Position, left: dict[Place, Look], entered: dict[Place, Look], changed: Changes
) -> Iterator[str]:
    """Yields what takes a pawn from one place to another: an alteration at the review, or a move."""
    for start, before in left.items():
        for end, after in entered.items():
            if _owner(before) != _owner(after):
                continue
            if position.phase is Phase.REVIEW:
                yield from _alterations(start, end, changed)
            yield from _moves(position, start, end)


def _alterations(start: Place, end: Place, changed: Changes) -> Iterator[str]:
    """Yields the alteration of a pawn with an A, or of one with a T that goes to a bare T (TF-13)."""
    look, there = changed[start][0], changed[end][0]
    if look.endswith("+A"):
        yield f"~{start}>{end}"
    elif look.endswith("+T") and there == "+T":
        yield f"~{end}>{start}"


def _moves(position: Position, start: Place, end: Place) -> Iterator[str]:
    """Yields a step, then jumps over pawns, else over any one site; then a step that no line allows."""
    net, sites = position.setup.net, position.sites
    a, b = net.index[start], net.index[end]
    if b in net.gates[a]:
        yield f"{start}-{end}"
    over_one, over_two = _ways_over_one(net, a, b), _ways_over_two(net, a, b)
    over_pawns = [way for way in over_one + over_two if all(sites[site] for site in way)]
    for way in over_pawns or over_one:
        yield "-".join((start, *listed(net, way), end))
    yield f"{start}-{end}"


def _ways_over_one(net: Net, start: int, end: int) -> list[tuple[int, ...]]:
    return [(site,) for site in net.gates[start] if end in net.gates[site]]


def _ways_over_two(net: Net, start: int, end: int) -> list[tuple[int, ...]]:
    ways: list[tuple[int, ...]] = []
    for first in net.gates[start]:
        if first != end:
            ways.extend((first, *rest) for rest in _ways_over_one(net, first, end) if rest != (start,))
    return ways
