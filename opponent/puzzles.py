"""Puzzles from games: positions with one turn that is clearly better than all others, and not seen at once.

Those that the package brings were found in self-play by `companion puzzle find`; a table finds others in its
own games (`web/runtime/puzzles.py`). Games with secrets have none: what is best there is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from random import Random

from companion.core.game import Action, GameError, Player
from companion.core.puzzle import Puzzle
from companion.games.text import read_game
from companion.language import say
from companion.record.record import read_any
from companion.record.session import Session, begin
from companion.record.task import after
from opponent.mind import Choice, Question, ask, choose
from opponent.review import BLAME

FILE = Path(__file__).with_name("puzzles.txt")
MARK = " | "
"""What stands between a game text and the turn that is best after it."""
MARGIN, LEAST = BLAME, 0.35
"""By how much the best turn's chance of winning is above the next one's, and what it is at least."""
QUICK, SURE = 2_000, 10_000
"""The nodes for a first look at a position, and for the proof."""
SPACED, OPENING, MOST, LONGEST = 8, 4, 2, 1_500
"""The turns between two puzzles of a game, and before the first one; the most of a game, and letters of its
text."""
PLAYS, TURNS = 2, 160
"""The level of self-play, and its most turns."""


@dataclass(frozen=True, slots=True)
class FoundPuzzle:
    """A game text, and the turn that is best after it."""

    text: str
    solution: tuple[Action, ...]

    @property
    def game(self) -> str:
        return self.text.partition(" ")[0]

    @property
    def other(self) -> Player:
        """Returns the player who has to lose or draw in it."""
        session = read_any(self.text).session()
        return next(seat for seat in session.players if seat != session.position.to_act)

    def write(self) -> str:
        return MARK.join((self.text, " ".join(self.solution)))


def why_none(game: str) -> str:
    """Says why there are no puzzles of a game; '' where there can be some. GameError for no game."""
    rules = read_game(game).rules
    if isinstance(rules, Puzzle):
        return say("this is a puzzle itself")
    if rules.keeps_secrets(read_game(game).start()):
        return say("there are no puzzles of this game: what is best depends on what is hidden")
    return ""


def read(text: str) -> Iterator[FoundPuzzle]:
    """Yields the puzzles in the lines of a file; lines that are none are left out."""
    for line in text.splitlines():
        played, mark, solution = line.partition(MARK)
        if mark and solution.split():
            yield FoundPuzzle(played, tuple(solution.split()))


@cache
def collection() -> tuple[FoundPuzzle, ...]:
    """Returns the puzzles that the package brings."""
    return tuple(read(FILE.read_text(encoding="utf-8")))


def of_day(game: str, day: date) -> FoundPuzzle | None:
    """Returns a game's puzzle of a day, the same everywhere; None where the package brings none."""
    found = [puzzle for puzzle in collection() if puzzle.game == game]
    return found[day.toordinal() % len(found)] if found else None


def question(session: Session, nodes: int = SURE, seed: int = 0) -> Question:
    """Returns the question whether a position is a puzzle, for a `Thinker`."""
    seat = session.position.to_act
    return ask(session, seat, nodes=nodes, seed=seed, seconds=600.0, engine="-", alone=True)


def is_puzzle(choice: Choice) -> bool:
    """Returns whether the answer to such a question is that one turn is best, and not seen at once."""
    return choice.worth >= LEAST and choice.worth - choice.second >= MARGIN


def proved(found: FoundPuzzle, seed: int = 1) -> bool:
    """Returns whether a puzzle is one, and its solution the best turn. GameError for a wrong text."""
    session = read_any(found.text).session()
    choice = choose(question(session, seed=seed))
    return is_puzzle(choice) and ends(session, choice.actions) == ends(session, found.solution)


def find(game: str, seed: int) -> Iterator[FoundPuzzle]:
    """Yields the puzzles in a game that the companion plays against itself."""
    if words := why_none(game):
        raise GameError(words)
    session, rng, last, number, count = begin(read_game(game)), Random(seed), OPENING - SPACED, 0, 0
    while not session.outcome and number < TURNS and count < MOST and len(session.text) < LONGEST:
        if number - last >= SPACED:
            quick = choose(question(session, QUICK, seed))
            if is_puzzle(quick) and proved(found := FoundPuzzle(session.text, quick.actions)):
                last, count = number, count + 1
                yield found
        session = session.play(*_next(session, rng))
        number += 1


def ends(session: Session, actions: Iterable[Action]) -> object:
    """Returns what a turn leads to, for comparison. GameError where it is not legal."""
    return session.rules.future(after(session.rules, session.position, actions))


def _next(session: Session, rng: Random) -> tuple[Action, ...]:
    seat = session.position.to_act
    return choose(replace(ask(session, seat, PLAYS, seed=rng.getrandbits(32)), engine="-")).actions
