"""Measures how rightly random tables are read: boards, pieces, lamps and cameras that nobody chose.

    python -m benchmarks tables [GAME…] [--tables N] [--seed N] [--save FOLDER]

Each table is learned from as a user would, and then played on, with hands now and then. Prints a line for
each game. `--save` writes the pictures in which something was misread.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import cv2
import numpy as np

from benchmarks.picture_sets.series import differing
from benchmarks.simulation.players import decide, opening
from companion.core.board import Board
from companion.core.game import EMPTY, GameError, Look, Place
from companion.record.session import Entry, Session
from vision.arrays import Image
from vision.calibration.calibrate import calibrate
from vision.finding.locate import BoardNotFoundError
from vision.known.example import Example
from vision.reading.reader import Reader
from vision.virtual.render.finish import WOODS, Finish
from vision.virtual.render.light import LightSource
from vision.virtual.render.outlook import overlook
from vision.virtual.render.painter import ImageSensor, Painter
from vision.virtual.tabletop import Tabletop

GAMES = ("triune", "trid", "magnet", "escape", "ternion_factor", "ternion_spaces", "teleporters")
BOARDS: Mapping[str, tuple[str, ...]] = {"teleporters": ("blue", "green", "slate", "grey")}
WOODEN = ("beech", "maple", "cherry", "oak")
SIZE = (960, 720)
POSITIONS, HANDS = 12, 3
LESSONS = 3


@dataclass
class Tally:
    """The counts of a game's tables: how their pictures were read."""

    places: int = 0
    wrong: Counter[tuple[Look, Look]] = field(default_factory=Counter)
    pictures: int = 0
    right: int = 0
    told: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    tables: list[str] = field(default_factory=list)
    """Those where something was misread."""

    def __str__(self) -> str:
        rate = 1000 * self.wrong.total() / max(1, self.places)
        common = ", ".join(f"{a} as {b} ×{n}" for (a, b), n in self.wrong.most_common(4))
        told = ", ".join(f"{why} ×{n}" for why, n in self.told.items())
        return (
            f"{rate:5.2f} wrong in 1,000  {self.right}/{self.pictures} pictures right  hands missed"
            f" {self.hands}  {told}  {common}  tables {', '.join(self.tables)}"
        )


@dataclass(frozen=True)
class Setting:
    """A table: its board as it is drawn, and the painter's view, light, finish and camera."""

    board: Board
    elevation: float
    azimuth: float
    bend: float
    light: LightSource
    finish: Finish
    sensor: ImageSensor

    @classmethod
    def of(cls, board: Board, rng: Random) -> Setting:
        """Returns a random one; the light shines where the camera does not glare."""
        woods = BOARDS.get(board.name, WOODEN)
        kind = rng.choice(woods)
        below = rng.choice([w for w in WOODS if w != kind])
        return cls(
            made(board, rng),
            rng.uniform(56, 80),
            -90 + rng.uniform(-9, 9),
            rng.uniform(-0.09, 0.0),
            LightSource(
                rng.uniform(0, 360),
                rng.uniform(35, 70),
                rng.uniform(0.35, 0.7),
                rng.uniform(0.5, 1.1),
                rng.uniform(3200, 6200),
            ),
            Finish(kind, below, rng.random() < 0.5),
            ImageSensor(rng.uniform(1.0, 3.5), rng.uniform(0.3, 0.9)),
        )

    @property
    def words(self) -> str:
        return f"{self.finish.board} {self.elevation:.0f}° {self.light.kelvin:.0f} K"

    def painter(self) -> Painter:
        view = overlook(
            self.board, self.elevation, self.azimuth, size=SIZE, field_of_view=60, room=0.9, bend=self.bend
        )
        return Painter(self.board, view, self.light, self.finish, self.sensor)


def made(board: Board, rng: Random) -> Board:
    """Returns the board with pieces of somewhat other paint and proportions."""
    wide, tall = rng.uniform(0.85, 1.1), rng.uniform(0.75, 1.25)
    faces = {
        name: replace(f, radius=f.radius * (wide if f.form != "port" else 1), height=f.height * tall)
        for name, f in board.pieces.faces.items()
    }
    paint = {name: _varied(colour, rng) for name, colour in board.pieces.paint.items()}
    return replace(board, pieces=replace(board.pieces, faces=faces, paint=paint))


def _varied(colour: str, rng: Random) -> str:
    values = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    light = rng.uniform(0.8, 1.2)
    return "#" + "".join(f"{min(255, max(0, round(light * v + rng.uniform(-12, 12)))):02x}" for v in values)


