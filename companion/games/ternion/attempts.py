"""What a player may have meant by a change of the board that no legal action explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core import EMPTY, Changes, Look, Place
from companion.games.ternion.net import listed
from companion.games.ternion.position import Phase, Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    """Spellings for what left a place and what came to one, likeliest first."""
    gone = [p for p, (was, now) in changed.items() if _owner(was) and not _owner(now)]
    come = [p for p, (was, now) in changed.items() if _owner(now) and not _owner(was)]
    for start in gone:
        for end in come:
            if _owner(changed[start][0]) == _owner(changed[end][1]):
                yield from _carried(position, start, end, changed[start][0])
    if not come:
        yield from (f"-{place}" for place in gone)
    if not gone:
        yield from come if position.phase is Phase.PLACE else (f"+{place}" for place in come)


def _carried(position: Position, start: Place, end: Place, look: Look) -> Iterator[str]:
    """A pawn went from one place to another: at the review, by a step, or over others."""
    if position.phase is Phase.REVIEW:
        if look.endswith("+T"):
            yield f"~{end}>{start}"
        elif look.endswith("+A"):
            yield f"~{start}>{end}"
    yield from _paths(position, start, end)


def _paths(position: Position, start: Place, end: Place) -> Iterator[str]:
    net, sites = position.setup.net, position.sites
    a, b = net.index[start], net.index[end]
    if b in net.gates[a]:
        yield f"{start}-{end}"
    over = [(s,) for s in net.gates[a] if b in net.gates[s]]
    over_two = [(s, t) for s in net.gates[a] for t in net.gates[s] if b in net.gates[t] and t != a and s != b]
    passed = [path for path in (*over, *over_two) if all(sites[s] for s in path)]
    for path in passed or over:
        yield "-".join((start, *listed(net, path), end))
    yield f"{start}-{end}"


def _owner(look: Look) -> str:
    return "" if look == EMPTY else look.partition("+")[0]
