"""The fewest steps from the board as it is to the board as it should be, each said in words.

One step is what one hand does once: move a piece, turn it over, put one on, take one off.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import dist

from companion.board import Board
from companion.core import EMPTY, Look, Place
from companion.referee.evidence import NEW
from companion.referee.looks import bare

ADJECTIVES = {"solid", "marked"}
"""Faces that describe a piece; the others name it."""
NEUTRAL = {"magnet"}
"""Pieces that belong to nobody."""
ALONE = "solver"
"""Who plays alone: all pieces are theirs, and need no owner's name."""
FEW = 4
"""So many places are named in words."""
EXACT = 6
"""Up to this many pieces of a kind the pairing is the best one; beyond, the nearest pair goes first."""


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One piece to handle: from a place (None: from beside the board) to a place (None: off the board)."""

    start: Place | None
    end: Place | None
    look: Look
    words: str


def guide(board: Board, should: Mapping[Place, Look], seen: Mapping[Place, Look]) -> tuple[GuideStep, ...]:
    """Steps that put the board right, in an order in which each can be done."""
    extra = {p: look for p, look in seen.items() if should.get(p, EMPTY) != look}
    missing = {p: look for p, look in should.items() if seen.get(p, EMPTY) != look}
    steps = [*_turns(extra, missing), *_marker_steps(extra, missing)]
    under = {p for p in extra.keys() & missing.keys() if missing[p].endswith(extra[p])}
    extra = {p: look for p, look in extra.items() if p not in under}  # its marker lies where it should
    for same in (_same_look, _same_owner):
        steps += [_move(a, b, extra.pop(a), missing.pop(b)) for a, b in _pairs(board, extra, missing, same)]
    steps += [_take(place, look) for place, look in extra.items()]
    steps += [_put(place, look) for place, look in missing.items()]
    return tuple(_in_order(steps, seen.keys() - under))


def say_look(look: Look) -> str:
    """A look in words: `red/marked` is 'marked red piece', `white/king` 'white king', `white+T` 'white piece
    with a T marker'."""
    piece, _, marker = look.partition("+")
    owner, _, face = piece.partition("/")
    if look == NEW:
        return "unknown piece"
    if not piece:
        return f"{marker} marker"
    words = _say_piece(owner, face)
    return f"{words} with {_with_article(f'{marker} marker')}" if marker else words


def _say_piece(owner: str, face: str) -> str:
    if owner in NEUTRAL:
        return owner
    if owner == ALONE:
        return face or "piece"
    if face in ADJECTIVES:
        return f"{face} {owner} piece"
    return f"{owner} {face or 'piece'}"


def say_differences(should: Mapping[Place, Look], seen: Mapping[Place, Look], places: Sequence[Place]) -> str:
    """What is missing, too much or another piece at a few places, in a sentence each."""
    return " ".join(_say_difference(p, should.get(p, EMPTY), seen.get(p, EMPTY)) for p in places[:FEW])


def _say_difference(place: Place, was: Look, now: Look) -> str:
    if now == EMPTY:
        return f"The {say_look(was)} is gone from {place}."
    if was == EMPTY:
        return f"There is {_with_article(say_look(now))} on {place}."
    return f"There is {_with_article(say_look(now))} on {place}, not the {say_look(was)}."


def _with_article(words: str) -> str:
    return f"an {words}" if words[0] in "aeiouA" else f"a {words}"


def say_markers(missing: Sequence[Place], stray: Sequence[Place], looks: Mapping[Place, Look]) -> str:
    """What players should do with markers: those on a piece's place have a letter, those between none."""
    lay = [f"{looks[p].partition('+')[2]} on {p}" if p in looks else f"a move marker at {p}" for p in missing]
    take = [f"the move marker off {p}" for p in stray]
    words = [f"Lay {', '.join(lay)}."] if lay else []
    return " ".join(words + ([f"Take {', '.join(take)}."] if take else []))


def owner_of(look: Look) -> str:
    return look.partition("+")[0].partition("/")[0]


