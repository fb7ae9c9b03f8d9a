"""The virtual table: a simulated wooden board with a camera over it.

It has two sides. The camera's side is a source like any other: frames go through the same vision as a
webcam's. The page's side is the hand: a finger on the picture takes a piece up, carries it and puts it
down; tests also bump the camera and change the light. Both sides may be used from any thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from companion.board import Board, Point
from companion.core import Look, P, Place, Rules
from vision.geometry.view import View
from vision.sources.source import Frame, Image, Source
from vision.virtual.layout import face_of
from vision.virtual.render.finish import Finish, finish_of
from vision.virtual.render.light import Light
from vision.virtual.render.outlook import overlook, shifted
from vision.virtual.render.painter import Painter, Sensor
from vision.virtual.tabletop import Item, Tabletop, handle, lay

RATE = 20.0  # frames a second
LIVELY = 2.0  # seconds for which frames come at that rate after the table changed
REST = 0.5  # seconds between frames of a table that nobody touches
TAP = 5.0  # pixels: a finger that moved no farther put nothing anywhere
EDGE = 6  # pixels that what is carried out of the picture stays within it


@dataclass(frozen=True)
class Scene:
    """All that a frame shows: immutable, so that it can be drawn while a hand goes on."""

    table: Tabletop
    view: View
    light: Light
    finish: Finish


@dataclass(frozen=True)
class Grip:
    """A finger that holds something: where it came down, by how much it missed the thing's middle, and
    the table as it was."""

    pixel: Point
    offset: Point
    before: Tabletop


class VirtualTable:
    """A board, what lies on it, the light and the camera's view."""

    def __init__(
        self, board: Board, rng: Random, *, elevation: float = 68.0, size: tuple[int, int] = (640, 480),
        sensor: Sensor | None = None, finish: Finish | None = None,
    ) -> None:
        self._rng, self._elevation, self._size = rng, elevation, size
        self.sensor = sensor or Sensor()
        self._lock = threading.Lock()
        self._grip: Grip | None = None
        self._scene = self._empty(board, finish)

    @property
    def scene(self) -> Scene:
        return self._scene

    @property
    def table(self) -> Tabletop:
        """What lies where, physically."""
        return self._scene.table

    @property
    def view(self) -> View:
        """Where the board lies in the camera's picture."""
        return self._scene.view

    def source(
        self, rate: float = RATE, *, clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] = time.sleep,
    ) -> Source:
        """The camera's side: a source of `rate` frames a second."""
        return VirtualCamera(self, rate, self._rng.getrandbits(32), clock, wait)

    # The game's side

    def clear(self, board: Board, finish: Finish | None = None) -> None:
        """An empty board, and nothing beside it."""
        with self._lock:
            self._grip, self._scene = None, self._empty(board, finish)

    def lay(self, rules: Rules[P], position: P, board: Board, finish: Finish | None = None) -> None:
        """A board with a game's position on it, and reserves and markers beside it."""
        with self._lock:
            same = board is self._scene.table.board and finish in (None, self._scene.finish)
            scene = self._scene if same else self._empty(board, finish)
            self._grip, self._scene = None, replace(scene, table=lay(rules, position, board, self._rng))

    # The hand's side: pixels of the camera's picture

    def press(self, x: float, y: float) -> bool:
        """A finger takes up what it points at; whether there was something."""
        with self._lock:
            self._let_go()
            item = pick(self._scene, (x, y))
            if item is None:
                return False
            at = self._point(x, y)
            taken = self._scene.table.grasp(item)
            held = taken.hand.item.at if taken.hand and taken.hand.item else item.at
            self._grip = Grip((x, y), (held[0] - at[0], held[1] - at[1]), self._scene.table)
            self._show(taken)
            return True

    def drag(self, x: float, y: float) -> None:
        """The finger moves, and what it holds with it."""
        with self._lock:
            if self._grip:
                self._carry(self._grip, x, y)

    def drop(self, x: float, y: float) -> None:
        """The finger lets go. One that hardly moved puts the thing back exactly where it was."""
        with self._lock:
            grip = self._grip
            if grip and abs(x - grip.pixel[0]) + abs(y - grip.pixel[1]) <= TAP:
                self._grip = None
                self._show(grip.before)
            elif grip:
                self._carry(grip, x, y)
                self._let_go()

    def turn_over(self, x: float, y: float) -> bool:
        """A double tap: the disc, stack or Port there is turned; whether there was something."""
        with self._lock:
            self._let_go()
            item = pick(self._scene, (x, y))
            if item:
                self._show(self._scene.table.turn_over(item, self._rng))
            return item is not None

    # The test's side

    def become(self, looks: Mapping[Place, Look]) -> None:
        """These looks on the board, at once and without a hand."""
        with self._lock:
            self._show(self._scene.table.become(looks, self._rng))

    def picture(self, looks: Mapping[Place, Look] | None = None) -> Image:
        """What the camera would see with these looks on the board (none: as it is now), to learn from."""
        scene = self._scene
        table = scene.table if looks is None else scene.table.become(looks, Random(1))
        painter = Painter(table.board, scene.view, scene.light, scene.finish, self.sensor)
        return painter.draw(table.withdraw(), np.random.default_rng(1))

    def show(self, table: Tabletop) -> None:
        """The table as handed in (a gesture's next moment)."""
        with self._lock:
            self._show(table)

    def hand(self, at: Point | None, side: float = -90.0) -> None:
        """An empty hand over a point of the board (steps), or none."""
        with self._lock:
            table = self._scene.table
            self._show(table.withdraw() if at is None else table.reach(at, side))

    def bump(self, across: float, down: float, turn: float = 0.0) -> None:
        """Somebody pushes the camera: the picture moves by pixels and turns by degrees."""
        with self._lock:
            view = shifted(self._scene.view, across, down, turn)
            self._scene = replace(self._scene, view=view)

    def shine(self, light: Light) -> None:
        """Another light."""
        with self._lock:
            self._scene = replace(self._scene, light=light)

    def _empty(self, board: Board, finish: Finish | None) -> Scene:
        view = overlook(board, self._elevation, size=self._size)
        return Scene(Tabletop(board), view, Light(), finish or finish_of(board))

    def _show(self, table: Tabletop) -> None:
        self._scene = replace(self._scene, table=table)

    def _point(self, x: float, y: float) -> Point:
        width, height = self._size
        inside = min(max(x, EDGE), width - 1 - EDGE), min(max(y, EDGE), height - 1 - EDGE)
        (east, north), = self._scene.view.board([inside]).tolist()
        return east, north

    def _carry(self, grip: Grip, x: float, y: float) -> None:
        east, north = self._point(x, y)
        self._show(self._scene.table.reach((east + grip.offset[0], north + grip.offset[1])))

    def _let_go(self) -> None:
        if self._grip:
            self._grip = None
            self._show(self._scene.table.release(self._rng))


