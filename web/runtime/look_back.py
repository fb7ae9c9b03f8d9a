"""Looks back at a game that is over: turn after turn, in a process of its own; then for puzzles in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from threading import Lock

from companion.record.session import Session
from opponent.mind import Choice, Question
from opponent.puzzles import FoundPuzzle, is_puzzle, question, why_none
from opponent.review import ReviewedTurn, TurnJudgement, judged, turning_points, turns
from opponent.thinker import Tell, Thinker, Thinks


@dataclass(slots=True)
class LookBackProgress:
    """How far a look back has come: the turns that are judged, in their order, and those that are left."""

    total: int
    judged: list[TurnJudgement] = field(default_factory=list)
    left: list[ReviewedTurn] = field(default_factory=list)


MISSED = 4
"""So many turns, those that lost most, may be puzzles: what was best was missed there."""


class LookBacks:
    """Looks back at one game at a time; another one takes its place. `keep` is told the puzzles in it."""

    def __init__(
        self,
        make_thinker: Callable[[Tell], Thinks] = Thinker,
        keep: Callable[[FoundPuzzle], object] = lambda found: None,
    ) -> None:
        self._lock = Lock()
        self._thinker = make_thinker(self._note)
        self._key: Hashable = None
        self._found: LookBackProgress | None = None
        self._keep, self._is_idle = keep, False
        self._session: Session | None = None
        self._puzzles: list[tuple[FoundPuzzle, Question]] | None = None
        """What may be puzzles, and the questions whether they are; None until all turns are judged."""

    def begin(self, key: Hashable, session: Session, is_idle: bool = False) -> None:
        """Begins to look back at a game with this key, unless that is done already. `is_idle`: nobody waits
        for it, and it rests while another game is on."""
        with self._lock:
            if key == self._key:
                self._is_idle &= is_idle
                return
            self._thinker.cancel()
            left = list(turns(session))
            self._key, self._found = key, LookBackProgress(len(left), left=left)
            self._session, self._is_idle, self._puzzles = session, is_idle, None
        self._go_on()

    def rest(self) -> None:
        """Gives up what nobody waits for."""
        with self._lock:
            if not self._is_idle and (self._found is None or self._found.left):
                return
            self._thinker.close()
            self._key = self._found = None

    def found(self, key: Hashable) -> LookBackProgress | None:
        """Returns what was found so far; None where nobody looks back at this game."""
        with self._lock:
            found = self._found if key == self._key else None
            return found and LookBackProgress(found.total, [*found.judged], [*found.left])

    def stop(self) -> None:
        self._thinker.close()

    def _go_on(self) -> None:
        with self._lock:
            asked = self._next()
        if asked:
            self._thinker.start(asked)
        else:
            self._thinker.close()  # what it takes is given back

    def _next(self) -> Question | None:
        """Returns what is to be asked next: of a turn that is left, or of what may be a puzzle."""
        found = self._found
        if found is None:
            return None
        if found.left:
            return found.left[0].question
        if self._puzzles is None:
            self._puzzles = [*self._candidates(found)]
        return self._puzzles[0][1] if self._puzzles else None

    def _candidates(self, found: LookBackProgress) -> Iterator[tuple[FoundPuzzle, Question]]:
        session = self._session
        kinds = {ply.entry.kind for ply in session.plies} if session else {}
        if session is None or kinds != {"action"} or why_none(session.rules.name):
            return
        for missed in turning_points(found.judged, MISSED):
            before = replace(session, plies=session.plies[: missed.turn.first], ruled=None, log=())
            yield FoundPuzzle(before.text, missed.better), question(before)

    def _note(self, asked: Question, choice: Choice | None) -> None:
        with self._lock:
            found, puzzles = self._found, self._puzzles
            if found is None or self._next() != asked:
                return  # of another game
            if found.left:
                turn = found.left.pop(0)
                if choice:
                    found.judged.append(judged(turn, choice))
            elif puzzles:
                puzzle, _ = puzzles.pop(0)
                if choice and is_puzzle(choice):
                    self._keep(replace(puzzle, solution=choice.actions))
        self._go_on()
