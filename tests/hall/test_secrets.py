"""No secret of Magnet is anywhere in a hall before its game is over: all bytes of 50 games, ten in the suite.

Each game is played in two worlds that only one player can tell apart, for they differ in what is hidden. All
that the hall has of them is compared byte by byte: every letter on every topic, the archive's database, the
wall's tiles and moves, and the measures of the board's page.
"""

from contextlib import closing

import pytest
from flask.testing import FlaskClient

from broker_bridge.link import Delivery, Letter
from broker_bridge.topics import EVENT
from companion.table import messages as m
from companion.wire.codec import read, write
from companion.wire.hall import LogLine
from hall.archive.archive import Archive
from hall.archive.arrivals import read_arrival
from hall.archive.database import open_database
from hall.wall.hall import Hall, fold
from hall.wall.tile import moves_of, tile_of
from tests.broker_bridge.stage import NOON, Stage
from tests.broker_bridge.test_secrets import random_game
from tests.samples import few
from web import Services, Settings, create_app
from web.server.tally import Tally


def archived(letters: list[Letter]) -> str:
    """Returns all that an archive's database holds after these letters."""
    with closing(Archive(open_database(":memory:"))) as archive:
        archive.prepare(NOON)
        arrivals = [
            read_arrival(Delivery(letter.topic, letter.payload, n), NOON)
            for n, letter in enumerate(letters, 1)
            if letter.topic.endswith(f"/{EVENT}")
        ]
        archive.store(arrivals)
        tables = archive.database.rows(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
        )
        return repr([(name, archive.database.rows(f"SELECT * FROM {name}")) for (name,) in tables])


def shown(letters: list[Letter]) -> list[bytes]:
    """Returns what the wall shows of the boards after each of these letters."""
    hall, tiles = Hall(), []
    for letter in letters:
        hall = fold(hall, Delivery(letter.topic, letter.payload), NOON)
        tiles += [write([tile_of(board, 10.0), moves_of(board)]) for board in hall.boards.values()]
    return tiles


def measures_of(stage: Stage) -> FlaskClient:
    """Lets a board's page count what happens from now on; returns a client for it."""
    tally = Tally(lambda: stage.now)
    stage.table.watch = tally.watch
    of_desk = {"snapshot": property(lambda _: stage.desk.snapshot), "is_open": True}
    table = type("Table", (), {**of_desk, "listen": lambda *_: None})()
    return create_app(table, Settings(), Services(store=stage.store, tally=tally)).test_client()


def measured(client: FlaskClient) -> bytes:
    return client.get("/metrics", base_url="http://127.0.0.1").data


@pytest.mark.parametrize("seeds", few((range(n, n + 10) for n in range(0, 50, 10)), 5))
def test_games_leave_no_secret_in_a_hall(seeds: range) -> None:
    for seed in seeds:
        clients: list[FlaskClient] = []
        first, second, plies = random_game(seed, lambda stage, to=clients: to.append(measures_of(stage)))
        assert plies > 3
        assert first.broker.seen == second.broker.seen, seed
        if first.desk.session.outcome:
            continue
        assert [read(event, LogLine).kind for event in first.heard(EVENT)] == ["begin"]
        assert archived(first.broker.seen) == archived(second.broker.seen)
        assert shown(first.broker.seen) == shown(second.broker.seen)
        assert measured(clients[0]) == measured(clients[1])
        for stage in (first, second):
            stage.ask(m.Deed("resign", "red"))
            stage.settle()
            assert stage.archive
            assert stage.archive.lines == stage.should
            assert len(stage.archive.lines) == 1 + len(stage.desk.session.log)
        assert archived(first.broker.seen) != archived(second.broker.seen), "now all is known"
        assert shown(first.broker.seen) != shown(second.broker.seen)
