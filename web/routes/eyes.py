"""Lets the arbiter exchange and test what the companion sees the board with, while the table runs."""

from __future__ import annotations

from companion.language import say
from companion.wire.codec import part_of
from companion.wire.values import Wire
from web.routes.auth import require
from web.runtime.board_test import BoardTests, BoardTestShown
from web.server.context import context
from web.server.subject import Subject, there

blueprint = Subject("eyes", __name__, url_prefix="/api/v1/eyes")


class FoundBoard(Wire):
    """A board with sensors that is plugged in."""

    source: str
    """What it is chosen by; '' where it cannot be."""
    words: str
    """What it is, and where; '' for one in use."""
    trouble: str
    """Why it cannot be chosen now; '' where it can."""
    used: bool
    """The companion sees the board with it now."""


class FoundBoards(Wire):
    """The boards with sensors that were found."""

    boards: tuple[FoundBoard, ...]


@blueprint.post("")
def look_through(*, source: str) -> dict[str, object]:
    """Looks at the board from now on through this camera: `virtual`, `phone`, `camera:0`, `camera:URL`; or
    through this board with sensors alone, which a search has found. For the arbiter."""
    require()
    exchange(source)
    return {}


@blueprint.post("/search")
def search() -> FoundBoards:
    """Looks for boards with sensors that are plugged in, which takes some seconds. For the arbiter."""
    require()
    find_boards = there(context().services.find_boards, say("no boards with sensors are looked for here"))
    boards = tuple(part_of(one, FoundBoard, used=not one.words) for one in find_boards())
    return FoundBoards(boards=boards)


@blueprint.post("/test")
def begin_test() -> dict[str, object]:
    """Begins the test before play: three pieces are lifted and put back. Until it ends nothing on the board
    counts as play. For the arbiter."""
    _tests().begin()
    return {}


@blueprint.get("/test")
def show_test() -> BoardTestShown:
    """Tells how the test goes; it ends once it is done, and when nobody asks for ten seconds. 404 while none
    is on. For the arbiter."""
    return there(_tests().look(), say("no test is on"))


@blueprint.post("/test/end")
def end_test(*, anyway: bool = False) -> dict[str, object]:
    """Ends the test before it is done. 409 while something that was moved is not back, unless it is to end
    `anyway`. For the arbiter."""
    _tests().end(anyway=anyway)
    return {}


def exchange(source: str) -> None:
    """Looks at the board through this source; 409 for one that there cannot be."""
    there(context().services.look_through, say("there is no camera here"))(source)


def _tests() -> BoardTests:
    require()
    return there(context().services.board_tests, say("there is nothing here that sees the board"))
