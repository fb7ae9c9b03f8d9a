"""Records in the notations that games offer (PGN, PDN): written for other programs, and read from them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

from companion import games
from companion.core.comments import Comment
from companion.core.game import IllegalActionError, OptionError
from companion.core.notation import CERTAIN, Notation, NotationError, ParsedGame, PlayedGame
from companion.games.text import read_game
from companion.language import say
from companion.record.clock import BRONSTEIN, BYO_YOMI, DELAY, FISCHER, Control, parse_controls
from companion.record.record import UNSEEN, Note, Record, RecordError, bare, standing_notes
from companion.record.review import written
from companion.record.session import ARBITER, Entry, Session

TERMINATIONS = {
    "resign": "normal",
    "accept": "normal",
    "claim": "normal",
    "flag": "time forfeit",
    "result": "adjudication",
}
"""How a game ended, in PGN's words, by the entry that ended it."""
NOTATED = re.compile(r"[\[{;%\d]|[KQRBN]?[a-j][\dx:-]|[KQRBN][a-h][a-h]|O-O")
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
    return bool(NOTATED.match(bare(text)))


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
    """Returns a record as a notation writes it; after an arbiter's correction it begins there."""
    corrections = (n for n, ply in enumerate(session.plies, 1) if ply.entry.kind == "correction")
    first = max(corrections, default=0)
    plies = session.plies[first:]
    said: dict[int, tuple[Comment, ...]] = {}
    for note in standing_notes(record.notes):
        said[note.line] = (*said.get(note.line, ()), Comment(note.text, note.by))
    if first:
        said[0] = (Comment(_say_corrected(session, first)), *said.get(0, ()))
    return PlayedGame(
        first=session.positions()[first],
        moves=tuple(ply.action for ply in plies),
        comments=(said.get(0, ()), *(said.get(session.line(ply), ()) for ply in plies)),
        head=record.head,
        began=record.began,
        outcome=session.outcome,
        clocks=tuple(ply.entry.clock for ply in plies),
        tags={**_time_tags(record, session), **_end_tags(session)},
    )


def _say_corrected(session: Session, first: int) -> str:
    """Says in a comment what the notation cannot: that the game did not begin where it now does."""
    before = " ".join(written(ply) for ply in session.plies[: first - 1])
    return f"The arbiter corrected the position after {first - 1} actions: {before}".rstrip(": ")


def _time_tags(record: Record, session: Session) -> dict[str, str]:
    """Returns the time control as PGN has it, in seconds: `40/5400+30:1800+30`; each player's own where they
    differ. PGN knows no periods (byo-yomi): they are `?`."""
    if "clock" not in record.head:
        return {}
    controls = parse_controls(record.head["clock"], session.players)
    told = {player: _write_control(control) for player, control in controls.items()}
    if len(set(told.values())) == 1:
        return {"TimeControl": next(iter(told.values()))}
    return {"TimeControl": "?", **{f"{player.title()}TimeControl": text for player, text in told.items()}}


def _write_control(control: Control) -> str:
    if control.mode == BYO_YOMI:
        return "?"
    ending = {FISCHER: "", DELAY: "d", BRONSTEIN: "d"}[control.mode]
    bonus = f"+{control.bonus:g}{ending}" if control.bonus else ""
    ends = [after for after, _ in control.later]
    counts = [f"{end - begin}/" for begin, end in pairwise([0, *ends])]
    times = [control.main, *(seconds for _, seconds in control.later)]
    return ":".join(f"{n}{time:g}{bonus}" for n, time in zip((*counts, ""), times, strict=True))


def _end_tags(session: Session) -> dict[str, str]:
    """Returns how the game ended, in PGN's words; nothing where a record from elsewhere does not tell."""
    if session.outcome is None:
        return {"Termination": "unterminated"}
    if session.ruled is None:
        return {"Termination": "normal"}
    last = next(entry for entry in reversed(session.log) if entry.kind in TERMINATIONS)
    is_told = last.kind != "result" or last.by == ARBITER
    return {"Termination": TERMINATIONS[last.kind]} if is_told else {}


def read_notated(text: str) -> tuple[Record, ...]:
    """Returns the games of a text in the first notation that can read it, the one that claims it most surely
    before others. RecordError says what is wrong in that one.

    Each game can be replayed; a result that its moves do not tell is kept as recorded.
    """
    text = bare(text).translate(dict.fromkeys(map(ord, UNSEEN)))
    wrong: RecordError | None = None
    for notation in _by_claims(text):
        try:
            found = notation.read(text)
            return tuple(_record(number, parsed, notation.name) for number, parsed in enumerate(found, 1))
        except (NotationError, RecordError) as error:
            wrong = wrong or RecordError(str(error))
    raise wrong or RecordError(say("no game that is played here has a notation like this"))


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
