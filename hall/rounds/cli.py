"""`companion hall rounds` and `companion hall results`: pairings to the boards, and results back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

import click

from broker_bridge.address import Broker
from broker_bridge.connection import link_to
from broker_bridge.proposals import proposal_of
from broker_bridge.topics import PAIRING, STATE, STATUS, BoardName, read_topic
from broker_bridge.visit import Visit, membership
from companion.cli.options import data_option
from companion.config import data_folder
from companion.core.whole_files import write_whole
from companion.games.text import read_game
from companion.language import say, say_count
from companion.wire.codec import WireError, read, write
from companion.wire.hall import BoardState, Pairing
from hall.archive.archive import Archive
from hall.archive.database import ARCHIVE, is_missing, open_database
from hall.archive.listing import list_games
from hall.boards import hall_folder
from hall.broker.own import own_broker, recall_broker
from hall.options import FILE, broker_options
from hall.rounds.board_map import read_board_map
from hall.rounds.pairs import Pair, RoundError, Score, in_order
from hall.rounds.played import (
    PlayedGame,
    by_pair,
    disputed,
    has_exchanged,
    has_moved,
    of_row,
    of_state,
    score_for,
    scored,
)
from hall.rounds.publishing import Plan, known_again, letters, placed
from hall.rounds.round_file import FaultyFileError, Round, read_round
from hall.rounds.table import write_table
from hall.rounds.trf import fill_in

MOST_GAMES = 100_000
RECENT = timedelta(days=2)
"""For how long pairings that were published belong to the tournament that is on."""


@click.command()
@click.argument("file", type=FILE, required=False)
@click.option("--round", "number", type=click.IntRange(1, 9999), help="the round that is played next")
@click.option("--pairs", type=FILE, help="what JaVaFo or bbpPairings printed, for a TRF without this round")
@click.option("--board-map", "ranges", multiple=True, help="which boards are which, as in '1-20=Hall A'")
@click.option("--game", default="chess", show_default=True, help="the game text to begin with")
@click.option("--clock", default="", help="the time control, as in 90+30, where the file has none")
@click.option("--event", default="", help="the event's name, where the file has none")
@click.option("--again", multiple=True, type=int, help="a board whose game is begun anew, by its number")
@click.option("--withdraw", is_flag=True, help="withdraw all pairings: no board shows one")
@click.option("--try", "is_trial", is_flag=True, help="only say what would be published")
@data_option
@broker_options
def rounds(
    file: Path | None,
    number: int | None,
    pairs: Path | None,
    ranges: tuple[str, ...],
    game: str,
    clock: str,
    event: str,
    again: tuple[int, ...],
    withdraw: bool,
    is_trial: bool,
    data: Path | None,
    broker: Broker | None,
) -> None:
    """Gives each board its pairing of a round, from a pairing program's FILE (CSV or TRF).

    Without --broker it goes to the broker of this machine's hall. With --try and neither of them, only the
    file is checked.
    """
    if withdraw == bool(file):
        raise click.UsageError(say("give a FILE with --round N, or --withdraw"))
    if broker is None and (not is_trial or recall_broker(hall_folder(data))):
        broker = own_broker(hall_folder(data))
    if file is None:
        _publish(broker, lambda kept, sites: {}, is_trial)
        return
    if number is None:
        raise click.UsageError(say("say which round is played, with --round N"))
    found = _read(file, number, game, pairs)
    plan = Plan(read_game(game).head, _two_players(game), clock, event)
    today = date.today()

    def wanted(kept: dict[BoardName, Pairing], sites: set[str]) -> dict[BoardName, Pairing]:
        boards = read_board_map(ranges, sites.pop() if len(sites) == 1 else "")
        pairings = placed(found.due, plan, boards, today)
        for board, pairing in pairings.items():
            proposal_of(pairing, board)  # what no board could begin is told here
        return known_again(pairings, kept, [boards.board(one) for one in again])

    for pair in found.pairs:
        if not pair.is_due:
            click.echo(_say_not_played(pair))
    counts = Counter(name for pair in found.due for name in (pair.first, pair.second))
    for name in (name for name, count in counts.items() if count > 1):
        click.echo(say("{name} is paired more than once in this round", name=name), err=True)
    _publish(broker, wanted, is_trial)


def _read(file: Path, number: int, game: str, pairs: Path | None = None) -> Round:
    """Reads a round; says of each line that is wrong what."""
    try:
        return read_round(file, number, _two_players(game), pairs)
    except FaultyFileError as error:
        for line in error.lines:
            click.echo(line, err=True)
        raise


def _two_players(text: str) -> tuple[str, ...]:
    game = read_game(text)
    players = in_order(game.rules.players(game.start()))
    if len(players) != 2:
        raise RoundError(say("'{game}' is not played by two: rounds pair two players", game=text))
    return players


def _publish(
    where: Broker | None,
    wanted: Callable[[dict[BoardName, Pairing], set[str]], dict[BoardName, Pairing]],
    is_trial: bool,
) -> None:
    """Makes the broker keep the pairings that are wanted, and no others of their tournament; says of each
    board what it has."""
    if where is None:
        for board, due in sorted(wanted({}, set()).items()):
            click.echo(_say_told(board, due, is_there=False))
        return
    with Visit(link_to(where, membership((PAIRING, STATUS)))) as visit:
        kept: dict[BoardName, Pairing] = {}
        there: set[BoardName] = set()
        for topic, payload in visit.kept().items():
            board, kind = read_topic(topic)
            if kind == STATUS:
                there.add(board)
            else:
                kept[board] = _read_kept(payload)
        pairings = wanted(kept, {board.site for board in there})
        for board, pairing in sorted(letters(pairings, kept, date.today() - RECENT).items()):
            if not is_trial:
                visit.publish(board.topic(PAIRING), write(pairing) if pairing else b"")
            click.echo(_say_told(board, pairing, board in there))
    _tell_waits(_at_boards(where)[0], pairings)
    click.echo(say_count("{n} board has a pairing.", "{n} boards have a pairing.", len(pairings)))


def _read_kept(payload: bytes) -> Pairing:
    """Returns a pairing that the broker keeps; an empty one where it cannot be read."""
    try:
        return read(payload, Pairing)
    except WireError:
        return Pairing("", {})


def _say_told(board: BoardName, pairing: Pairing | None, is_there: bool) -> str:
    if pairing is None:
        return say("{board}: its pairing is withdrawn", board=board)
    names = " – ".join(pairing.players.values())
    if is_there:
        return say("{board}: {names}", board=board, names=names)
    return say("{board}: {names} (this board has not come to the broker yet)", board=board, names=names)


def _tell_waits(games: Iterable[PlayedGame], pairings: Mapping[BoardName, Pairing]) -> None:
    """Says on which boards a pairing waits until another game is over."""
    for game in games:
        due = pairings.get(game.board)
        if due and not game.is_over and game.pairing != due.id:
            words = say(
                "{board}: {names} is still being played there: its pairing waits",
                board=game.board,
                names=_names(game),
            )
            click.echo(words, err=True)


def _names(game: PlayedGame) -> str:
    return " – ".join(game.head.get(player, "?") for player in game.players)


def _say_not_played(pair: Pair) -> str:
    if pair.is_bye:
        return say("{name} has a bye", name=pair.first)
    return say(
        "{first} – {second} is {score} already", first=pair.first, second=pair.second, score=pair.score.value
    )


@click.command()
@click.argument("file", type=FILE, required=False)
@click.option("--round", "number", type=click.IntRange(1, 9999), help="the round; else all that were played")
@click.option("--pairs", type=FILE, help="what JaVaFo or bbpPairings printed, for a TRF without this round")
@click.option("--game", default="chess", show_default=True, help="the game text of the round")
@click.option("--csv", "table", type=FILE, help="writes the results as a table; else they are printed")
@click.option("--trf", "report", type=FILE, help="writes FILE, a TRF, with the results filled in")
@click.option("--points", is_flag=True, help="adds to the points in the TRF what the results are worth")
@click.option(
    "--since", type=click.DateTime(["%Y-%m-%d"]), help="the first day; else the day before yesterday"
)
@click.option("--database", help=f"the archive: postgresql://… or a file of SQLite; else {ARCHIVE}")
@data_option
@broker_options
def results(
    file: Path | None,
    number: int | None,
    pairs: Path | None,
    game: str,
    table: Path | None,
    report: Path | None,
    points: bool,
    since: datetime | None,
    database: str | None,
    data: Path | None,
    broker: Broker | None,
) -> None:
    """The results of a round, for the pairing program that made FILE (CSV or TRF), or of all games."""
    if database and broker:
        raise click.UsageError(say("the games are in the archive (--database) or at the broker: name one"))
    if file and number is None:
        raise click.UsageError(say("say which round the results are of, with --round N"))
    found = _read(file, number, game, pairs) if file and number else None
    if report and (found is None or found.report is None):
        raise click.UsageError(say("--trf needs a FILE that is a TRF: its results are filled in"))
    first_day = since.date() if since else date.today() - RECENT
    if broker:
        told, given = _at_boards(broker)
    else:
        told, given = _archived(database or str(data_folder(data) / ARCHIVE), number)
    games = _undisputed(told, given, has_all=bool(broker))
    done = scored(found.pairs, games, first_day) if found else _all_pairs(games, number, first_day)
    if report and found and found.report:
        ready = [pair for pair in done if not pair.is_bye and pair.score is not Score.OPEN]
        write_whole(report, fill_in(found.report, found.number, ready, points))
    if table:
        write_whole(table, write_table(done))
    elif not report:
        click.echo(write_table(done).decode(), nl=False)
    if found:
        _tell_odds(found, games, first_day)
    _tell_left(done)


def _tell_left(done: Iterable[Pair]) -> None:
    if left := [pair for pair in done if pair.is_due]:
        click.echo(
            say_count("{n} game has no result yet:", "{n} games have no result yet:", len(left)), err=True
        )
        for pair in left:
            click.echo(f"  {pair.board}: {pair.first} – {pair.second}", err=True)


def _tell_odds(found: Round, games: Iterable[PlayedGame], since: date) -> None:
    """Says what the arbiter has to know of the last game of each pair beside its score, and of games of this
    round that were begun for no pair of the file: by hand, say, or before a name was corrected in it. Games
    of another event have a file of their own."""
    of_pairs = by_pair(found.pairs, games)
    for pair in found.pairs:
        if played := of_pairs.get(pair):
            for words in _odds(pair, played[-1], since):
                click.echo(words, err=True)
    others = of_pairs.pop(None, [])
    events = {game.head.get("event", "") for played in of_pairs.values() for game in played}
    for game in others:
        is_of_round = game.head.get("round") == str(found.number) and game.day >= since
        is_of_event = not events or game.head.get("event", "") in {"", *events}
        if is_of_round and is_of_event and game.score is not Score.OPEN:
            words = say(
                "{board}: {names} is {score}, and was begun for no pair of this file: enter it if it counts",
                board=game.board,
                names=_names(game),
                score=game.score.value,
            )
            click.echo(words, err=True)


def _odds(pair: Pair, game: PlayedGame, since: date) -> Iterator[str]:
    """Yields what the arbiter has to know of the last game of a pair beside its score."""
    names, score = f"{pair.first} – {pair.second}", score_for(pair, game)
    if score is Score.OPEN:
        return
    if game.day < since:
        day = str(game.day)
        if pair.is_due:
            yield say("{names} was paired on {day}: it counts with --since {day}", names=names, day=day)
    elif pair.is_due:
        if has_exchanged(pair, game):
            yield say("{names} was played with colours exchanged", names=names)
        if has_moved(pair, game):
            yield say("{names} was played at {board}", names=names, board=game.board)
    elif pair.score[:3] != score[:3]:
        yield say(
            "{names} is {score} in the file, which stays, and {other} at the board",
            names=names,
            score=pair.score.value,
            other=score.value,
        )


def _archived(name: str, number: int | None) -> tuple[list[PlayedGame], dict[str, BoardName]]:
    """Returns the games of an archive, of one round or of all, in the order in which they began, and the
    boards that pairings were given to."""
    if is_missing(name):
        raise RoundError(
            say("there is no archive '{file}': name another with --database, or ask the broker", file=name)
        )
    database = open_database(name)
    try:
        rows = list_games(database, MOST_GAMES, {"round": str(number or "")})
        given = Archive(database).given()
    finally:
        database.close()
    return [of_row(row) for row in reversed(rows)], given


def _at_boards(where: Broker) -> tuple[list[PlayedGame], dict[str, BoardName]]:
    """Returns the game that stands on each board, as the broker keeps it, and whose each pairing is."""
    games: list[PlayedGame] = []
    given: dict[str, BoardName] = {}
    with Visit(link_to(where, membership((STATE, PAIRING)))) as visit:
        for topic, payload in visit.kept().items():
            board, kind = read_topic(topic)
            if kind == PAIRING:
                given[_read_kept(payload).id] = board
            elif game := _read_state(board, payload):
                games.append(game)
    return games, given


def _read_state(board: BoardName, payload: bytes) -> PlayedGame | None:
    try:
        return of_state(board, read(payload, BoardState))
    except WireError:  # of another version, or no companion
        click.echo(say("{board}: what it tells of its game cannot be read", board=board), err=True)
        return None


def _undisputed(
    told: Sequence[PlayedGame], given: Mapping[str, BoardName], *, has_all: bool
) -> list[PlayedGame]:
    """Returns the games that count; says of each other one whose it is."""
    others = disputed(told, given, has_all=has_all)
    for game in others:
        click.echo(_say_disputed(game), err=True)
    return [game for game in told if game not in others]


def _say_disputed(game: PlayedGame) -> str:
    names = _names(game)
    return say("{board} tells of a pairing that is not its own: {names}", board=game.board, names=names)


def _all_pairs(games: Iterable[PlayedGame], number: int | None, since: date) -> Sequence[Pair]:
    """Returns the pairs of all games since a day that name a round, or of one round, in the order of their
    boards."""
    recent = (game for game in games if game.day >= since)
    pairs = (pair for game in recent if (pair := game.pair) and number in (None, pair.round))
    return sorted(pairs, key=lambda pair: (pair.round or 0, pair.board))
