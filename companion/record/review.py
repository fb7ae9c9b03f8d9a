"""Takes a record apart into steps, to be looked through: each with its comments and the lines that led to
it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from companion.core.board import Board
from companion.core.game import Player
from companion.core.players import say_player
from companion.language import Message, NamedPhrases, say, say_count, sentences
from companion.record.clock import write_minutes
from companion.record.head import HEAD
from companion.record.record import Note, Record, standing_notes
from companion.record.session import REFEREE, START, STOP, Entry, Ply, Session

QUIET = ("action", "correction", "redo", "note")
"""Kinds of entries that a step shows by itself, or that need not be shown."""


@dataclass(frozen=True)
class ReviewStep:
    """A step of a game: the start, or a ply that stands, and the line of the log that it is written in.

    `lines` are the lines of the log that led to it: refusals, takebacks, offers. The last step has those that
    followed it too.
    """

    line: int
    ply: Ply | None
    notes: tuple[Note, ...]
    lines: tuple[tuple[int, Entry], ...]
    withdrawn: frozenset[int]
    """The lines among these that are actions which no longer stand."""

    def kind_of(self, line: int) -> str:
        """Returns what kind of aside a line is: `reread` where the companion itself read the board anew, and
        so withdrew what it had believed; else the kind of the entry."""
        later = [entry for n, entry in self.lines if n >= line]
        back = next((entry for entry in later if entry.kind == "takeback"), None)
        is_withdrawal = line in self.withdrawn or later[0].kind == "takeback"
        return "reread" if is_withdrawal and back and back.by == REFEREE else later[0].kind

    @property
    def asides(self) -> tuple[tuple[int, Entry], ...]:
        """Returns what happened besides the action itself: of a takeback, the actions that it withdrew."""
        told = tuple((n, e) for n, e in self.lines if e.kind not in QUIET or n in self.withdrawn)
        return tuple((n, e) for n, e in told if not (self.withdrawn and self.kind_of(n) == "takeback"))


def review(record: Record, session: Session) -> tuple[ReviewStep, ...]:
    """Returns the steps of a record; `session` is what its log amounts to."""
    plies = (None, *session.plies)
    standing = standing_lines(session)
    notes = standing_notes(record.notes)
    steps = []
    for ply, line, (first, last) in zip(plies, standing, _spans(standing, len(session.log)), strict=True):
        lines = tuple((n, session.log[n - 1]) for n in range(max(first, 1), last + 1))
        gone = frozenset(n for n, e in lines if n != line and e.kind in ("action", "correction"))
        said = tuple(note for note in notes if first <= note.line <= last)
        steps.append(ReviewStep(line, ply, said, lines, gone))
    return tuple(steps)


def standing_lines(session: Session) -> tuple[int, ...]:
    """Returns the lines of the log that the start (0) and the plies of a session are written in."""
    numbers = {id(entry): n for n, entry in enumerate(session.log, 1)}
    return (0, *(numbers[id(ply.entry)] for ply in session.plies))


def say_aside(board: Board, entry: Entry, kind: str = "") -> Message:
    """Returns a line of a log that is no standing action, in a few words; `kind` is that of the aside."""
    text: str = board.called(entry.text) if entry.kind in ("action", "refused") else entry.text
    if kind == "reread":
        if entry.kind == "takeback":
            return say("The companion read the board anew")
        return say("First read as {action}", action=text)
    if entry.kind == "clock":
        return _say_clock(entry)
    if entry.kind == HEAD:
        key, _, value = entry.text.partition("=")
        return say("The arbiter notes: {key}: {value}", key=key, value=value or "–")
    if entry.kind == "result":
        text = say_player(entry.text) if entry.text else say("drawn")
        if not entry.by:
            return say("The result, as recorded: {result}", result=text)
    by = say_player(entry.by) if entry.by else say("The arbiter")
    return say(_ASIDES.get(entry.kind, _ASIDES["action"]), text=text, by=by)


_ASIDES: NamedPhrases = {
    "action": "{text}, taken back",
    "refused": "Refused: {text}",
    "takeback": "Taken back: {text}",
    "resign": "{by} resigns",
    "flag": "{by}'s time is up",
    "offer": "{by} offers a draw",
    "accept": "{by} accepts the draw",
    "decline": "{by} declines the draw",
    "claim": "{by} claims a draw",
    "result": "The arbiter rules the result: {text}",
    "correction": "A correction, taken back",
}


def _say_clock(entry: Entry) -> Message:
    """Says what the arbiter changed of the clock."""
    if entry.text == STOP:
        return say("The arbiter stops the clock")
    if entry.text == START:
        return say("The arbiter lets the clock go on")
    player, _, given = entry.text.partition(" ")
    seconds = float(given)
    time = write_minutes(abs(seconds))
    if seconds >= 0:
        return say("The arbiter gives {player} {time}", player=say_player(player), time=time)
    return say("The arbiter takes {time} from {player}", player=say_player(player), time=time)


Turn: TypeAlias = tuple[int, ...]
"""The numbers, from 1, of plies that one player made in one round."""


def rounds(session: Session) -> list[list[Turn]]:
    """Returns the rounds of a game: in each a turn for every seat, () where the seat did not act.

    What a seat answers in another's turn begins no round: it stands before that seat's own turn. A correction
    is a turn and a round of its own, in the first seat's place.
    """
    found: list[list[Turn]] = []
    seats = session.players
    last = len(seats)
    for player, turn in _turns(session):
        seat = seats.index(player) if player in seats else 0
        if seat <= last or player not in seats:
            found.append([()] * len(seats))
        for n in turn:
            by = session.plies[n - 1].player
            found[-1][seats.index(by) if by in seats else 0] += (n,)
        last = seat if player in seats else len(seats)
    return found


def spell(session: Session, turn: Turn) -> str:
    """Returns a turn's actions in their canonical spelling, and a correction in words."""
    plies = (session.plies[n - 1] for n in turn)
    return sentences(*(say_correction(p.entry) if p.entry.kind == "correction" else p.action for p in plies))