def uneven(image: Image, rng: Random) -> Image:
    """Changes the light of a picture a little, and not alike everywhere, as when people move about a lamp."""
    height, width = image.shape[:2]
    y, x = np.linspace(-1, 1, height)[:, None], np.linspace(-1, 1, width)[None]
    tilt = [rng.uniform(-0.08, 0.08) for _ in range(4)]
    gain = 1 + tilt[0] + tilt[1] * x + tilt[2] * y + tilt[3] * x * y
    return np.asarray(np.clip(image * gain[..., None], 0, 255), dtype=np.uint8)


class Play:
    """A game on one table, and the pictures of it."""

    def __init__(self, game: str, number: int, seed: int) -> None:
        self.rng = Random(f"{game} {number} {seed}")
        self.truth = opening(game, self.rng)
        self.setting = Setting.of(self.truth.game.board, self.rng)
        self._painter = self.setting.painter()
        self._noise = np.random.default_rng(seed + number)
        self._table = Tabletop(self.setting.board)

    def picture(self, table: Tabletop) -> Image:
        return uneven(self._painter.draw(table, self._noise), self.rng)

    def moments(self) -> Iterator[tuple[Image, dict[Place, Look]]]:
        """Yields a picture of each position, and what stands there."""
        session = self.truth
        for _ in range(POSITIONS):
            want = dict(session.rules.look(session.position))
            self._table = self._table.become(want, self.rng)
            yield self.picture(self._table), want
            session = self._on(session)

    def _on(self, session: Session) -> Session:
        for _ in range(3):
            if session.outcome:
                break
            session = session.apply(Entry("action", decide(session, self.rng)))
        return session

    def hands(self) -> Iterator[Image]:
        """Yields pictures with a hand over the board."""
        points = list(self.setting.board.sites.values())
        for _ in range(HANDS):
            yield self.picture(self._table.reach(self.rng.choice(points), self.rng.choice((-90.0, 90.0))))

    def learned(self, moments: list[tuple[Image, dict[Place, Look]]], empty: Image) -> Reader:
        """Learns a reader from the empty board and the first pictures that show something new."""
        examples: list[Example] = []
        known: set[Look] = set()
        for image, looks in moments:
            new = set(looks.values()) - known
            if new and len(examples) < LESSONS:
                examples.append(Example(image, looks))
                known |= new
        board = self.truth.game.board
        faces = self.truth.rules.looks(self.truth.position)
        profile = calibrate(board, self.truth.game.head, faces, examples, [empty], south="bottom")
        return Reader(profile, board)


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks tables")
    parser.add_argument("games", nargs="*", help="without any, every game")
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args(args)
    cv2.setNumThreads(1)
    for game in options.games or GAMES:
        tally = Tally()
        for number in range(options.tables):
            add(tally, Play(game, number, options.seed), number, options.save)
        print(f"{game:16} {tally}", flush=True)
    return 0


def add(tally: Tally, play: Play, number: int, save: Path | None) -> None:
    """Learns from a table and reads what is played on it."""
    empty = play.picture(Tabletop(play.setting.board))
    moments = list(play.moments())
    try:
        reader = play.learned(moments, empty)
    except (BoardNotFoundError, GameError) as error:
        tally.told[f"not learned: {error}"] += 1
        return
    before = tally.wrong.total()
    for n, (image, want) in enumerate(moments):
        _look(tally, reader, image, want, save and save / f"{play.setting.board.name}-{number}-{n}.png")
    hidden = [reader.read(image) for image in play.hands()]
    tally.hands += sum(seen.board == "ok" and not seen.sighting.hand for seen in hidden)
    if tally.wrong.total() > before:
        tally.tables.append(f"{number} ({play.setting.words}: {tally.wrong.total() - before})")


def _look(tally: Tally, reader: Reader, image: Image, want: Mapping[Place, Look], save: Path | None) -> None:
    seen = reader.read(image)
    if seen.board != "ok" or seen.sighting.hand:
        tally.told["hand" if seen.sighting.hand else seen.board] += 1
        return
    wrong = differing(seen.looks, want, frozenset())
    odd = {p: (want.get(p, EMPTY), seen.looks.get(p, EMPTY)) for p in sorted(wrong)}
    tally.wrong.update(odd.values())
    tally.places += len(reader.layout.places)
    tally.pictures += 1
    tally.right += not odd
    if odd and save:
        save.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(save), image)
        print(save.name, odd, flush=True)
