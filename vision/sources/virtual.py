"""The virtual table: a simulated wooden board with a camera over it.

It has two sides. The camera's side is a source like any other: its frames go through the same vision as those
of a webcam. The page's side is the hand: a finger on the picture takes a piece up, carries it and puts it
down; tests also bump the camera and change the light. Both sides may be used from any thread. What lies on
the table is a `vision.virtual.tabletop.Tabletop`; `vision.virtual.render` draws it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

import numpy as np

from companion.core.board import Board, Point
from companion.core.game import Look, P, Place
from companion.core.rules import Rules
from companion.language import say
from companion.sensing.sources import SourceError
from vision.arrays import Floats, Image
from vision.geometry.view import View
from vision.sources.source import CameraFrame, Source
from vision.virtual.layout import face_of
from vision.virtual.render.light import LightSource
from vision.virtual.render.outlook import overlook, shifted
from vision.virtual.render.painter import Painter
from vision.virtual.tabletop import Item, Tabletop, handle, lay, wall_ends

RATE = 20.0
"""Frames a second."""
LIVELY = 2.0
"""Seconds for which frames come at that rate after the table changed."""
REST = 0.5
"""Seconds between frames of a table that nobody touches."""
STAY = 1.2
"""Seconds for which a hand stays beside a Port that it turned by a quarter: it may turn it on."""
BESIDE = 0.9
"""How far from that Port it stays, so that everybody sees how the Port stands now; steps."""
TAP = 5.0
"""Pixels that a finger may move and still put nothing anywhere."""
EDGE = 6
"""Pixels from the picture's border at which what is carried out of it stays."""
FINGER = 8.0
"""The least distance in pixels from a thing's axis that hits it: a finger is broad."""
GRASP = 1.1
"""The distance from a thing's axis that hits it, as a multiple of its radius."""


@dataclass(frozen=True)
class VirtualScene:
    """All that a frame shows; immutable, so that it can be drawn while a hand goes on."""

    table: Tabletop
    view: View
    light: LightSource


@dataclass(frozen=True)
class Grip:
    """A finger that holds something.

    It came down at a `pixel`, missed the thing's middle by `offset` (steps), and the table was as `before`.
    """

    pixel: Point
    offset: Point
    before: Tabletop


