"""`companion watch`: referees sources without a page, and tells each event as a line of JSON."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from heapq import merge

import click

from companion import messages
from companion.announcements import Announcements
from companion.core import GameError
from companion.desk import Desk
from companion.observation import Sighting
from companion.present import present_happening
from companion.referee.choice import certain
from companion.sources import Learner, SightingSource, SourceError, open_sightings
from companion.store import Store
from companion.text import split


@click.command()
@click.option("--game", "text", required=True, help="game text: GAME key=value… action…")
@click.option("--source", "sources", required=True, multiple=True,
              help="camera, picamera, video:FILE, folder:DIR, serial:PORT, trace:FILE")
@click.option("--profile", type=click.Path(), help="what `companion calibrate` wrote: cameras need it")
def watch(text: str, sources: tuple[str, ...], profile: str | None) -> None:
    """Referees SOURCES of a game: a JSON line for each event, and the game text at the end."""
    try:
        game, _ = split(text)
        desk = Desk(Store(":memory:"))
        reply, _ = desk.handle(messages.NewGame(text))
        if not reply.ok:
            raise GameError(reply.words)
        with ExitStack() as stack:
            opened = [stack.enter_context(open_sightings(s, game.board, profile)) for s in sources]
            seen = told(sightings(opened))
            for line in referee(desk, seen, [source for source in opened if isinstance(source, Learner)]):
                click.echo(json.dumps(line, ensure_ascii=False))
    except SourceError as error:
        raise GameError(str(error)) from error


def referee(
    desk: Desk, seen: Iterable[Sighting], learners: Sequence[Learner] = ()
) -> Iterator[Mapping[str, object]]:
    """Each event as it happens and is certain, then the record; while all is well, the learners learn on."""
    announcements = Announcements()
    for sighting in seen:
        _, happened = desk.handle(messages.Seen(sighting))
        beyond_doubt = certain(desk.belief) if desk.belief else 0
        for happening in announcements.hear(happened, desk.session, beyond_doubt):
            yield present_happening(happening, desk.session)
        if desk.is_understood:
            for learner in learners:
                learner.learn(sighting, desk.session.look)
    for happening in announcements.rest():
        yield present_happening(happening, desk.session)
    yield {"event": "record", "text": desk.session.text}


def told(seen: Iterable[Sighting]) -> Iterator[Sighting]:
    """The same sightings; what troubles a source is said on standard error, once."""
    said = set()
    for sighting in seen:
        trouble = sighting.source, sighting.trouble
        if sighting.trouble and trouble not in said:
            said.add(trouble)
            click.echo(f"{sighting.source.rstrip(':')}: {sighting.trouble}", err=True)
        yield sighting


def sightings(sources: Sequence[SightingSource]) -> Iterator[Sighting]:
    """The sightings of all sources in the order of time; live ones as they come."""
    if any(source.live for source in sources):
        yield from as_they_come(sources)
    else:
        yield from merge(*(source.sightings() for source in sources), key=lambda sighting: sighting.time)


def as_they_come(sources: Sequence[SightingSource]) -> Iterator[Sighting]:
    """The sightings of several sources at once, each seen in a thread of its own, until all have ended."""
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
    """All that a source sees, then None; what breaks it comes before that."""
    try:
        for sighting in source.sightings():
            seen.put(sighting)
    except Exception as error:
        seen.put(error)
    seen.put(None)
