"""Records in the notations that games offer (PGN, PDN): written for other programs, and read from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import StringIO

from companion import games
from companion.core.comments import Comment
from companion.core.game import IllegalActionError, OptionError, Player
from companion.core.notation import CERTAIN, Notation, NotationError, ParsedGame, PlayedGame
from companion.games.portable import OPTIONS, TOLD_ELSEWHERE, read_value, write_result, write_value
from companion.games.text import read_game
from companion.language import say
from companion.record.clock import ClockError, parse_controls, read_seconds, write_controls, write_seconds
from companion.record.record import Note, Record, RecordError
from companion.record.review import review, written
from companion.record.session import ARBITER, Entry, Ply, Session, begin

TERMINATIONS = {
    "resign": "normal",
    "accept": "normal",
    "claim": "normal",
    "flag": "time forfeit",
    "result": "adjudication",
}
"""How a game ended, in PGN's words, by the entry that ended it."""
CLOCK = "GameClock"
"""The tag for a time control, as a head has it, that PGN cannot tell."""
KEPT_TAGS = "tags"
"""The key of a head for tags that nothing here has a use for: they go out again."""
TAG = re.compile(r'\[(\S+) "((?:\\.|[^"\\])*)"\]')
NOTATED = re.compile(r"\s*(?:[\[{;%\d]|[KQRBN]?[a-jA-H][\dx:-]|[KQRBN][a-h][a-h]|O-O)")
"""The beginnings of a text in a notation: a tag, a comment, a line for programs, a number, or a move."""


@cache
def notations() -> dict[str, tuple[Notation, str]]:
    """Returns the notations of all games that can be played here, by name, each with its game's name."""
    found = {}
    for game in games.installed():
        for notation in games.rules(game).notations:
            found[notation.name] = (notation, game)
    return found


def is_notated(text: str) -> bool:
    """Tells whether a text is in a notation, and no record or game text: those begin with a name."""
    return bool(NOTATED.match(text))


def write_notated(record: Record, name: str, session: Session | None = None) -> str:
    """Returns a game in a notation; `session` is that of the record, where it is known already.

    RecordError where the notation is another game's.
    """
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
    return notation.write(_played_game(record, session or record.session()))


def _played_game(record: Record, session: Session) -> PlayedGame:
    """Returns a record as a notation writes it; after an arbiter's correction it begins there.

    A comment on what was refused or taken back stands at the step after it, as where the game is looked
    through.
    """
    corrections = (n for n, ply in enumerate(session.plies, 1) if ply.entry.kind == "correction")
    first = max(corrections, default=0)
    plies = session.plies[first:]
    said = [tuple(Comment(note.text, note.by) for note in step.notes) for step in review(record, session)]
    before = tuple(comment for comments in said[: first + 1] for comment in comments)
    if first:
        before = (Comment(_say_corrected(session, first)), *before)
    return PlayedGame(
        first=session.positions()[first],
        moves=tuple(ply.action for ply in plies),
        comments=(before, *said[first + 1 :]),
        head=record.head,
        began=record.began,
        outcome=session.outcome,
        clocks=tuple(ply.entry.clock for ply in plies),
        tags={
            **_time_tags(record.head, session.players),
            **_option_tags(record),
            **_end_tags(session),
            **{tag: read_value(value) for tag, value in TAG.findall(record.head.get(KEPT_TAGS, ""))},
        },
    )


def _say_corrected(session: Session, first: int) -> str:
    """Says in a comment what the notation cannot: that the game did not begin where it now does."""
    before = " ".join(written(ply) for ply in session.plies[: first - 1])
    return f"The arbiter corrected the position after {first - 1} actions: {before}".rstrip(": ")


def _option_tags(record: Record) -> dict[str, str]:
    told = [word for word in record.game.given if word.partition("=")[0] not in TOLD_ELSEWHERE]
    return {OPTIONS: " ".join(told)} if told else {}


def _time_tags(head: Mapping[str, str], players: Sequence[Player]) -> dict[str, str]:
    """Returns the time control as PGN has it, in seconds: `40/5400+30:1800+30`; each player's own where they
    differ. What PGN cannot tell (byo-yomi: `?`, Bronstein) stands in a tag of its own, too."""
    if "clock" not in head:
        return {}
    controls = parse_controls(head["clock"], players)
    told = {player: write_seconds(control) for player, control in controls.items()}
    if len(set(told.values())) == 1:
        tags = {"TimeControl": next(iter(told.values()))}
    else:
        tags = {"TimeControl": "?", **{f"{p.title()}TimeControl": text for p, text in told.items()}}
    known = read_seconds(tags["TimeControl"])
    is_told = known and parse_controls(known, players) == controls
    return tags if is_told else {**tags, CLOCK: head["clock"]}


def _end_tags(session: Session) -> dict[str, str]:
    """Returns how the game ended, in PGN's words; nothing where a record from elsewhere does not tell."""
    if session.outcome is None:
        return {"Termination": "unterminated"}
    if session.ruled is None:
        return {"Termination": "normal"}
    last = next(entry for entry in reversed(session.log) if entry.kind in TERMINATIONS)
    is_told = last.kind != "result" or last.by == ARBITER
    return {"Termination": TERMINATIONS[last.kind]} if is_told else {}


