"""The way back: the fewest steps from the board as it is to the board as it should be, said in words.

One step is what one hand does once: move a piece, turn it over, put one on, take one off. Looks and their
differences are said in words here too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from math import dist
from operator import eq

from companion.core.board import Board, PieceSet
from companion.core.game import EMPTY, Look, Place
from companion.core.players import COLOURS
from companion.language import Message, listed, say, say_text, sentences
from companion.referee.evidence.evidence import NEW
from companion.referee.evidence.looks import bare

ADJECTIVES = {"solid", "marked"}
"""Faces that describe a piece; the others name it."""
SIDES = {"north", "south"}
"""Owners who are no colour that a piece could have."""
ALONE = "solver"
"""The player who plays alone: all pieces are theirs, and need no owner's name."""
STACK = "stack"
"""The badge of a face that is two pieces, one on the other."""
FEW_NAMED = 4
"""The most places that are named in words."""
EXACT = 6
"""Up to this many pieces of a kind the pairing is the best one; beyond, the nearest pair goes first."""


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One piece to handle: from a place (None: from beside the board) to a place (None: off the board)."""

    start: Place | None
    end: Place | None
    look: Look
    words: str


def guide(
    board: Board,
    should: Mapping[Place, Look],
    seen: Mapping[Place, Look],
    drawn: Mapping[Place, Look] | None = None,
    standing: Mapping[Place, Look] | None = None,
) -> tuple[GuideStep, ...]:
    """Returns the steps that put the board right, in an order in which each can be done.

    `drawn` are the pieces with the kinds that no sensor tells apart: a step names the king that should stand
    there, and not a piece. `standing` are those that stand there now: a king goes where the king should, and
    no rook that is nearer.
    """
    extra, missing = _unlike(seen, should), _unlike(should, seen)
    pieces = board.pieces
    steps = [*_turns(pieces, extra, missing), *_marker_steps(extra, missing)]
    # Where only the piece of a marker is missing, the marker lies right, and is in nobody's way.
    markers = {p for p in extra.keys() & missing.keys() if missing[p].endswith(extra[p])}
    for place in markers:
        del extra[place]
    # Where a piece is in its way a marker lies beside it, or players lay none.
    missing = {place: look for place, look in missing.items() if bare(look) != EMPTY}
    names, known = with_kinds(should, drawn or {}), with_kinds(seen, standing or {})
    # What looks right and is known to be of another kind is no piece without a name: three names differ.
    other = {p for p, look in seen.items() if should.get(p) == look and len({look, known[p], names[p]}) == 3}
    extra |= {place: seen[place] for place in other}
    missing |= {place: should[place] for place in other}
    kinds = _pairs(board, _named(extra, known), _named(missing, names), eq)
    steps += _moves(board, extra, missing, kinds, names)
    for place in other & extra.keys() & missing.keys():  # what looks right stays
        del extra[place], missing[place]
    steps += _moves(board, extra, missing, _pairs(board, extra, missing, eq), names)
    steps += _moves(board, extra, missing, _pairs(board, extra, missing, _same_owner), names)
    steps += [_take(pieces, place, look) for place, look in extra.items()]
    steps += [_put(pieces, place, look, names[place]) for place, look in missing.items()]
    ordered = _in_order(steps, seen.keys() - markers)
    return tuple(replace(step, words=board.called(step.words)) for step in ordered)


def with_kinds(looks: Mapping[Place, Look], drawn: Mapping[Place, Look]) -> dict[Place, Look]:
    """Returns what stands there with the kinds with which pieces are drawn, as far as they are known."""
    return {place: _with_kind(look, drawn.get(place, look)) for place, look in looks.items()}


def _with_kind(look: Look, drawn: Look) -> Look:
    """Returns a look with the kind with which its piece is drawn, where that is a word: `white/king`."""
    owner, _, kind = drawn.partition("/")
    return drawn if look == owner and len(kind) > 2 and kind.isalpha() else look


def _named(looks: Mapping[Place, Look], names: Mapping[Place, Look]) -> dict[Place, Look]:
    return {place: names[place] for place in looks}


def _unlike(looks: Mapping[Place, Look], others: Mapping[Place, Look]) -> dict[Place, Look]:
    """Returns the looks of one board where the other has another one."""
    return {place: look for place, look in looks.items() if others.get(place, EMPTY) != look}


def _moves(
    board: Board,
    extra: dict[Place, Look],
    missing: dict[Place, Look],
    pairs: Sequence[tuple[Place, Place]],
    names: Mapping[Place, Look],
) -> list[GuideStep]:
    """Takes the pieces of these pairs out of both, and returns the moves from one place to the other. A piece
    that is to be one of a stack gets the other once it is there."""
    steps = []
    for start, end in pairs:
        was, look = extra.pop(start), missing.pop(end)
        # Where faces are not told apart a stack is but a name of what rules made of a piece (a king).
        is_told = "" not in board.pieces.faces
        is_stack, was_stack = (is_told and board.pieces.face(other).badge == STACK for other in (look, was))
        if was_stack and not is_stack:
            steps.append(GuideStep(start, start, look, _say_turn(board.pieces, start, was, look)))
            was = look
        moved = was if is_stack else look
        steps.append(_move(board, (start, end), was, moved, moved if is_stack else names[end]))
        if is_stack and not was_stack:
            steps.append(GuideStep(end, end, look, _say_turn(board.pieces, end, was, look)))
    return steps


def say_look(pieces: PieceSet, look: Look) -> Message:
    """Returns a look in words.

    `red/marked` is 'marked red piece', `white/king` 'white king', `south/pole` 'Pole of South', `white+T`
    'white piece with a T marker'. Each piece has a name of its own, which `.ci/catalogues` finds.
    """
    piece, _, marker = look.partition("+")
    if look == NEW:
        return say("unknown piece")
    if not piece:
        return _say_marker(marker)
    words = _say_piece(pieces, piece)
    return say("{piece} with {marker:a}", piece=words, marker=_say_marker(marker)) if marker else words


def _say_piece(pieces: PieceSet, piece: Look) -> Message:
    owner, _, kind = piece.partition("/")
    face = pieces.faces.get(kind or piece) or pieces.faces.get("")
    words = owner if pieces.is_neutral(piece) else _name(owner, (face and face.name) or kind)
    return say_text(words, face.context if face else "")


def _name(owner: str, face: str) -> str:
    if owner == ALONE:
        return face or "piece"
    if owner in SIDES:
        return f"{face or 'piece'} of {COLOURS[owner]}"
    if face in ADJECTIVES:
        return f"{face} {owner} piece"
    return f"{owner} {face or 'piece'}"


def _say_marker(letter: str) -> Message:
    return say("{letter} marker", letter=letter)


def say_differences(
    board: Board, should: Mapping[Place, Look], seen: Mapping[Place, Look], places: Sequence[Place]
) -> str:
    """Returns what is missing, too much or another piece at a few places, in a sentence each."""
    few = places[:FEW_NAMED]
    pieces = board.pieces
    said = (_say_difference(pieces, p, should.get(p, EMPTY), seen.get(p, EMPTY)) for p in few)
    return board.called(sentences(*said))


def _say_difference(pieces: PieceSet, place: Place, was: Look, now: Look) -> Message:
    if now == EMPTY:
        return say("The {piece} is missing on {place}.", piece=say_look(pieces, was), place=place)
    if was == EMPTY:
        return say("There is {piece:a} on {place}.", piece=say_look(pieces, now), place=place)
    other = say_look(pieces, was)
    return say(
        "There is {piece:a} on {place}, not {piece_before:the}.",
        piece=say_look(pieces, now),
        place=place,
        piece_before=other,
    )


def say_markers(missing: Sequence[Place], stray: Sequence[Place], looks: Mapping[Place, Look]) -> Message:
    """Returns what players should do with markers: those on a piece's place have a letter, others none."""
    lay: list[str] = [_say_missing(place, looks.get(place, "").partition("+")[2]) for place in missing]
    take: list[str] = [say("the move marker off {place}", place=place) for place in stray]
    return sentences(
        say("Lay {markers}.", markers=listed(lay)) if lay else "",
        say("Take {markers}.", markers=listed(take)) if take else "",
    )