class VirtualTable:
    """A board with what lies on it, in a light and seen by a camera."""

    def __init__(
        self,
        board: Board,
        rng: Random,
        *,
        size: tuple[int, int] = (640, 480),
    ) -> None:
        self._rng, self._size = rng, size
        self._lock = threading.Lock()
        self._grip: Grip | None = None
        self.scene = self._empty(board)
        self._staying: VirtualScene | None = None
        """The scene in which a hand only stays a while; None after another one."""

    @property
    def table(self) -> Tabletop:
        """The things on the table and where they lie."""
        return self.scene.table

    @property
    def view(self) -> View:
        """The place of the board in the camera's picture."""
        return self.scene.view

    def source(
        self,
        rate: float = RATE,
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] = time.sleep,
    ) -> Source:
        """Returns the camera's side, a source of `rate` frames a second; `clock` and `wait` are in
        seconds."""
        return VirtualCamera(self, rate, self._rng.getrandbits(32), clock, wait)

    # The game's side

    def clear(self, board: Board) -> None:
        """Lays an empty board, and nothing beside it."""
        with self._lock:
            self._grip, self.scene = None, self._empty(board)

    def lay(self, rules: Rules[P], position: P, board: Board) -> None:
        """Lays a board with a game's position on it, and reserves and markers beside it."""
        with self._lock:
            same = board is self.scene.table.board
            scene = self.scene if same else self._empty(board)
            self._grip, self.scene = None, replace(scene, table=lay(rules, position, board, self._rng))

    def exchange(self, looks: Mapping[Place, Look]) -> None:
        """Exchanges pieces that became another kind, such as a king; see `Tabletop.with_kinds`."""
        with self._lock:
            self._show(self.scene.table.with_kinds(looks))

    # The hand's side: pixels of the camera's picture

    def press(self, x: float, y: float) -> bool:
        """Has a finger take up what it points at; returns whether there was something."""
        with self._lock:
            self._let_go()
            item = pick(self.scene, (x, y))
            if item is None:
                return False
            at = self._point(x, y)
            taken = self.scene.table.grasp(item)
            held = taken.hand.item.at if taken.hand and taken.hand.item else item.at
            self._grip = Grip((x, y), (held[0] - at[0], held[1] - at[1]), self.scene.table)
            self._show(taken)
            return True

    def drag(self, x: float, y: float) -> None:
        """Moves the finger, and what it holds with it."""
        with self._lock:
            if self._grip:
                self._carry(self._grip, x, y)

    def drop(self, x: float, y: float) -> None:
        """Has the finger let go. One that hardly moved puts the thing back exactly where it was."""
        with self._lock:
            grip = self._grip
            if grip and abs(x - grip.pixel[0]) + abs(y - grip.pixel[1]) <= TAP:
                self._grip = None
                self._show(grip.before)
            elif grip:
                self._carry(grip, x, y)
                self._let_go()

    def turn_over(self, x: float, y: float) -> bool:
        """Turns the disc, stack or Port at a double tap; returns whether there was something."""
        with self._lock:
            self._let_go()
            item = pick(self.scene, (x, y))
            if item is None:
                return False
            table = self.scene.table.turn_over(item, self._rng)
            if not item.corner:
                self._show(table)
                return True
            east, north = handle(item)
            self._show(table.reach((east, north - BESIDE)))
            self._staying = self.scene
            return True

    # The camera's side

    def leave(self) -> None:
        """Takes away a hand that stayed for long enough, and no other."""
        with self._lock:
            self._leave()

    # The test's side

    def become(self, looks: Mapping[Place, Look]) -> None:
        """Sets these looks on the board, at once and without a hand.

        SourceError where the board of another game is there.
        """
        with self._lock:
            board = self.scene.table.board
            if not looks.keys() <= {*board.sites, *board.places}:
                raise SourceError(say("the table is laid for another game just now: try again"))
            self._show(self.scene.table.become(looks, self._rng))

    def picture(self, looks: Mapping[Place, Look] | None = None) -> Image:
        """Returns a picture with these looks on the board, or as it is now, for the camera to learn from."""
        return self.pictures(looks)[0]

    def pictures(self, *boards: Mapping[Place, Look] | None) -> list[Image]:
        """Returns such a picture of each; what they share is drawn once."""
        scene = self.scene
        painter = Painter(scene.table.board, scene.view, scene.light)
        tables = [scene.table if looks is None else scene.table.become(looks, Random(1)) for looks in boards]
        return [painter.draw(table.withdraw(), np.random.default_rng(1)) for table in tables]

    def show(self, table: Tabletop) -> None:
        """Replaces the table by another, such as a gesture's next moment."""
        with self._lock:
            self._show(table)

    def hand(self, at: Point | None) -> None:
        """Holds an empty hand over a point of the board (steps), or takes it away."""
        with self._lock:
            table = self.scene.table
            self._show(table.withdraw() if at is None else table.reach(at))

    def bump(self, across: float, down: float, turn: float = 0.0) -> None:
        """Pushes the camera: the picture moves by pixels and turns by degrees."""
        with self._lock:
            view = shifted(self.scene.view, across, down, turn)
            self.scene = replace(self.scene, view=view)

    def shine(self, light: LightSource) -> None:
        """Changes the light."""
        with self._lock:
            self.scene = replace(self.scene, light=light)

    def _empty(self, board: Board) -> VirtualScene:
        return VirtualScene(Tabletop(board), overlook(board, size=self._size), LightSource())

    def _show(self, table: Tabletop) -> None:
        self.scene = replace(self.scene, table=table)

    def _point(self, x: float, y: float) -> Point:
        width, height = self._size
        inside = min(max(x, EDGE), width - 1 - EDGE), min(max(y, EDGE), height - 1 - EDGE)
        ((east, north),) = self.scene.view.board([inside]).tolist()
        return east, north

    def _carry(self, grip: Grip, x: float, y: float) -> None:
        east, north = self._point(x, y)
        self._show(self.scene.table.reach((east + grip.offset[0], north + grip.offset[1])))

    def _leave(self) -> None:
        if self._staying is self.scene:
            self._show(self.scene.table.withdraw())
        self._staying = None

    def _let_go(self) -> None:
        self._leave()
        if self._grip:
            self._grip = None
            self._show(self.scene.table.release(self._rng))


