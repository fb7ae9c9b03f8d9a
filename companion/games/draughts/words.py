"""Draughts in words: the spelling of actions, the numbers of squares, and positions as FEN of PDN.

Actions name squares as the board does: `c3-d4` for a move, `c3xe5xg7` for a capture, with every square on
which the piece lands. Draughts players number the dark squares from the north-west: `22-18`, `22x15x6`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.core.bits import members
from companion.core.game import Action, Event, OptionError, Place
from companion.games.draughts.board import Mask, Net, Variant
from companion.games.draughts.judge import captures_meant, judge
from companion.games.draughts.moves import SPELLING, captures, numbered
from companion.games.draughts.position import Position, problem_of, with_limit
from companion.language import NamedPhrases, say, say_count, say_in

NUMBERED = re.compile(r"\d+(?:[-x:]\d+)+")
FEN = re.compile(r"([WB]):([WB])([K\d,-]*):([WB])([K\d,-]*)\.?")
OF_SITES = re.compile(r"(:[HF]\d+)+\.?$")
"""What a FEN of a site of draughts has at its end: half moves without a capture, and the move's number."""
FEN_PIECES = re.compile(r"(K?)(\d+)(?:-(\d+))?")
PIECE_NAMES: Mapping[str, str] = {"man": say("man"), "king": say_in("draughts", "king")}
SENTENCES: NamedPhrases = {
    "moved": "{player} moves {piece:the} from {start} to {end}.",
    "captured": "{player} captures {pieces} on {sites}.",
    "crowned": "{player} has a new king on {sites}.",
    "won": "{player} wins: {reason}.",
    "drawn": "The game is drawn: {reason}.",
}
ACTION_KINDS: NamedPhrases = {".*-.*": "move", ".*x.*": "capture"}


def path(action: Action) -> tuple[Place, ...]:
    return tuple(action.replace("-", "x").split("x"))


def details(event: Event) -> dict[str, object]:
    if event.kind == "captured":
        return {"pieces": say_count("a piece", "{n} pieces", len(event.sites))}
    return {key: PIECE_NAMES[str(value)] if key == "piece" else value for key, value in event.details.items()}


def prompt(position: Position) -> str:
    return say("a capture must be made") if captures(position) else say("make a move")


def read(position: Position, text: str) -> Action:
    """Returns the canonical spelling of a move in numbers, or of a capture that leaves some squares out."""
    spelled, choices = _spelled(position, text), meant(position, text)
    return choices[0] if len(choices) == 1 else spelled


def meant(position: Position, text: str) -> list[Action]:
    """Returns the legal actions that a text may mean: two or more where a capture leaves too much open."""
    spelled = _spelled(position, text)
    if "x" in spelled and SPELLING.fullmatch(spelled):
        return captures_meant(position, spelled)
    return [] if judge(position, spelled) else [spelled]


def _spelled(position: Position, text: str) -> str:
    return _from_numbers(position.variant.net, text) if NUMBERED.fullmatch(text) else text


def _from_numbers(net: Net, text: str) -> str:
    """Returns a move with the names of its squares; the text itself where there is no such number."""
    numbers = [int(number) for number in re.split("[-x:]", text)]
    if not all(1 <= number <= len(net.bits) for number in numbers):
        return text
    mark = "-" if "-" in text else "x"
    return mark.join(net.names[net.bits[number - 1]] for number in numbers)


def write(position: Position, action: Action) -> str:
    """Returns an action in the numbers of the squares: `11-15`.

    Of a capture only the ends are written (`22x6`), unless another one has the same.
    """
    squares = action.split("x")
    ends = numbered(position.variant.net, f"{squares[0]}x{squares[-1]}")
    is_clear = len(squares) > 2 and read(position, ends) == action
    return ends if is_clear else numbered(position.variant.net, action)


def read_fen(variant: Variant, text: str) -> Position:
    """Returns the position of a FEN, `W:W21,22,K30:B1,2,K3`. OptionError where it is none."""
    tidy = "".join(text.replace("_", " ").split()).upper()  # blanks, as options spell them
    match = FEN.fullmatch(OF_SITES.sub("", tidy))
    if not match or match[2] == match[4]:
        raise OptionError(say("'{fen}' is no FEN: write W:W21,22,K30:B1,2,K3", fen=text[:80]))
    sides = {match[2]: match[3], match[4]: match[5]}
    found = {side: _read_pieces(variant, text, pieces) for side, pieces in sides.items()}
    (white, white_kings), (black, black_kings) = found["W"], found["B"]
    rows = variant.net.king_rows  # a man there can only be a king: books of problems leave it to the reader
    kings = white_kings | black_kings | white & rows[0] | black & rows[1]
    position = Position(variant, white, black, kings, "WB".index(match[1]))
    if problem := problem_of(position):
        raise OptionError(
            say("'{fen}' is no position of draughts: {problem}", fen=text[:80], problem=problem)
        )
    return with_limit(position)


def _read_pieces(variant: Variant, fen: str, text: str) -> tuple[Mask, Mask]:
    """Returns all pieces of one side, and its kings."""
    bits, pieces, kings = variant.net.bits, 0, 0
    for word in filter(None, text.split(",")):
        match = FEN_PIECES.fullmatch(word)
        first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
        if not match or not 1 <= first <= last <= len(bits):
            raise OptionError(say("the FEN has '{word}', which is no square of this board", word=word[:20]))
        squares = sum(1 << bit for bit in bits[first - 1 : last])
        if squares & pieces:
            raise OptionError(say("the FEN has '{word}' twice", word=word[:20]))
        pieces |= squares
        kings |= squares if match[1] else 0
    return pieces, kings


def write_fen(position: Position) -> str:
    """Returns a position as PDN has it: `W:W21,22,K30:B1,2,K3`."""
    number = {bit: n for n, bit in enumerate(position.variant.net.bits, 1)}
    sides = [
        ",".join(f"{'K' if position.kings >> bit & 1 else ''}{number[bit]}" for bit in members(pieces))
        for pieces in (position.white, position.black)
    ]
    return f"{'WB'[position.seat]}:W{sides[0]}:B{sides[1]}"