def _say_missing(place: Place, letter: str) -> Message:
    if letter:
        return say("{letter} on {place}", letter=letter, place=place)
    return say("a move marker at {place}", place=place)


def owner_of(look: Look) -> str:
    """Returns whose piece a look shows: `red` for `red/marked`."""
    return look.partition("+")[0].partition("/")[0]


def _turns(pieces: PieceSet, extra: dict[Place, Look], missing: dict[Place, Look]) -> Iterator[GuideStep]:
    """Takes pieces that show a wrong face out of both, and yields the steps that turn them over."""
    for place in sorted(extra.keys() & missing.keys()):
        if owner_of(extra[place]) == owner_of(missing[place]) and "+" not in extra[place] + missing[place]:
            was, look = extra.pop(place), missing.pop(place)
            yield GuideStep(place, place, look, _say_turn(pieces, place, was, look))


def _say_turn(pieces: PieceSet, place: Place, was: Look, look: Look) -> Message:
    """Says how a piece gets another face: it is turned over, or another is stacked on it or taken off it."""
    is_stack, was_stack = (pieces.face(other).badge == STACK for other in (look, was))
    if is_stack and not was_stack:
        return say("Put a second piece on top of the one on {place}.", place=place)
    if was_stack and not is_stack:
        return say("Take the upper piece off {place}.", place=place)
    piece = say_look(pieces, look)
    return say("Turn the piece on {place}: it should be {piece:the}.", place=place, piece=piece)


