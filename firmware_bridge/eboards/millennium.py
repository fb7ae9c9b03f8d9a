"""Millennium's boards with ChessLink on a serial port: letters with parity and checks, and lamps.

The facts are those of the protocol's description by Dave Woodfield (github.com/domschl/python-mchess, MIT:
`mchess/magic-board.md`):

- 38400 baud, ASCII of 7 bits with odd parity and one stop bit. Here the port has 8 bits, and the eighth is
  the parity, so that it can be checked, and works over adapters and networks that know no parity
- a message is a capital letter with its data, and ends in two hex digits: all its characters, XOR. The answer
  has the small letter
- `S` asks for the squares: `s` and 64 letters from a8 to h8, a7 … h1; `.` is empty. A board may tell them by
  itself, between a message and its answer
- `L`, the time of a slot (in 4.096 ms), and 81 patterns of 8 slots, of two hex digits each, light the lamps
  at the corners of the squares: 1 is a8's outer corner, 9 a1's, 73 h8's, 81 h1's
- `V` asks for the version

The board's memory (`W`) is left as its owner has it: the squares are asked for when they are not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from operator import xor

from companion.language import say
from companion.sensing.sources import SourceError
from firmware_bridge.eboards.maker import EMPTY_SQUARE, PIECES, Lit, Squares
from firmware_bridge.line.link import Port, serial_opener
from firmware_bridge.sensing.lamps import ASKED, DARK, PUT, TAKE, Colour

BAUD = 38400
LENGTHS: Mapping[str, int] = {"s": 67, "l": 3, "x": 3, "v": 7, "w": 7, "r": 7}
"""The characters of each answer, with its letter and its check."""
LETTERS = frozenset([EMPTY_SQUARE, *PIECES, *map(str.upper, PIECES)])
CORNERS = 9
"""Lamps along each edge of the board."""
SLOT = 0x20
"""The time of a slot: 131 ms."""
PATTERNS: Mapping[Colour, int] = {DARK: 0, TAKE: 0b10100000, PUT: 0b00001111, ASKED: 0b11001100}
"""How lamps flash, by what they mean. Squares that lie close share corners, so that one between two that are
lit would seem lit as well: that from which something goes and that to which it goes take turns."""
FIRST, OTHERS = 0b11110000, 0b00001111
"""How those flash that show where the last action began, and where else it was."""
NOISE = "\0"
"""Stands for a character whose parity is wrong."""


class Millennium:
    """The speech of Millennium's boards, as `Maker` says."""

    name: str = say("the Millennium board")
    ask_s, pace_s = 0.2, 0.02

    def __init__(self) -> None:
        self._waiting = ""
        """The characters of an answer that has not come whole."""

    def greeting(self) -> tuple[bytes, ...]:
        return encode("V"), encode("S")

    def question(self) -> tuple[bytes, ...]:
        return (encode("S"),)

    def hear(self, data: bytes) -> Iterator[Squares]:
        self._waiting += decode(data)
        while self._waiting:
            length = LENGTHS.get(self._waiting[0], 1)
            if len(self._waiting) < length:
                return
            message = self._waiting[:length]
            if length > 1 and _is_whole(message):
                self._waiting = self._waiting[length:]
                squares = message[1:-2] if message[0] == "s" else ""
                if LETTERS.issuperset(squares):
                    yield squares
            else:
                self._waiting = self._waiting[1:]

    def lamps(self, lit: Lit) -> bytes:
        patterns = bytearray(CORNERS * CORNERS)
        for number, (square, colour) in enumerate(lit.items()):
            row, file = divmod(square, 8)
            pattern = PATTERNS.get(colour, OTHERS if number else FIRST)
            for at in (CORNERS * f + r for f in (file, file + 1) for r in (row, row + 1)):
                patterns[at] |= pattern
        return encode(f"L{SLOT:02X}{patterns.hex().upper()}")


def encode(message: str) -> bytes:
    """Returns a message as it goes over the line: with its check, and each character with its parity."""
    return bytes(map(_with_parity, f"{message}{_check(message)}".encode("ascii")))


def decode(data: bytes) -> str:
    """Returns the characters of bytes; NOISE for those whose parity is wrong."""
    return "".join(chr(byte & 0x7F) if byte == _with_parity(byte & 0x7F) else NOISE for byte in data)


def _with_parity(character: int) -> int:
    return character if character.bit_count() % 2 else character | 0x80


def _check(message: str) -> str:
    return f"{reduce(xor, message.encode('ascii'), 0):02X}"


def _is_whole(message: str) -> bool:
    return _check(message[:-2]) == message[-2:]


def millennium_opener(port: str) -> Callable[[], Port]:
    """Returns a function that opens the port of a Millennium board. SourceError where none is named."""
    if not port:
        raise SourceError(say("a Millennium board needs its port: write millennium:/dev/ttyUSB0"))
    return serial_opener(f"{port}@{BAUD}")
