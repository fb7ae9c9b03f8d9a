"""Made games: pictures of whole games of chess, of real pieces on a real board, with all that a table does.

`script` tells what each picture of a game shows: the plies, hands over the board, mistakes put right, moves
taken back by hand. `make` draws it from the photographs of one set, with the light, the noise and the pushes
of a camera, and writes a folder: its pictures in the order of their names, and `truth.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import chess
import cv2
import numpy as np

from benchmarks.picture_sets.changes import pressed
from benchmarks.picture_sets.cutouts import Point, Table
from benchmarks.picture_sets.reaching_hands import ReachingHand
from benchmarks.picture_sets.series import through
from companion.core.game import Look, Place
from vision.arrays import Floats, Image

OFF = 0.15
"""The most by which a piece stands off the middle of its square; steps."""
PLIES = 60
HANDS, SAME, TWO = 0.1, 0.025, 0.025
"""Shares of pictures with a hand, with nothing new, and with two plies at once."""
MISTAKEN = 3
"""Every so manieth game has mistakes, and moves taken back by hand."""
PUSHED = 2
"""In every so manieth game the camera is pushed, once."""
MISTAKES, TAKEBACKS = 3, 2
"""How many there are in such a game."""
DRIFT, STEPS, LAMP = 0.006, (0.8, 1.25), 0.12
"""The light's drift from picture to picture (standard deviation), the steps of the exposure, and how often
in a picture's time the exposure steps or a lamp is switched."""


SAVED = 95
"""The JPEG quality of the files, beyond that of the camera's own compression."""


@dataclass(frozen=True)
class Piece:
    """A piece on the board: its letter as in FEN, where its foot is (steps), and a number of its own."""

    letter: str
    foot: Point
    number: int


Standing = Mapping[Place, Piece]


@dataclass(frozen=True)
class Frame:
    """One picture shows this. `plies` were played when it was taken; `mistake`: what is not allowed stands
    there; `reach`: the square over which a hand is."""

    standing: Standing
    plies: int
    mistake: bool = False
    reach: Place | None = None
    notes: str = ""

    @property
    def fen(self) -> str:
        board = chess.Board(None)
        for place, piece in self.standing.items():
            board.set_piece_at(chess.parse_square(place), chess.Piece.from_symbol(piece.letter))
        return board.board_fen()


@dataclass(frozen=True)
class Script:
    """A game as it is shown: the plies that stand at its end, and its pictures."""

    moves: tuple[str, ...]
    frames: tuple[Frame, ...]