def _marker_steps(extra: dict[Place, Look], missing: dict[Place, Look]) -> Iterator[GuideStep]:
    """Takes places out of both where only the marker is wrong, and yields the steps that put it right."""
    for place in sorted({*extra, *missing}):
        was, now = missing.get(place, EMPTY), extra.get(place, EMPTY)
        if "+" in was + now and bare(was) == bare(now):
            extra.pop(place, None)
            missing.pop(place, None)
            yield from _marker_step(place, was, now)


def _marker_step(place: Place, was: Look, now: Look) -> Iterator[GuideStep]:
    laid, wanted = now.partition("+")[2], was.partition("+")[2]
    if laid:
        words = say("Take {marker:the} off {place}.", marker=_say_marker(laid), place=place)
        yield GuideStep(place, None, f"+{laid}", words)
    if wanted:
        words = say("Lay {marker:a} on {place}.", marker=_say_marker(wanted), place=place)
        yield GuideStep(None, place, f"+{wanted}", words)


def _same_owner(a: Look, b: Look) -> bool:
    return owner_of(a) == owner_of(b) and NEW not in (a, b)


def _pairs(
    board: Board,
    extra: Mapping[Place, Look],
    missing: Mapping[Place, Look],
    same: Callable[[Look, Look], bool],
) -> list[tuple[Place, Place]]:
    """Returns pairs of a place with a piece too many and one where the same is missing."""
    pairs: list[tuple[Place, Place]] = []
    for look in sorted(set(missing.values())):
        ends = [p for p, wanted in missing.items() if wanted == look]
        taken = {a for a, _ in pairs}
        starts = [p for p, there in extra.items() if same(there, look) and p not in taken]
        pairs += _nearest(board, starts, ends)
    return pairs


def _nearest(board: Board, starts: list[Place], ends: list[Place]) -> list[tuple[Place, Place]]:
    """Returns pairs of a start and an end, as many as there are, over short ways."""
    if not starts or not ends:
        return []
    if max(len(starts), len(ends)) <= EXACT:
        return min(_pairings(starts, ends), key=lambda pairs: sum(_distance(board, pair) for pair in pairs))
    start, end = min(product(starts, ends), key=lambda pair: _distance(board, pair))
    return [(start, end), *_nearest(board, _without(starts, start), _without(ends, end))]


def _without(places: list[Place], place: Place) -> list[Place]:
    return [other for other in places if other != place]


def _pairings(starts: list[Place], ends: list[Place]) -> Iterator[list[tuple[Place, Place]]]:
    """Yields every way to pair as many of these as there are of the fewer ones."""
    if len(starts) <= len(ends):
        for some in permutations(ends, len(starts)):
            yield list(zip(starts, some, strict=True))
    else:
        for some in permutations(starts, len(ends)):
            yield list(zip(some, ends, strict=True))


def _distance(board: Board, pair: tuple[Place, Place]) -> float:
    return dist(board.where(pair[0]), board.where(pair[1]))


def _move(board: Board, way: tuple[Place, Place], was: Look, look: Look, name: Look) -> GuideStep:
    start, end = way
    pieces = board.pieces
    piece, after = say_look(pieces, was if name == look else name), say_look(pieces, look)
    words = say("Move {piece:the} from {start} to {end}.", piece=piece, start=start, end=end)
    if board.site_of(start) == board.site_of(end):
        words = say("Turn {piece:the} from {start} to {end}.", piece=piece, start=start, end=end)
    if bare(was) != bare(look):
        words = say(
            "Move {piece:the} from {start} to {end}, as {piece_after:the}.",
            piece=piece,
            start=start,
            end=end,
            piece_after=after,
        )
    return GuideStep(start, end, look, words)


def _take(pieces: PieceSet, place: Place, look: Look) -> GuideStep:
    words = say("Take {piece:the} off {place}.", piece=say_look(pieces, look), place=place)
    return GuideStep(place, None, look, words)


def _put(pieces: PieceSet, place: Place, look: Look, name: Look) -> GuideStep:
    words = say("Put {piece:a} on {place}.", piece=say_look(pieces, name), place=place)
    return GuideStep(None, place, look, words)


def _in_order(steps: list[GuideStep], seen: Collection[Place]) -> Iterator[GuideStep]:
    """Yields what is taken off first, then whatever goes to a free place; a ring of moves begins anywhere."""
    taken = set(seen)
    waiting = sorted(steps, key=lambda step: (step.end is not None, step.start is None))
    while waiting:
        free = (s for s in waiting if s.end is None or (s.end in taken) == (s.end == s.start))
        step = next(free, waiting[0])
        waiting.remove(step)
        taken.discard(step.start or "")
        if step.end:
            taken.add(step.end)
        yield step