class VirtualCamera:
    """The virtual table's camera, as a source."""

    live = True
    name = "virtual"

    def __init__(
        self, table: VirtualTable, rate: float, seed: int, clock: Callable[[], float],
        wait: Callable[[float], object],
    ) -> None:
        self._table, self._period, self._clock, self._wait = table, 1 / rate, clock, wait
        self._rng = np.random.default_rng(seed)
        self._painter: Painter | None = None
        self._index = 0
        self._due = self._changed = clock()
        self._shown: tuple[Scene, float] | None = None

    def read(self) -> Frame | None:
        """The next frame, when it is due; a camera that was not read for a while starts afresh. Of a table
        that nobody touches few frames come."""
        self._tick()
        while self._rests():
            self._tick()
        scene = self._table.scene
        image = self._painter_of(scene).draw(scene.table, self._rng)
        frame = Frame(self._clock(), image, self._index, self.name)
        self._index += 1
        if self._shown is None or scene is not self._shown[0]:
            self._changed = frame.time
        self._shown = scene, frame.time
        return frame

    def close(self) -> None:
        self._painter = None

    def _tick(self) -> None:
        """Waits until a frame is due."""
        late = self._clock() - self._due
        if late < 0:
            self._wait(-late)
        self._due = self._period + (self._due if late < self._period else self._clock())

    def _rests(self) -> bool:
        """Whether the next frame would show what was shown a moment ago, and for long."""
        if self._shown is None or self._table.scene is not self._shown[0]:
            return False
        now = self._clock()
        return now - self._changed >= LIVELY and now - self._shown[1] < REST

    def _painter_of(self, scene: Scene) -> Painter:
        old = self._painter
        same = old and (old.board, old.view, old.finish) == (scene.table.board, scene.view, scene.finish)
        if old and same:
            self._painter = old.under(scene.light)
        else:
            board = scene.table.board
            self._painter = Painter(board, scene.view, scene.light, scene.finish, self._table.sensor)
        return self._painter


def pick(scene: Scene, pixel: Point) -> Item | None:
    """The thing that a finger on the picture points at: any part of it, from foot to head; of several
    the one in front."""
    found: Item | None = None
    nearest = 0.0
    eye = scene.view.eye
    for item in scene.table.items:
        if _miss(scene, item, pixel) > 0:
            continue
        x, y = handle(item)
        away = (x - eye[0]) ** 2 + (y - eye[1]) ** 2
        if found is None or away < nearest:
            found, nearest = item, away
    return found


def _miss(scene: Scene, item: Item, pixel: Point) -> float:
    """By how many pixels a finger misses a thing; 0 or less: it hits."""
    board, view = scene.table.board, scene.view
    face, at = face_of(board, item.look), handle(item)
    foot, head = view.pixels([at, at], [0.0, face.height])
    along = head - foot
    share = np.clip((np.array(pixel) - foot) @ along / (along @ along or 1.0), 0, 1)
    away = float(np.hypot(*(np.array(pixel) - foot - share * along)))
    return away - max(8.0, 1.1 * face.radius * view.step_pixels(at))
