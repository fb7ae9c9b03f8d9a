"""Hands on the virtual table, as a mouse makes them on its picture: they take, carry, put down, turn over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from web_pages import PATIENCE

from companion.core.board import Board, Point
from companion.core.game import Look, Place
from companion.record.session import Session
from companion.referee.verdict.guide import GuideStep, guide
from vision.sources.virtual import pick
from vision.virtual.layout import CORNERS, face_of, spot_pitch, spots
from vision.virtual.tabletop import Item, handle, place_of
from web.runtime.runtime import Runtime

PARTS = (0.0, 0.5, 1.0, 0.75, 0.25)
"""Where a piece may be taken hold of, from its foot to its head: a piece before it may hide the others."""


def wait_until(page: Any, is_so: Callable[[], bool], what: str = "it") -> None:
    for _ in range(PATIENCE // 50):
        if is_so():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{what} never came to be so")


def without_markers(looks: Mapping[Place, Look]) -> dict[Place, Look]:
    """Returns the looks of the pieces: players need not lay markers."""
    return {place: piece for place, look in looks.items() if (piece := look.partition("+")[0])}


class MouseHands:
    """A mouse on the picture of a virtual table that a page shows."""

    def __init__(self, page: Any, runtime: Runtime) -> None:
        assert runtime.virtual
        self.page, self.virtual = page, runtime.virtual
        page.wait_for_selector("#tabletop canvas[data-drawn]")

    @property
    def board(self) -> Board:
        return self.virtual.table.board

    def play(self, session: Session, action: str) -> None:
        """Brings the pieces to where they stand after an action, one by one."""
        for step in self.steps(session, action):
            self.do(step)

    def steps(self, session: Session, action: str) -> tuple[GuideStep, ...]:
        """Returns what hands do for an action, as the companion would say it; () where no piece is moved."""
        rules, position = session.rules, session.position
        after = rules.view(rules.play(position, action).position, None)
        should, seen = without_markers(rules.look(after)), without_markers(self.virtual.table.looks())
        return guide(self.board, should, seen, without_markers(rules.pieces(after)))

    def do(self, step: GuideStep) -> None:
        """Moves a piece, turns it over, puts one on or takes one off."""
        if step.start is not None and step.start == step.end:
            if self.board.pieces.face(step.look).badge == "stack":
                self.carry(self._spare(step.look), self._spot(step.start))
            else:
                self.turn(step.start)
            return
        item = self._at(step.start) if step.start else self._spare(step.look)
        stays = step.start and step.end and self.board.site_of(step.start) == self.board.site_of(step.end)
        if not stays:
            self.carry(item, self._spot(step.end) if step.end else self._free_spot(item))
        if step.end and item.corner:
            self.turn_port(self._at(f"{self.board.site_of(step.end)}{item.corner}"), step.end)

    def drag(self, start: Place, end: Place) -> None:
        """Takes what stands on one place to another."""
        self.carry(self._at(start), self._spot(end))

    def carry(self, item: Item, to: Point) -> None:
        """Takes hold of a thing, and lets go of it at a point of the board."""
        held_at, pixel = item.at, self._grip(item)
        [[east, north]] = self.virtual.view.board([pixel]).tolist()
        x, y = to[0] - held_at[0] + east, to[1] - held_at[1] + north
        [end] = self.virtual.view.pixels([(x, y)]).tolist()
        self._move(pixel)
        self.page.mouse.down()
        self._wait(lambda: self.virtual.table.hand is not None, "a hand")
        self._move(end)
        self.page.mouse.up()
        self._wait(lambda: self.virtual.table.hand is None, "a hand that is gone")

    def turn(self, place: Place) -> None:
        """Taps twice what stands on a place."""
        before = self.virtual.table
        x, y = self._on_page(self._grip(self._at(place)))
        self.page.mouse.dblclick(x, y)
        self._wait(lambda: self.virtual.table.looks() != before.looks(), f"another face on {place}")

    def turn_port(self, port: Item, end: Place) -> None:
        """Turns a Port on its square by quarters, until it stands in the corner that is meant."""
        corner = port.corner
        while corner != end[-2:]:
            corner = CORNERS[(CORNERS.index(corner) + 1) % len(CORNERS)]
            self.page.mouse.dblclick(*self._on_page(self._grip(port)))
            place = f"{self.board.site_of(end)}{corner}"
            self._wait(lambda place=place: self.virtual.table.at(place), f"a Port at {place}")
            port = self._at(place)

    def _wait(self, is_so: Callable[[], bool], what: str) -> None:
        wait_until(self.page, is_so, what)

    def _at(self, place: Place) -> Item:
        """Returns what stands on a place, after the marker that lay on it was put aside."""
        item = self.virtual.table.at(place)
        assert item, f"nothing stands on {place}"
        if item.piece and item.marker:
            self.carry(item, self._free_spot(Item(f"+{item.marker}", item.at)))
            return self._at(place)
        return item

    def _spare(self, look: Look) -> Item:
        """Returns a thing beside the board that has a look, or that at least is its owner's."""
        spare = [item for item in self.virtual.table.items if place_of(self.board, item) is None]
        alike = [item for item in spare if item.look == look]
        owned = [item for item in spare if item.owner == look.partition("/")[0]]
        assert alike or owned, f"no {look} lies beside the board"
        return (alike or owned)[0]

    def _spot(self, place: Place) -> Point:
        """Returns where a finger puts a thing on a place; of a Port, the middle of its square."""
        return self.board.where(self.board.site_of(place))

    def _free_spot(self, item: Item) -> Point:
        taken = [other.at for other in self.virtual.table.items]
        pitch = 0.85 * spot_pitch(self.board)
        return next(
            spot
            for spot in spots(self.board, item.owner)
            if all((spot[0] - x) ** 2 + (spot[1] - y) ** 2 > pitch**2 for x, y in taken)
        )

    def _grip(self, item: Item) -> tuple[float, float]:
        """Returns a pixel of the picture at which a finger takes this thing, and none before it."""
        height = face_of(self.board, item.look).height
        for part in PARTS:
            [[x, y]] = self.virtual.view.pixels([handle(item)], [part * height]).tolist()
            if pick(self.virtual.scene, (x, y)) is item:
                return x, y
        raise AssertionError(f"{item.look} is hidden by others")

    def _on_page(self, pixel: Point) -> Point:
        picture = self.page.locator("#tabletop canvas")
        box = picture.bounding_box()
        width, height = picture.evaluate("canvas => [canvas.width, canvas.height]")
        # The picture keeps its ratio in the middle of its box (CSS: object-fit).
        scale = min(box["width"] / width, box["height"] / height)
        left = box["x"] + (box["width"] - scale * width) / 2
        return left + pixel[0] * scale, box["y"] + (box["height"] - scale * height) / 2 + pixel[1] * scale

    def _move(self, pixel: Point) -> None:
        self.page.mouse.move(*self._on_page(pixel), steps=4)