class VirtualCamera:
    """The virtual table's camera, as a source."""

    live = True
    name = "virtual"

    def __init__(
        self,
        table: VirtualTable,
        rate: float,
        seed: int,
        clock: Callable[[], float],
        wait: Callable[[float], object],
    ) -> None:
        self._table, self._period, self._clock, self._wait = table, 1 / rate, clock, wait
        self._rng = np.random.default_rng(seed)
        self._painter: Painter | None = None
        self._index = 0
        self._due = self._changed = clock()
        self._shown: VirtualScene | None = None
        self._shown_at = self._due

    def read(self) -> CameraFrame | None:
        """Returns the next frame when it is due. A camera that was not read for a while starts afresh; of a
        table that nobody touches few frames come."""
        self._tick()
        while self._rests():
            self._tick()
        now = self._clock()
        if self._shows_the_present() and now - self._changed >= STAY:
            self._table.leave()
        scene = self._table.scene  # after the time was told: a frame shows all that was done before it
        image = self._painter_of(scene).draw(scene.table, self._rng)
        frame = CameraFrame(now, image, self._index, self.name)
        self._index += 1
        if scene is not self._shown:
            self._changed = frame.time
        self._shown, self._shown_at = scene, frame.time
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
        """Returns whether the next frame would show what was shown a moment ago, and for long before."""
        now = self._clock()
        is_old = now - self._changed >= LIVELY
        return is_old and self._shows_the_present() and now - self._shown_at < REST

    def _shows_the_present(self) -> bool:
        """Returns whether the last frame showed the table as it is now."""
        return self._table.scene is self._shown

    def _painter_of(self, scene: VirtualScene) -> Painter:
        old = self._painter
        board = scene.table.board
        if old and (old.board, old.view) == (board, scene.view):
            self._painter = old.under(scene.light)
        else:
            self._painter = Painter(board, scene.view, scene.light)
        return self._painter


def pick(scene: VirtualScene, pixel: Point) -> Item | None:
    """Returns the thing that a finger on the picture points at: any part of it, from foot to head. Of several
    things it is the one in front."""
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


def _miss(scene: VirtualScene, item: Item, pixel: Point) -> float:
    """Returns by how many pixels a finger misses a thing; 0 or less where it hits."""
    board, view = scene.table.board, scene.view
    face, at = face_of(board, item.look), handle(item)
    if item.corner:  # a Pole may stand between its walls
        ends = view.pixels(wall_ends(item, face.radius), [face.height / 2] * 3)
        return min(_distance(pixel, start, end) for start, end in pairwise(ends)) - FINGER
    foot, head = view.pixels([at, at], [0.0, face.height])
    return _distance(pixel, foot, head) - max(FINGER, GRASP * face.radius * view.step_pixels(at))


def _distance(pixel: Point, start: Floats, end: Floats) -> float:
    """Returns how far a pixel is from the straight line between two others."""
    along = end - start
    share = np.clip((np.array(pixel) - start) @ along / (along @ along or 1.0), 0, 1)
    return float(np.hypot(*(np.array(pixel) - start - share * along)))
