"""E-boards without wood: the bytes of their formats, made from the descriptions, and hands that play on them.

Nothing here uses the product's own readers and writers of these formats.
"""

from __future__ import annotations

import errno
import os
import select
import threading
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import chess

from companion.table import messages as m
from companion.table.desk import Desk
from firmware_bridge.eboards.chessnut import Chessnut
from firmware_bridge.eboards.millennium import Millennium
from firmware_bridge.eboards.source import EBoardSource
from tests.stores import open_store

STEP_S = 0.05
"""Seconds between two scans of a made board."""
HAND_S = 0.3
"""Seconds between two touches of a hand."""
REST_S = 1.2
"""Seconds after a move until the next one is begun."""
NUMBERS = {letter: n for n, letter in enumerate(".qkbpnRPrBNQK")}


def chessnut_report(squares: str, length: int = 38) -> bytes:
    """A report: `01 24`, two squares a byte from h8 on, the lower four bits first, and a time."""
    order = [squares[8 * row + file] for row in range(8) for file in range(7, -1, -1)]
    codes = [NUMBERS[letter] for letter in order]
    body = bytes(low + 16 * high for low, high in zip(codes[::2], codes[1::2], strict=True))
    return (bytes((0x01, 0x24)) + body + bytes((0x10, 0x27, 0, 0))).ljust(length, b"\0")


def millennium_text(text: str) -> bytes:
    """A message with its two hex digits, each character with a bit that makes its number of bits odd."""
    check = 0
    for character in text:
        check ^= ord(character)
    whole = f"{text}{check // 16:X}{check % 16:X}"
    return bytes(ord(c) + 128 * (f"{ord(c):b}".count("1") % 2 == 0) for c in whole)


def plain(data: bytes) -> str:
    """A message of the host's without parity and check."""
    return bytes(byte & 127 for byte in data).decode("ascii")[:-2]


class MadeBoard(Protocol):
    """A made board as a port: what stands on it, what it was told, and whether it is plugged in."""

    squares: str
    plugged: bool
    mute: bool
    written: list[bytes]
    speech: type[Chessnut] | type[Millennium]

    def read(self, size: int = 1) -> bytes: ...
    def write(self, data: bytes, /) -> int: ...
    def close(self) -> None: ...
    def scan(self) -> None: ...
    def lamps(self) -> set[str]: ...


class MadePort:
    """What both makers' boards have in common."""

    def __init__(self, squares: str, damage: Callable[[bytes], bytes] = lambda data: data) -> None:
        self.squares, self.plugged, self.mute = squares, True, False
        self.written: list[bytes] = []
        self._out: list[bytes] = []
        self._damage = damage

    def open(self) -> MadePort:
        if not self.plugged:
            raise FileNotFoundError(errno.ENOENT, "no such device")
        self.written.clear()
        self._out.clear()
        return self

    def read(self, size: int = 1) -> bytes:
        if not self.plugged:
            raise OSError(errno.EIO, "Input/output error")
        return self._out.pop(0) if self._out else b""

    def write(self, data: bytes, /) -> int:
        if not self.plugged:
            raise OSError(errno.EIO, "Input/output error")
        self.written.append(data)
        if not self.mute:
            for answer in self.answers(data):
                self.send(answer)
        return len(data)

    def close(self) -> None:
        self._out.clear()

    def send(self, data: bytes) -> None:
        self._out.append(self._damage(data))

    def answers(self, data: bytes) -> Iterator[bytes]:
        raise NotImplementedError


class MadeChessnut(MadePort):
    """Reports each scan once it was asked to; lamps by rows."""

    speech = Chessnut
    source = "chessnut"
    reports = False

    def open(self) -> MadePort:
        self.reports = False
        return super().open()

    def scan(self) -> None:
        if self.reports and not self.mute:
            self.send(chessnut_report(self.squares))

    def answers(self, data: bytes) -> Iterator[bytes]:
        self.reports |= data == bytes.fromhex("210100")
        if data == bytes.fromhex("290100"):
            yield bytes.fromhex("2a0264")

    def lamps(self) -> set[str]:
        """The squares that are lit, as the device names them."""
        told = next((d for d in reversed(self.written) if d[0] == 0x0A), bytes((10, 8)) + bytes(8))
        rows = [f"{row:08b}" for row in told[2:]]
        return {
            f"{f}{8 - r}" for r in range(8) for f, bit in zip("abcdefgh", rows[r], strict=True) if bit == "1"
        }


class MadeMillennium(MadePort):
    """Tells the squares when asked, and at each scan where it `tells` by itself; lamps at the corners."""

    speech = Millennium
    source = "millennium:port"
    tells = True

    def scan(self) -> None:
        if self.tells and not self.mute:
            self.send(millennium_text(f"s{self.squares}"))

    def answers(self, data: bytes) -> Iterator[bytes]:
        letter = plain(data)[0]
        if letter == "S":
            yield millennium_text(f"s{self.squares}")
        elif letter == "V":
            yield millennium_text("v0103")
        else:
            yield millennium_text(letter.lower())

    def lamps(self) -> set[str]:
        """The squares of which all four corners are lit at one time."""
        told = next((text for d in reversed(self.written) if (text := plain(d))[0] == "L"), "L00" + 162 * "0")
        lit = [int(told[3 + 2 * n : 5 + 2 * n], 16) for n in range(81)]
        return {
            f"{'abcdefgh'[f]}{8 - r}"
            for f in range(8)
            for r in range(8)
            if lit[9 * f + r] & lit[9 * f + r + 1] & lit[9 * f + r + 9] & lit[9 * f + r + 10]
        }


