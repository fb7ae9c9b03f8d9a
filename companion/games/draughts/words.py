"""Draughts in words: the spelling of actions, the numbers of squares, and positions as FEN of PDN.

Actions name squares as the board does: `c3-d4` for a move, `c3xe5xg7` for a capture, with every square on
which the piece lands. Draughts players number the dark squares from the north-west: `22-18`, `22x15x6`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.core import EMPTY, Action, Changes, OptionError, Place
from companion.games.draughts.grid import PLAYERS, Grid, Mask, Variant, members, passed
from companion.games.draughts.judge import follow
from companion.games.draughts.moves import SITE, SPELLING, Route, captures, legal
from companion.games.draughts.position import Position, with_limit

NUMBERED = re.compile(r"\d+(?:[-x:]\d+)+")
FEN = re.compile(r"([WB]):([WB])([K\d,-]*):([WB])([K\d,-]*)\.?")
FEN_PIECES = re.compile(r"(K?)(\d+)(?:-(\d+))?")


def read(position: Position, text: str) -> Action:
    """The canonical spelling of a move in numbers, or of a capture that leaves some squares out."""
    spelled = _from_numbers(position.variant.grid, text) if NUMBERED.fullmatch(text) else text
    if not SPELLING.fullmatch(spelled) or "x" not in spelled:
        return spelled
    grid, named = position.variant.grid, spelled.split("x")
    if any(name not in grid.index for name in named) or not position.own >> grid.index[named[0]] & 1:
        return spelled
    found = _captures_through(position, tuple(grid.index[name] for name in named))
    if len(found) != 1:
        return spelled
    return "x".join(grid.names[bit] for bit in found[0])


def _from_numbers(grid: Grid, text: str) -> str:
    """A move with the names of its squares; the text itself where there is no such number."""
    numbers = [int(number) for number in re.split("[-x:]", text)]
    if not all(1 <= number <= len(grid.bits) for number in numbers):
        return text
    mark = "-" if "-" in text else "x"
    return mark.join(grid.names[grid.bits[number - 1]] for number in numbers)


def _captures_through(position: Position, named: Route) -> list[Route]:
    """The legal captures that may be meant by these squares.

    All landings may be named, by whichever way the same is captured, or only some of them.
    """
    grid, known = position.variant.grid, captures(position)
    chain = follow(position, named)
    alike = [
        route for route in known
        if (route[0], route[-1]) == (named[0], named[-1])
        and not chain.breaches
        and passed(grid, route) & position.theirs == chain.taken
    ]  # fmt: skip
    if alike:
        return alike
    return [
        route for route in known
        if (route[0], route[-1]) == (named[0], named[-1]) and _passes(route[1:-1], named[1:-1])
    ]  # fmt: skip


def _passes(stops: Sequence[int], wanted: Sequence[int]) -> bool:
    rest = iter(stops)
    return all(stop in rest for stop in wanted)


def numbered(grid: Grid, action: Action) -> str:
    """An action as PDN has it: `c3xe5xg7` is `22x15x6`."""
    return re.sub(SITE, lambda match: str(grid.numbers[match[0]]), action)


def read_fen(variant: Variant, text: str) -> Position:
    """The position of a FEN, `W:W21,22,K30:B1,2,K3`. OptionError where it is none."""
    match = FEN.fullmatch(text)
    if not match or match[2] == match[4]:
        raise OptionError(f"draughts: fen={text[:80]} is no FEN: write W:W21,22,K30:B1,2,K3")
    sides = {match[2]: match[3], match[4]: match[5]}
    found = {side: _read_pieces(variant, text, pieces) for side, pieces in sides.items()}
    (white, white_kings), (black, black_kings) = found["W"], found["B"]
    position = Position(variant, white, black, white_kings | black_kings, "WB".index(match[1]))
    if problem := problem_of(position):
        raise OptionError(f"draughts: fen={text[:80]} is no position: {problem}")
    return with_limit(position)


def _read_pieces(variant: Variant, fen: str, text: str) -> tuple[Mask, Mask]:
    """All pieces of one side, and its kings."""
    bits, pieces, kings = variant.grid.bits, 0, 0
    for word in filter(None, text.split(",")):
        match = FEN_PIECES.fullmatch(word)
        first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
        if not match or not 1 <= first <= last <= len(bits):
            raise OptionError(f"draughts: fen={fen[:80]} has '{word}', which is no square of this board")
        squares = sum(1 << bit for bit in bits[first - 1 : last])
        if squares & pieces:
            raise OptionError(f"draughts: fen={fen[:80]} has '{word}' twice")
        pieces |= squares
        kings |= squares if match[1] else 0
    return pieces, kings


def write_fen(position: Position) -> str:
    """A position as PDN has it: `W:W21,22,K30:B1,2,K3`."""
    number = {bit: n for n, bit in enumerate(position.variant.grid.bits, 1)}
    sides = [
        ",".join(f"{'K' if position.kings >> bit & 1 else ''}{number[bit]}" for bit in members(pieces))
        for pieces in (position.white, position.black)
    ]
    return f"{'WB'[position.seat]}:W{sides[0]}:B{sides[1]}"


def problem_of(position: Position) -> str:
    """What no position can have, in words; '' where all is well."""
    variant = position.variant
    if position.white & position.black:
        return "two pieces stand on one square"
    for seat, player in enumerate(PLAYERS):
        pieces = position.pieces(seat)
        if pieces.bit_count() > variant.men:
            return f"{player} has at most {variant.men} pieces"
        if stray := pieces & ~position.kings & variant.grid.king_rows[seat]:
            return f"{player}'s piece on {variant.grid.name(stray)[0]} is a king"
    if not position.white and not position.black:
        return "there is no piece on the board"
    return ""


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    """Spellings for what left a square and what came to one, likeliest first."""
    gone = [p for p, (was, now) in changed.items() if was != EMPTY and now != was]
    come = [p for p, (was, now) in changed.items() if now != EMPTY and now != was]
    gone.sort(key=lambda place: changed[place][0] != position.turn)
    for start in gone:
        for end in come:
            if changed[start][0] == changed[end][1]:
                yield from _carried(position, start, end)


def _carried(position: Position, start: Place, end: Place) -> Iterator[str]:
    """A piece went from one square to another: by a legal capture, by part of one, or otherwise."""
    for action in legal(position):
        squares = action.split("x")
        if squares[0] == start and end in squares[1:]:
            yield "x".join(squares[: squares.index(end, 1) + 1])
    index, between = position.variant.grid.index, position.variant.grid.between
    is_jump = start in index and end in index and between.get((index[start], index[end]), 0) & ~position.empty
    yield from (f"{start}{mark}{end}" for mark in ("x-" if is_jump else "-x"))