def _turns(extra: dict[Place, Look], missing: dict[Place, Look]) -> Iterator[GuideStep]:
    for place in sorted(extra.keys() & missing.keys()):
        if owner_of(extra[place]) == owner_of(missing[place]) and "+" not in extra[place] + missing[place]:
            del extra[place]
            look = missing.pop(place)
            words = f"Turn the piece on {place}: it should be the {say_look(look)}."
            yield GuideStep(place, place, look, words)


def _marker_steps(extra: dict[Place, Look], missing: dict[Place, Look]) -> Iterator[GuideStep]:
    for place in sorted({*extra, *missing}):
        was, now = missing.get(place, EMPTY), extra.get(place, EMPTY)
        bare_was, bare_now = was.partition("+")[0], now.partition("+")[0]
        if "+" in was + now and bare_was.replace(EMPTY, "") == bare_now.replace(EMPTY, ""):
            extra.pop(place, None)
            missing.pop(place, None)
            yield from _marker_step(place, was, now)


def _marker_step(place: Place, was: Look, now: Look) -> Iterator[GuideStep]:
    laid, wanted = now.partition("+")[2], was.partition("+")[2]
    if laid:
        yield GuideStep(place, None, f"+{laid}", f"Take the {laid} marker off {place}.")
    if wanted:
        yield GuideStep(None, place, f"+{wanted}", f"Lay {_with_article(f'{wanted} marker')} on {place}.")


def _same_look(a: Look, b: Look) -> bool:
    return a == b


def _same_owner(a: Look, b: Look) -> bool:
    return owner_of(a) == owner_of(b) and NEW not in (a, b)


def _pairs(
    board: Board,
    extra: Mapping[Place, Look],
    missing: Mapping[Place, Look],
    same: Callable[[Look, Look], bool],
) -> list[tuple[Place, Place]]:
    pairs: list[tuple[Place, Place]] = []
    for look in sorted(set(missing.values())):
        ends = [p for p, wanted in missing.items() if wanted == look]
        taken = {a for a, _ in pairs}
        starts = [p for p, there in extra.items() if same(there, look) and p not in taken]
        pairs += _nearest(board, starts, ends)
    return pairs


def _nearest(board: Board, starts: list[Place], ends: list[Place]) -> list[tuple[Place, Place]]:
    if not starts or not ends:
        return []
    if len(starts) > EXACT or len(ends) > EXACT:
        a, b = min(((a, b) for a in starts for b in ends), key=lambda ab: _distance(board, ab))
        rest = _nearest(board, [s for s in starts if s != a], [e for e in ends if e != b])
        return [(a, b), *rest]
    if len(starts) <= len(ends):
        choices = (list(zip(starts, some, strict=True)) for some in permutations(ends, len(starts)))
    else:
        choices = (list(zip(some, ends, strict=True)) for some in permutations(starts, len(ends)))
    return min(choices, key=lambda pairs: sum(_distance(board, pair) for pair in pairs))


def _distance(board: Board, pair: tuple[Place, Place]) -> float:
    return dist(board.where(pair[0]), board.where(pair[1]))


def _move(start: Place, end: Place, was: Look, look: Look) -> GuideStep:
    turned = "" if bare(was) == bare(look) else f", as the {say_look(look)}"
    return GuideStep(start, end, look, f"Move the {say_look(was)} from {start} to {end}{turned}.")


def _take(place: Place, look: Look) -> GuideStep:
    return GuideStep(place, None, look, f"Take the {say_look(look)} off {place}.")


def _put(place: Place, look: Look) -> GuideStep:
    return GuideStep(None, place, look, f"Put {_with_article(say_look(look))} on {place}.")


def _in_order(steps: list[GuideStep], seen: Collection[Place]) -> Iterator[GuideStep]:
    """Takes first; then whatever goes to a free place; a ring of moves begins anywhere."""
    taken = set(seen)
    waiting = sorted(steps, key=lambda step: (step.end is not None, step.start is None))
    while waiting:
        free = (s for s in waiting if s.end is None or s.end == s.start or s.end not in taken)
        step = next(free, waiting[0])
        waiting.remove(step)
        taken.discard(step.start or "")
        if step.end:
            taken.add(step.end)
        yield step
