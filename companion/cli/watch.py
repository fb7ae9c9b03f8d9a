"""`companion watch`: referees sources without a page, and tells each event as a line of JSON."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from heapq import merge
from itertools import cycle

import click

from companion.core.game import GameError
from companion.games.text import split
from companion.sensing.observation import Sighting
from companion.sensing.sources import Learner, SightingSource, is_sensor, open_sightings
from companion.store.store import Store
from companion.table import messages
from companion.table.desk import Desk
from companion.table.present import present_happening
from companion.table.settled_events import SettledEvents
from companion.wire.codec import write
from companion.wire.events import Event, RecordTold


@click.command()
@click.option("--game", "text", required=True, help="game text: GAME key=value… action…")
@click.option(
    "--source",
    "sources",
    required=True,
    multiple=True,
    help="camera, picamera, video:FILE, folder:DIR, serial:PORT, chessnut, millennium:PORT, trace:FILE",
)
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    type=click.Path(),
    help="what `companion calibrate` wrote: cameras need it; one for each in their order, or one for all",
)
def watch(text: str, sources: tuple[str, ...], profiles: tuple[str, ...]) -> None:
    """Referees SOURCES of a game: a JSON line for each event, and the game text at the end."""
    game, _ = split(text)
    with ExitStack() as stack:
        desk = Desk(stack.enter_context(Store(":memory:")))
        reply, _ = desk.handle(messages.NewGame(text))
        if not reply.ok:
            raise GameError(reply.words)
        given = profiles_by_source(sources, profiles)
        opened = [stack.enter_context(open_sightings(s, game.board, given.get(s))) for s in sources]
        seen = with_troubles_reported(sightings(opened))
        for line in referee(desk, seen, [source for source in opened if isinstance(source, Learner)]):
            click.echo(write(line))


def profiles_by_source(sources: Sequence[str], profiles: Sequence[str]) -> dict[str, str]:
    """Returns the profiles of the cameras among some sources; a single one is for all of them."""
    cameras = [source for source in sources if not is_sensor(source)]
    if len(profiles) > 1 and len(profiles) != len(cameras):
        raise click.UsageError("give --profile once for each camera, in the order of the cameras, or once")
    return dict(zip(cameras, profiles if len(profiles) > 1 else cycle(profiles), strict=False))


def referee(desk: Desk, seen: Iterable[Sighting], learners: Sequence[Learner] = ()) -> Iterator[Event]:
    """Yields each event once it is certain, then the record. While all is well, the learners learn on.

    A still that ends a recording shows its last board for good: where nothing explains it, it is looked at
    once more.
    """
    events = SettledEvents()
    for sighting in _with_last_again(seen, desk):
        _, happened = desk.handle(messages.SightingArrived(sighting))
        for happening in events.hear(happened, desk.session, desk.state.kept.certain_plies):
            yield present_happening(happening, desk.session)
        if desk.state.is_explained:
            for learner in learners:
                learner.learn(sighting, desk.state.look_as_laid, desk.state.places_left_open)
    for happening in events.rest():
        yield present_happening(happening, desk.session)
    yield RecordTold(text=desk.session.text)


def _with_last_again(seen: Iterable[Sighting], desk: Desk) -> Iterator[Sighting]:
    """Yields sightings, and the last one again if it is a still that is not explained."""
    last = None
    for last in seen:
        yield last
    if last is not None and last.held and not desk.state.is_explained:
        yield last


def with_troubles_reported(seen: Iterable[Sighting]) -> Iterator[Sighting]:
    """Yields the same sightings, and writes each trouble of a source to standard error, once."""
    said = set()
    for sighting in seen:
        trouble = sighting.source, sighting.trouble
        if sighting.trouble and trouble not in said:
            said.add(trouble)
            click.echo(f"{sighting.source.rstrip(':')}: {sighting.trouble}", err=True)
        yield sighting


def sightings(sources: Sequence[SightingSource]) -> Iterator[Sighting]:
    """Yields the sightings of all sources in the order of time; those of live sources as they come."""
    if any(source.live for source in sources):
        yield from as_they_come(sources)
    else:
        yield from merge(*(source.sightings() for source in sources), key=lambda sighting: sighting.time)


def as_they_come(sources: Sequence[SightingSource]) -> Iterator[Sighting]:
    """Yields the sightings of several sources, each read in a thread of its own, until all have ended."""
    seen: queue.SimpleQueue[Sighting | Exception | None] = queue.SimpleQueue()
    for source in sources:
        threading.Thread(target=_deliver, args=(source, seen), daemon=True).start()
    open_sources = len(sources)
    while open_sources:
        item = seen.get()
        if item is None:
            open_sources -= 1
        elif isinstance(item, Exception):
            raise item
        else:
            yield item


def _deliver(source: SightingSource, seen: queue.SimpleQueue[Sighting | Exception | None]) -> None:
    """Puts all that a source sees into a queue, then the error that breaks it, if one does, then None."""
    try:
        for sighting in source.sightings():
            seen.put(sighting)
    except Exception as error:
        seen.put(error)
    seen.put(None)
