"""Records in the notations that games offer (PGN, PDN): written for other programs, and read from them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from companion import games
from companion.core.comments import Comment
from companion.core.game import IllegalActionError, OptionError
from companion.core.notation import Notation, NotationError, ParsedGame, PlayedGame
from companion.games.text import read_game
from companion.language import say
from companion.record.record import Note, Record, RecordError, bare, standing_notes
from companion.record.session import Entry

NOTATED = re.compile(r"\[|\d+\s*\.")


@cache
def notations() -> dict[str, tuple[Notation, str]]:
    """Returns the notations of all games that can be played here, by name, each with its game's name."""
    found = {}
    for game in games.installed():
        for notation in games.rules(game).notations:
            found[notation.name] = (notation, game)
    return found


def is_notated(text: str) -> bool:
    """Tells whether a text is in a notation: those begin with a tag, or with a move's number."""
    return bool(NOTATED.match(bare(text)))


def write_notated(record: Record, name: str) -> str:
    """Returns a game in a notation. RecordError where the notation is another game's."""
    notation, game = notations()[name]
    if record.game.rules.name != game:
        title = record.game.rules.title
        raise RecordError(
            say(
                "{format} is for {game}; export {title} as record, text or abstract",
                format=name.upper(),
                game=game,
                title=title,
            )
        )
    return notation.write(_played_game(record))


def _played_game(record: Record) -> PlayedGame:
    """Returns a record as a notation writes it; after an arbiter's correction it begins there."""
    session = record.session()
    corrections = (n for n, ply in enumerate(session.plies, 1) if ply.entry.kind == "correction")
    first = max(corrections, default=0)
    plies = session.plies[first:]
    said: dict[int, tuple[Comment, ...]] = {}
    for note in standing_notes(record.notes):
        said[note.line] = (*said.get(note.line, ()), Comment(note.text, note.by))
    return PlayedGame(
        first=session.positions()[first],
        moves=tuple(ply.action for ply in plies),
        comments=(said.get(0, ()), *(said.get(session.line(ply), ()) for ply in plies)),
        head=record.head,
        began=record.began,
        outcome=session.outcome,
    )


def read_notated(text: str) -> tuple[Record, ...]:
    """Returns the games of a text in whichever notation claims it. RecordError says what is wrong.

    Each game can be replayed; a result that its moves do not tell is kept as recorded.
    """
    text = bare(text)
    notation = _claimant(text)
    try:
        found = notation.read(text)
    except NotationError as error:
        raise RecordError(str(error)) from error
    return tuple(_record(number, parsed, notation.name) for number, parsed in enumerate(found, 1))


def _claimant(text: str) -> Notation:
    """Returns the notation that claims a text most surely.

    Where none does, the reason is told why a game is not installed here, whose notation it might be.
    """
    claims = [(notation.claims(text), notation) for notation, _ in notations().values()]
    surest, notation = max(claims, key=lambda claim: claim[0], default=(0, None))
    if notation and surest:
        return notation
    for game in games.known():
        games.rules(game)
    raise RecordError(say("no game that is played here has a notation like this"))


def _record(number: int, found: ParsedGame, source: str) -> Record:
    left = found.clocks or (None,) * len(found.moves)
    log = tuple(
        Entry("action", move, source=source, clock=clock)
        for move, clock in zip(found.moves, left, strict=True)
    )
    notes = tuple(Note(comment.text, line, comment.by) for line, comment in found.comments)
    try:
        game = read_game(found.game)
        record = Record(game, log, {"game": found.game, **found.head}, notes, found.began)
        session = record.session()
    except (IllegalActionError, OptionError) as error:
        raise RecordError(
            say("{format}: game {number}: {error}", format=source.upper(), number=number, error=error)
        ) from error
    if found.winner is None or session.outcome:
        return record
    return replace(record, log=(*log, Entry("result", found.winner, source=source)))
