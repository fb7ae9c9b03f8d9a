"""`companion watch`: referees sources without a page, and tells each event as a line of JSON."""

from __future__ import annotations

import json
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
from companion.store import Store
from companion.text import split
from firmware_bridge.wiring import WiringError
from vision.calibration.profile import ProfileError, load_profile
from vision.eyes import Eyes, FileEye, SightingSource, open_eyes
from vision.reading.reader import Reader
from vision.sources.source import SourceError


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
        reader = None if profile is None else Reader(load_profile(profile), game.board)
        with ExitStack() as stack:
            opened = [stack.enter_context(open_eyes(source, reader, game.board)) for source in sources]
            seen = told(sightings(opened))
            for line in referee(desk, seen, [eye for eye in opened if isinstance(eye, FileEye)]):
                click.echo(json.dumps(line, ensure_ascii=False))
    except (SourceError, ProfileError, WiringError) as error:
        raise GameError(str(error)) from error


def referee(
    desk: Desk, seen: Iterable[Sighting], eyes: Sequence[FileEye] = ()
) -> Iterator[Mapping[str, object]]:
    """Each event as it happens and is certain, then the record; while all is well, the eyes learn on."""
    announcements = Announcements()
    for sighting in seen:
        _, happened = desk.handle(messages.Seen(sighting))
        beyond_doubt = certain(desk.belief) if desk.belief else 0
        for happening in announcements.hear(happened, desk.session, beyond_doubt):
            yield present_happening(happening, desk.session)
        if not (desk.snapshot.verdict or desk.snapshot.question):
            for eye in eyes:
                eye.learn(sighting, desk.session.look)
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


def sightings(sources: list[SightingSource]) -> Iterator[Sighting]:
    """The sightings of all sources in the order of time; live ones as they come."""
    if any(source.live for source in sources):
        yield from Eyes(sources)
    else:
        yield from merge(*(source.sightings() for source in sources), key=lambda sighting: sighting.time)