def write_turn(session: Session, turn: Turn) -> str:
    """Returns a turn's actions as players write them, and a correction in words."""
    return sentences(*(written(session.plies[n - 1]) for n in turn))


def written(ply: Ply) -> str:
    """Returns a ply as players write it: `Nf3`; a correction in words."""
    return say_correction(ply.entry) if ply.entry.kind == "correction" else ply.written


def numbers(session: Session) -> tuple[int, ...]:
    """Returns for each ply the number of its round, as the game's players count: of a FEN, as that does."""
    first = session.rules.first_number(session.first)
    found = {n: number for number, row in enumerate(rounds(session), first) for turn in row for n in turn}
    return tuple(found[n] for n in range(1, len(session.plies) + 1))


def numbered(session: Session, ply: Ply, number: int) -> str:
    """Returns a round's number as it stands before a ply: `12.`, and `12…` for all but the first seat."""
    return f"{number}…" if ply.player in session.players[1:] else f"{number}."


def say_correction(entry: Entry) -> Message:
    """Returns an arbiter's correction in a few words: its text may name every place of the board."""
    places = entry.text.count(";")
    return say_count("position corrected ({n} place)", "position corrected ({n} places)", places)


def _turns(session: Session) -> Iterator[tuple[Player, Turn]]:
    plies = enumerate(session.plies, 1)
    if len(session.players) == 1:  # whoever plays alone has as many turns as actions
        yield from ((ply.player, (n,)) for n, ply in plies)
        return
    for player, group in groupby(plies, key=lambda item: _whose_turn(session, *item)):
        yield player, tuple(n for n, _ in group)


def _whose_turn(session: Session, n: int, ply: Ply) -> Player:
    """Returns whose turn it was at a ply; the arbiter's correction is nobody's."""
    if ply.player not in session.players:
        return ply.player
    before = session.plies[n - 2].after if n > 1 else session.first
    turn: Player = before.turn
    return turn


def _spans(standing: tuple[int, ...], count: int) -> Iterator[tuple[int, int]]:
    """Yields the first and last line of each step: those before it, and for the last step all after it."""
    ends = (*standing[:-1], count)
    return zip((0, *(end + 1 for end in standing[:-1])), ends, strict=True)
