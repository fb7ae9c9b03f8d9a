"""A hall for tests: boards with games of many kinds, a link that a test speaks through, and the wall."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from broker_bridge.board_state import clock_of, state_of
from broker_bridge.link import Client, Delivery, Letter
from broker_bridge.topics import CLOCK, EVENT, STATE, STATUS, BoardName
from companion.core.game import Breach
from companion.games.text import split
from companion.record.clock import parse_controls, set_clock
from companion.record.session import Entry, Session, begin
from companion.table.present import present, present_ply
from companion.table.snapshot import Question, Snapshot, Verdict
from companion.tutorials import tutorial
from companion.wire.codec import write
from companion.wire.hall import LogLine
from companion.wire.state import SourceStatus
from hall.wall.board_addresses import FILE as BOARDS
from hall.wall.board_addresses import BoardAddress, BoardAddresses
from hall.wall.board_calls import BoardAnswer
from hall.wall.context import WallContext
from hall.wall.journal import FILE as JOURNAL
from hall.wall.journal import Journal
from hall.wall.lookout import Lookout
from web import Settings

NOW = 1_700_000_000.0
GAMES = ("chess", "triune", "draughts", "chess", "magnet", "teleporters", "chess", "trid")
NAMES = ("Ann Ash", "Ben Brown", "Carla Castellanos", "Dmitri Dvorak", "Eve Ek", "Friederike Feldmann-Ott")


@dataclass
class FakeLink:
    """A link whose broker is the test."""

    accepted: list[Delivery] = field(default_factory=list)
    client: Client | None = None
    is_closed: bool = False

    def open(self, client: Client) -> None:
        self.client = client
        client.joined()

    def publish(self, letter: Letter) -> int:
        raise AssertionError("the wall says nothing")

    def accept(self, delivery: Delivery) -> None:
        self.accepted.append(delivery)

    def close(self, last: Letter | None = None) -> None:
        self.is_closed = True

    def tell(self, name: BoardName, kind: str, payload: bytes | dict[str, Any] | None) -> None:
        """Delivers what a board says."""
        assert self.client is not None
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.client.received(Delivery(name.topic(kind), data))


@dataclass
class FakeCalls:
    """Boards that note what they are asked, and answer as the test says."""

    answer: BoardAnswer = field(default_factory=lambda: BoardAnswer(200, "done"))
    asked: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)

    def post(self, board: BoardAddress, path: str, body: dict[str, Any], companion: str) -> BoardAnswer:
        self.asked.append((board.address, path, body))
        return self.answer


@dataclass
class Stage:
    """A wall with its link and its boards' answers."""

    shared: WallContext
    link: FakeLink
    calls: FakeCalls


@contextmanager
def staged(folder: Path, settings: Settings | None = None, patience: float = 20.0) -> Iterator[Stage]:
    """A wall of which the test is the broker, the boards and the clock on the wall (`now`)."""
    link, calls = FakeLink(), FakeCalls()
    with Lookout(link, lambda: NOW) as lookout:
        journal, addresses = Journal(folder / JOURNAL), BoardAddresses(folder / BOARDS)
        shared = WallContext(
            settings or Settings(port=0), lookout, journal, addresses, calls, lambda: NOW, None, patience
        )
        yield Stage(shared, link, calls)


@cache
def sessions(game: str) -> tuple[Session, ...]:
    """A game that its tutorial brings, ply by ply."""
    read, actions = split(tutorial(game).in_play)
    found = [begin(read)]
    for action in actions:
        position = found[-1].position
        entry = Entry("action", read.rules.read(position, action), position.to_act, "tablet")
        found.append(found[-1].apply(entry))
    return tuple(found)


def board_name(n: int) -> BoardName:
    """The name of board `n` of a hall, from 1: the first fifty are in Hall A."""
    return BoardName("Hall A" if n <= 50 else "Hall B", str(n))


def snapshot_of(n: int, ply: int) -> Snapshot:
    """Board `n` after so many plies: with names, a round, and mostly a clock."""
    game = GAMES[n % len(GAMES)]
    all_of_it = sessions(game)
    session = all_of_it[min(ply, len(all_of_it) - 1)]
    names = {player: NAMES[(n + i) % len(NAMES)] for i, player in enumerate(session.players)}
    head = {**names, "round": str(1 + n % 3), "event": "Spring Open"}
    clock = None
    if n % 5 and len(session.players) == 2:
        controls = parse_controls("10:00+5", session.players)
        clock = set_clock(controls).put(
            dict.fromkeys(session.players, 590.0 - 5 * n - 3 * ply),
            session.position.to_act if ply and not session.outcome else "",
            NOW,
        )
    return Snapshot(
        id=ply, session=session, number=1, head=head, clock=clock, sources=(SourceStatus("camera"),)
    )


def troubled(n: int, snapshot: Snapshot) -> Snapshot:
    """Some boards of a hall have trouble: what is refused, asked, offered or lost depends on the number."""
    session = snapshot.session
    assert session is not None
    to_act = session.position.to_act
    match n % 20:
        case 3:
            rules = {"chess": "CH-2", "triune": "TR-1"}
            number = rules.get(session.rules.name) or first_rule(session.rules.name)
            return replace(snapshot, verdict=Verdict("refused", "no", "e2-e5", (Breach(number, ()),)))
        case 8:
            legal = tuple((action,) for action in list(session.rules.legal(session.position))[:2])
            return replace(snapshot, question=Question(1, legal, to_act)) if legal else snapshot
        case 13:
            lost = SourceStatus("camera", "lost", "a sensor is silent: nothing comes from it any more")
            return replace(snapshot, sources=(lost,))
    return snapshot


@cache
def first_rule(game: str) -> str:
    """A rule's number of a game."""
    import tomllib

    text = Path("companion/rulebook", f"{game}.toml").read_text(encoding="utf-8")
    return next(iter(tomllib.loads(text)))


def tell_board(link: FakeLink, n: int, ply: int) -> None:
    """Has board `n` say all that it says after so many plies."""
    name, snapshot = board_name(n), troubled(n, snapshot_of(n, ply))
    view = present(snapshot)
    state = state_of(view, f"companion-{n}", f"http://board{n}.local:8000/", at=NOW)
    link.tell(name, STATE, write(replace(state, since=dict.fromkeys(state.since, NOW - 30.0 - n))))
    link.tell(name, CLOCK, write(clock_of(view, NOW, NOW)))
    if session := snapshot.session if ply else None:
        last = present_ply(session, len(session.plies), None)
        line = LogLine(
            f"companion-{n}", 1, last.n, "action", player=last.player, written=last.written, plies=last.n
        )
        link.tell(name, EVENT, write(line))


def tell_hall(
    link: FakeLink, boards: Iterable[int], ply: Callable[[int], int] = lambda n: 3 + n % 12
) -> None:
    """Fills the hall: of a hundred boards five have gone, and some wait for a person."""
    for n in boards:
        tell_board(link, n, ply(n))
        link.tell(board_name(n), STATUS, b"offline" if n % 20 == 17 else b"online")