@dataclass(frozen=True)
class FoundGames:
    """The games of a text. `wrong` says of each that cannot be read what is wrong and in which line,
    `remarks` how others were taken."""

    records: tuple[Record, ...]
    wrong: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def find_notated(text: str) -> FoundGames:
    """Returns the games of a text in the first notation that can read it all, the one that claims it most
    surely before others; where none can, in the one that reads most moves. RecordError where none has a game.

    Each game can be replayed; a result that its moves do not tell is kept as recorded.
    """
    text = StringIO(text, newline=None).read()  # whichever way its lines end
    readings = []
    for notation in _by_claims(text):
        found = _found(notation, text)
        if not found.wrong:
            return found
        readings.append(found)
    if not readings:
        raise RecordError(say("no game that is played here has a notation like this"))
    best = max(readings, key=lambda found: sum(len(record.log) for record in found.records))
    if not best.records:
        raise RecordError(best.wrong[0])
    return best


def _found(notation: Notation, text: str) -> FoundGames:
    records, wrong, remarks = [], [], []
    for number, parsed in enumerate(notation.read(text), 1):
        try:
            if isinstance(parsed, NotationError):
                raise parsed
            records.append(_record(number, parsed, notation.name))
        except (NotationError, RecordError) as error:
            wrong.append(str(error))
            continue
        remarks += [*parsed.remarks, *_say_result(number, records[-1], parsed)]
    return FoundGames(tuple(records), tuple(wrong), tuple(remarks))


def _say_result(number: int, record: Record, found: ParsedGame) -> Iterator[str]:
    """Says that the moves of a game end it otherwise than its text tells."""
    outcome = None if found.winner is None else _at_end(record, found).outcome
    if outcome and (outcome.winner or "") != found.winner:
        yield say(
            "game {number}: its moves end it {result}, not as it is recorded",
            number=number,
            result=write_result(outcome),
        )


def _by_claims(text: str) -> list[Notation]:
    """Returns the notations that may be that of a text: the one that claims it most surely goes first.

    Where none does, the reason is told why a game is not installed here, whose notation it might be.
    """
    claims = {notation: notation.claims(text) for notation, _ in notations().values()}
    if not any(claims.values()):
        for game in games.known():
            games.rules(game)
        return []
    surest = CERTAIN in claims.values()
    return sorted((n for n in claims if claims[n] or not surest), key=lambda n: -claims[n])


def _record(number: int, found: ParsedGame, source: str) -> Record:
    left = found.clocks or (None,) * len(found.moves)
    log = tuple(
        Entry("action", move, source=source, clock=clock)
        for move, clock in zip(found.moves, left, strict=True)
    )
    notes = tuple(Note(comment.text, line, comment.by) for line, comment in found.comments)
    head = dict(found.head)
    try:
        record = Record(read_game(found.game), log, head, notes, found.began)
        session = _at_end(record, found)
        if found.winner is not None and not session.outcome:
            ending = _ending(session, found.winner, found.tags, source)
            record, session = replace(record, log=(*log, ending)), session.apply(ending)
    except (IllegalActionError, OptionError) as error:
        raise RecordError(
            say("{format}: game {number}: {error}", format=source.upper(), number=number, error=error)
        ) from error
    if control := _read_clock(found.tags, session.players):
        head["clock"] = control
    told = {**_time_tags(head, session.players), **_end_tags(session)}
    kept = {tag: value for tag, value in found.tags.items() if told.get(tag) != value}
    if kept:
        head[KEPT_TAGS] = " ".join(f'[{tag} "{write_value(value)}"]' for tag, value in kept.items())
    return replace(record, head=head)


def _read_clock(tags: Mapping[str, str], players: Sequence[Player]) -> str:
    """Returns the time control that tags tell, as a head has it; '' for one that no clock here has."""
    try:
        return write_controls(parse_controls(tags[CLOCK], players))
    except (KeyError, ClockError):
        return read_seconds(tags.get("TimeControl", ""))


def _at_end(record: Record, found: ParsedGame) -> Session:
    """Returns the session after the moves, of which it holds the last: the notation has played them."""
    session = begin(record.game)
    if not record.log:
        return session
    player = found.last.to_act  # whoever it was: nobody asks
    return replace(session, plies=(Ply(record.log[-1], player, found.last),))


def _ending(session: Session, winner: Player, tags: Mapping[str, str], source: str) -> Entry:
    """Returns the entry by which a game ended, unless its moves ended it: as recorded, or as the tags say."""
    how, others = tags.get("Termination", "").lower(), [p for p in session.players if p != winner]
    if how == TERMINATIONS["flag"] and winner and len(others) == 1:
        fallen = Entry("flag", by=others[0], source=source)
        outcome = session.apply(fallen).outcome
        if outcome and outcome.winner == winner:
            return fallen
    return Entry("result", winner, ARBITER if how == TERMINATIONS["result"] else "", source)
