"""The wall's stream: all boards at first, then those that have changed, as server-sent events.

What comes within `PACE` seconds goes out together. A display that reads slowly misses what lies in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flask import Response, abort, request

from broker_bridge.topics import BoardName, TopicError, read_board_name
from companion.language import say
from companion.wire.codec import write
from companion.wire.values import Wire
from hall.wall.context import WallContext, context
from hall.wall.hall import Hall, HallBoard
from hall.wall.tile import moves_of, need_id
from web.server.languages import language
from web.server.streams import BEGIN, answer_stream, beat
from web.server.subject import Subject

blueprint = Subject("live", __name__, url_prefix="/api/v1")


@blueprint.get("/events")
def events() -> Response:
    """Streams `boards` (tiles that have changed, names that have gone), `hall` and `beat`."""
    shared = context()
    return answer_stream(shared, follow(shared, language()))


@blueprint.get("/moves")
def show_moves() -> dict[str, object]:
    """Sends the actions of a board's game, as far as the wall has heard of them."""
    return {"moves": moves_of(asked_board(request.args.get("board", "")))}


def asked_board(text: str) -> HallBoard:
    """Returns the board of a name; 404 where there is none."""
    try:
        found = context().lookout.hall.boards.get(read_board_name(text))
    except TopicError:
        found = None
    if found is None:
        abort(404, say("there is no such board"))
    return found


class HallNotes(Wire):
    """How the hall is."""

    lost: bool
    """There is no broker now."""
    seen: tuple[str, ...]
    """The ids of needs that were ticked off."""
    addresses: Mapping[str, str]
    """The boards whose address the desk knows, and that address."""
    rulings: int
    """A number that changes with each ruling."""


class Display:
    """Keeps what one display was told, the version of each board and the state of the hall, and tells it what
    is new since then."""

    def __init__(self, shared: WallContext, language: str) -> None:
        self._shared, self._language = shared, language
        self._versions: dict[BoardName, int] | None = None
        self._notes = b""

    def news(self, hall: Hall) -> bytes:
        """Returns the events that bring the display up to date; b'' where it is."""
        return b"".join((*self._boards(hall), *self._hall(hall)))

    def _boards(self, hall: Hall) -> Iterator[bytes]:
        """Yields the boards that have changed, and the names of those that are gone; all boards at first."""
        is_first, known = self._versions is None, self._versions or {}
        self._versions = {name: board.version for name, board in hall.boards.items()}
        changed = [board for board in hall.boards.values() if known.get(board.name) != board.version]
        gone = [str(name) for name in known if name not in hall.boards]
        if is_first or changed or gone:
            yield self._boards_event(is_first, gone, changed)

    def _boards_event(self, is_whole: bool, gone: list[str], changed: list[HallBoard]) -> bytes:
        """Returns the event that tells of boards; with `is_whole` there are no others."""
        tiles = b",".join(self._shared.show_tile(board, self._language) for board in changed)
        content = b'{"whole":%s,"gone":%s,"boards":[%s]}' % (write(is_whole), write(gone), tiles)
        return _event("boards", content)

    def _hall(self, hall: Hall) -> Iterator[bytes]:
        """Yields whether there is a broker, which needs were ticked off, and which boards can be reached."""
        shared = self._shared
        needs = {need_id(board, need) for board in hall.boards.values() for need in board.needs}
        notes = write(
            HallNotes(
                lost=bool(shared.lookout.lost),
                seen=tuple(sorted(shared.journal.seen & needs)),
                addresses={str(name): found.address for name, found in shared.addresses.known.items()},
                rulings=shared.journal.count,
            )
        )
        if notes != self._notes:
            self._notes = notes
            yield _event("hall", notes)


def follow(shared: WallContext, language: str) -> Iterator[bytes]:
    """Yields the bytes of a stream in a language, from all boards to its end; b"" where nothing is new."""
    display = Display(shared, language)
    told = begun = shared.clock()
    yield BEGIN + beat(shared.wall())
    while True:
        now, news = shared.clock(), display.news(shared.lookout.hall)
        if not news and now - told >= shared.settings.heartbeat:
            news = beat(shared.wall())
        told = now if news else told
        yield news
        if now - begun >= shared.settings.stream_seconds or shared.closing.is_set():
            return


def _event(name: str, data: bytes) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)