@dataclass
class _Table:
    """Pieces as hands set them down: what nobody touches stays where it is."""

    chance: Random
    standing: dict[Place, Piece] = field(default_factory=dict)

    def set_up(self, board: chess.Board) -> None:
        for square, piece in board.piece_map().items():
            self.put(chess.square_name(square), piece.symbol())

    def put(self, place: Place, letter: str, number: int | None = None) -> None:
        x, y = "abcdefgh".index(place[0]), int(place[1]) - 1
        foot = (x + self.chance.uniform(-OFF, OFF), y + self.chance.uniform(-OFF, OFF))
        self.standing[place] = Piece(letter, foot, self.chance.randrange(1000) if number is None else number)

    def carry(self, start: Place, end: Place) -> None:
        piece = self.standing.pop(start)
        self.put(end, piece.letter, piece.number)

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Shows a move, which the board has not played yet."""
        if board.is_en_passant(move):
            del self.standing[
                chess.square_name(
                    chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
                )
            ]
        self.carry(chess.square_name(move.from_square), chess.square_name(move.to_square))
        if board.is_castling(move):
            rank = move.from_square // 8 + 1
            rook, to = ("h", "f") if chess.square_file(move.to_square) == 6 else ("a", "d")
            self.carry(f"{rook}{rank}", f"{to}{rank}")


def weigh(board: chess.Board, move: chess.Move) -> float:
    """Returns how much a move is liked: captures, castling and new pieces, so that all kinds move."""
    if move.promotion:
        return 0.0
    piece = board.piece_at(move.from_square)
    likes = (
        1.0 + 3.0 * board.is_capture(move) + 8.0 * board.is_castling(move) + 20.0 * board.is_en_passant(move)
    )
    if piece and piece.piece_type in (chess.KNIGHT, chess.BISHOP):
        likes += 3.0 * (chess.square_rank(move.from_square) in (0, 7))
    if piece and piece.piece_type == chess.KING and not board.is_castling(move):
        likes *= 0.3
    return likes


def random_game(chance: Random, plies: int) -> list[chess.Move]:
    """Returns a game of so many plies that goes on after them and has no promotion."""
    while True:
        board = chess.Board()
        for _ in range(plies):
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            likes = [weigh(board, move) for move in moves]
            if not any(likes):
                break
            board.push(chance.choices(moves, likes)[0])
        goes_on = not board.is_game_over(claim_draw=True)
        if len(board.move_stack) == plies and goes_on:
            return board.move_stack


def script(chance: Random, plies: int = PLIES, with_mistakes: bool = False) -> Script:
    """Returns a random game as pictures show it; the first is the start position."""
    moves = random_game(chance, plies)
    board, table = chess.Board(), _Table(chance)
    table.set_up(board)
    frames = [Frame(dict(table.standing), 0)]
    at = (
        sorted(chance.sample(range(4, plies - 1), min(plies - 5, MISTAKES + TAKEBACKS)))
        if with_mistakes
        else []
    )
    mistakes = set(chance.sample(at, min(MISTAKES, len(at))))
    skipped = False
    for ply, move in enumerate(moves):
        if ply in mistakes:
            frames += _mistake(board, table, ply)
        elif ply in at:
            frames += _takeback(board, table, ply, move)
        if chance.random() < HANDS:
            frames.append(_reached(table, board, move, ply))
        table.play(board, move)
        board.push(move)
        if not skipped and ply + 1 < plies and chance.random() < TWO and ply not in at and ply + 1 not in at:
            skipped = True
            continue
        frames.append(Frame(dict(table.standing), ply + 1, notes="two plies" if skipped else ""))
        skipped = False
        if chance.random() < SAME:
            frames.append(replace(frames[-1], notes="nothing new"))
    return Script(tuple(move.uci() for move in moves), tuple(frames))


def _mistake(board: chess.Board, table: _Table, ply: int) -> list[Frame]:
    """Shows a piece of the player to move where it may not go, and then put back."""
    legal = {(m.from_square, m.to_square) for m in board.pseudo_legal_moves}
    own = [s for s in chess.SQUARES if board.color_at(s) == board.turn]
    free = [
        (a, b)
        for a in own
        for b in chess.SQUARES
        if board.piece_at(b) is None and (a, b) not in legal and b // 8 not in (0, 7)
    ]
    start, end = table.chance.choice(free)
    before = table.standing[chess.square_name(start)]
    table.carry(chess.square_name(start), chess.square_name(end))
    wrong = Frame(
        dict(table.standing),
        ply,
        mistake=True,
        notes=f"mistake {chess.square_name(start)}{chess.square_name(end)}",
    )
    del table.standing[chess.square_name(end)]
    table.put(chess.square_name(start), before.letter, before.number)
    return [wrong, Frame(dict(table.standing), ply, notes="put right")]


def _takeback(board: chess.Board, table: _Table, ply: int, move: chess.Move) -> list[Frame]:
    """Shows another legal move, and then all as it was."""
    others = [
        m
        for m in sorted(board.legal_moves, key=chess.Move.uci)
        if m.from_square != move.from_square
        and not board.is_capture(m)
        and not board.is_castling(m)
        and not m.promotion
    ]
    if not others:
        return []
    other = table.chance.choice(others)
    start, end = chess.square_name(other.from_square), chess.square_name(other.to_square)
    table.carry(start, end)
    played = Frame(dict(table.standing), ply + 1, notes=f"played {other.uci()}, to be taken back")
    table.carry(end, start)
    return [played, Frame(dict(table.standing), ply, notes="taken back")]


def _reached(table: _Table, board: chess.Board, move: chess.Move, ply: int) -> Frame:
    """Shows a hand over a move that is not yet made, half made or made."""
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    standing, stage = dict(table.standing), table.chance.choice(("before", "lifted", "after"))
    if stage == "before":
        return Frame(standing, ply, reach=start, notes="hand, not yet made")
    lifted = standing.pop(start)
    if stage == "lifted":
        return Frame(standing, ply, reach=table.chance.choice((start, end)), notes="hand, piece lifted")
    x, y = "abcdefgh".index(end[0]), int(end[1]) - 1
    standing[end] = replace(
        lifted, foot=(x + table.chance.uniform(-OFF, OFF), y + table.chance.uniform(-OFF, OFF))
    )
    return Frame(standing, ply, reach=end, notes="hand, made")


@dataclass
class _Camera:
    """A camera and the light over a game: each picture is taken a moment after the one before."""

    chance: Random
    size: tuple[int, int]
    push_at: int | None
    tremor: Random
    shake: float = 0.0
    """By how many pixels at most each picture is shifted, with bends of a tenth of that."""
    light: Any = field(default_factory=lambda: np.ones(3))
    exposure: float = 1.0
    lamp: float = 0.0
    direction: float = 0.0
    pushed: Floats = field(default_factory=lambda: np.eye(3))
    warp: Floats = field(default_factory=lambda: np.eye(3))
    """Where the board lies in the picture that is taken now."""
    index: int = 0

    def advance(self) -> None:
        chance = self.chance
        self.light = np.clip(self.light * np.exp([chance.gauss(0, DRIFT) for _ in range(3)]), 0.85, 1.15)
        self.light /= self.light.mean() ** 0.1
        if chance.random() < LAMP / 2:
            self.exposure = chance.uniform(*STEPS)
        if chance.random() < LAMP / 4:
            self.lamp = 0.0 if self.lamp else chance.uniform(0.15, 0.35)
            self.direction = chance.uniform(0, 2 * np.pi)
        if self.index == self.push_at:
            self.pushed = _push(chance, self.size)
        self.warp = self.pushed
        if self.shake and self.index:
            shift = np.array([self.tremor.uniform(-self.shake, self.shake) for _ in range(2)])
            self.warp = _bent(self.tremor, self.size, shift, self.shake / 10) @ self.pushed
        self.index += 1

    def take(self, image: Image) -> Image:
        """Returns the picture as this camera takes it now."""
        moved = image
        if not np.array_equal(self.warp, np.eye(3)):
            moved = np.asarray(
                cv2.warpPerspective(image, self.warp, self.size, borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
        w, h = self.size
        x, y = np.meshgrid(np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-1, 1, h, dtype=np.float32))
        along = x * np.cos(self.direction) + y * np.sin(self.direction)
        gain = self.exposure * (1 + self.lamp * along / 1.4)
        lit = moved.astype(np.float32) * (gain[..., None] * self.light).astype(np.float32)
        noise = np.random.default_rng(self.chance.randrange(2**32)).standard_normal(lit.shape, np.float32)
        lit += noise * np.sqrt(1.0 + lit / 60)
        return pressed(np.asarray(np.clip(lit, 0, 255), np.uint8), self.chance.randint(82, 95))


def _push(chance: Random, size: tuple[int, int]) -> Floats:
    """Returns the homography (3, 3) of a camera that was pushed a little."""
    w, h = size
    shift = np.array(
        [chance.uniform(0.008, 0.02) * w * chance.choice((-1, 1)), chance.uniform(-0.01, 0.01) * h]
    )
    return _bent(chance, size, shift, 0.003 * w)


def _bent(chance: Random, size: tuple[int, int], shift: Floats, most: float) -> Floats:
    """Returns the homography (3, 3) by which a picture is shifted, and each corner by at most so many pixels
    besides."""
    w, h = size
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    bend = np.array([[chance.uniform(-most, most) for _ in range(2)] for _ in range(4)])
    return np.asarray(
        cv2.getPerspectiveTransform(corners, (corners + shift + bend).astype(np.float32)), float
    )


def colours(standing: Standing) -> dict[Place, Look]:
    return {place: "white" if piece.letter.isupper() else "black" for place, piece in standing.items()}


@dataclass(frozen=True)
class Taken:
    """One picture of a made game: itself, what it shows, and the squares on which something changed since
    the last picture (set down anew counts)."""

    image: Image
    frame: Frame
    changed: frozenset[Place]
    corners: list[list[float]]


def pictures(
    table: Table,
    hands: Sequence[ReachingHand],
    told: Script,
    chance: Random,
    pushed: bool,
    shake: float = 0.0,
) -> Iterator[Taken]:
    """Yields the pictures of a game, which are the same for the same chance."""
    push_at = chance.randrange(len(told.frames) // 4, 3 * len(told.frames) // 4) if pushed else None
    camera = _Camera(chance, table.base.size, push_at, Random(" ".join(told.moves)), shake)
    last: Standing = {}
    for frame in told.frames:
        camera.advance()
        image = table.draw((p.letter, p.foot, p.number) for p in frame.standing.values())
        if frame.reach is not None and hands:
            x, y = table.board.sites[frame.reach]
            is_white = frame.plies % 2 == 0
            image = chance.choice(hands).over(image, table.view, (x, y), is_white, chance)
        changed = frozenset(
            p for p in last.keys() | frame.standing.keys() if last.get(p) != frame.standing.get(p)
        )
        corners = through(camera.warp, table.view.pixels(table.board.corners)).round(1).tolist()
        yield Taken(camera.take(image), frame, changed if last else frozenset(), corners)
        last = frame.standing


class Episode(NamedTuple):
    """A picture as a detector of changes is judged by it: what stands where, and the places on which
    something is otherwise than in the picture before (a piece that was set down anew, too)."""

    image: Image
    looks: Mapping[Place, Look]
    changed: frozenset[Place]
    hand: bool


def episodes(table: Table, hands: Sequence[ReachingHand], seed: int, plies: int = PLIES) -> Iterator[Episode]:
    """Yields the pictures of the game of a seed one after the other; the first changes nothing."""
    _, game = _made(table, hands, seed, plies)
    for taken in game:
        frame = taken.frame
        yield Episode(taken.image, colours(frame.standing), taken.changed, frame.reach is not None)


def make(
    table: Table, hands: Sequence[ReachingHand], seed: int, plies: int, folder: Path, shake: float = 0.0
) -> None:
    """Writes the game of a seed into a folder, in place of the one that was there. The camera shakes by so
    many pixels."""
    told, game = _made(table, hands, seed, plies, shake)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.jpg"):
        old.unlink()
    rows = []
    for index, taken in enumerate(game):
        file, frame = f"{index:03}.jpg", taken.frame
        cv2.imwrite(str(folder / file), taken.image, [cv2.IMWRITE_JPEG_QUALITY, SAVED])
        rows.append(
            {
                "file": file,
                "plies": frame.plies,
                "fen": frame.fen,
                "looks": colours(frame.standing),
                "hand": frame.reach is not None,
                "mistake": frame.mistake,
                "changed": sorted(taken.changed),
                "corners": taken.corners,
                "notes": frame.notes,
            }
        )
    truth = {"set": table.name, "game": "chess", "seed": seed, "moves": list(told.moves), "pictures": rows}
    (folder / "truth.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")


def _made(
    table: Table, hands: Sequence[ReachingHand], seed: int, plies: int, shake: float = 0.0
) -> tuple[Script, Iterator[Taken]]:
    """Returns the script of a seed, and its pictures."""
    chance = Random(f"{table.name} {seed}")
    told = script(chance, plies, with_mistakes=seed % MISTAKEN == 1)
    return told, pictures(table, hands, told, chance, seed % PUSHED == 1, shake)