class PluggedMillennium:
    """A made Millennium board at a pseudo-terminal, a port like any other: it answers by itself until it is
    pulled out."""

    def __init__(self, path: Path, squares: str) -> None:
        self.squares, self.path = squares, path
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        path.unlink(missing_ok=True)
        path.symlink_to(os.ttyname(self._slave))
        self._is_pulled = False
        self._thread = threading.Thread(target=self._answer, daemon=True)
        self._thread.start()

    def _answer(self) -> None:
        answers = {"S": lambda: f"s{self.squares}", "V": lambda: "v0103", "L": lambda: "l"}
        while not self._is_pulled:
            if select.select([self._master], [], [], 0.05)[0]:
                told = (chr(byte & 127) for byte in os.read(self._master, 4096))
                for letter in filter(answers.__contains__, told):
                    os.write(self._master, millennium_text(answers[letter]()))

    def put(self, square: str, letter: str) -> None:
        """Puts a piece on a square, or takes one off with `.`."""
        at = 8 * (8 - int(square[1])) + "abcdefgh".index(square[0])
        self.squares = f"{self.squares[:at]}{letter}{self.squares[at + 1 :]}"

    def pull(self) -> None:
        """Pulls the plug out."""
        self._is_pulled = True
        self._thread.join()
        self.path.unlink()
        os.close(self._slave)
        os.close(self._master)


def squares_of(board: chess.Board) -> str:
    """What stands on a board, from a8 to h1."""
    pieces = (board.piece_at(chess.square(file, rank)) for rank in range(7, -1, -1) for file in range(8))
    return "".join(piece.symbol() if piece else "." for piece in pieces)


class Sitting:
    """A game of chess played on a made board, which a table follows through the product's own source."""

    def __init__(self, made: MadeChessnut | MadeMillennium, head: str = "chess") -> None:
        self.now, self.made, self.is_turned = 100.0, made, False
        self.desk = Desk(open_store())
        self.desk.handle(m.NewGame(head))
        self.told: list[str] = []
        """The events that were told."""
        assert self.desk.snapshot.session
        self.truth = chess.Board()
        self.source = EBoardSource(
            made.open,
            made.speech,
            self.desk.snapshot.session.game.board,
            made.source,
            lambda: self.now,
        )

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.now += STEP_S
            if self.made.plugged:
                self.made.scan()
            for _ in range(3):
                self.source.step()
            for sighting in self.source.waiting_sightings():
                told = self.desk.handle(m.SightingArrived(sighting))[1]
                self.told += [happening.event for happening in told]

    def put(self, square: str, letter: str) -> None:
        """Puts a piece on a square, or takes one off with `.`."""
        at = 8 * (8 - int(square[1])) + "abcdefgh".index(square[0])
        if self.is_turned:
            at = 63 - at
        self.made.squares = f"{self.made.squares[:at]}{letter}{self.made.squares[at + 1 :]}"
        self.wait(HAND_S)

    def carry(self, start: str, end: str, letter: str) -> None:
        self.put(start, ".")
        self.put(end, letter)

    def lay(self, board: chess.Board) -> None:
        """Lays a whole board at once."""
        squares = squares_of(board)
        self.made.squares = squares[::-1] if self.is_turned else squares

    def play(self, uci: str) -> None:
        """Plays a move by hand, piece by piece."""
        move = chess.Move.from_uci(uci)
        piece = self.truth.piece_at(move.from_square)
        assert piece
        assert move in self.truth.legal_moves
        start, end = uci[:2], uci[2:4]
        castles, passes = self.truth.is_castling(move), self.truth.is_en_passant(move)
        if self.truth.piece_at(move.to_square) and not castles:
            self.put(end, ".")
        letter = piece.symbol()
        if move.promotion:
            letter = chess.Piece(move.promotion, piece.color).symbol()
        self.carry(start, end, letter)
        if passes:
            self.put(f"{end[0]}{start[1]}", ".")
        if castles:
            rook = "h" if end[0] == "g" else "a"
            self.carry(
                f"{rook}{end[1]}", f"{'f' if end[0] == 'g' else 'd'}{end[1]}", "R" if piece.color else "r"
            )
        self.truth.push(move)
        self.wait(REST_S)

    @property
    def actions(self) -> tuple[str, ...]:
        """What the table holds to have been played."""
        assert self.desk.snapshot.session
        return tuple(self.desk.snapshot.session.actions)

    def check(self) -> None:
        """The game, the wood and what the board tells are one."""
        snapshot = self.desk.snapshot
        assert self.actions == tuple(move.uci() for move in self.truth.move_stack)
        assert snapshot.question is None
        assert snapshot.verdict is None
        laid = squares_of(self.truth)
        assert self.made.squares == (laid[::-1] if self.is_turned else laid)
