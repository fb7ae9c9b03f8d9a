"""Looks back at a game that is over: turn after turn, in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock

from companion.record.session import Session
from opponent.mind import Choice, Question
from opponent.review import Judged, Turn, judged, turns
from opponent.thinker import Tell, Thinker, Thinks


@dataclass(slots=True)
class LookBack:
    """How far a look back has come: the turns that are judged, in their order, and those that are left."""

    total: int
    judged: list[Judged] = field(default_factory=list)
    left: list[Turn] = field(default_factory=list)


class LookBacks:
    """Looks back at one game at a time; another one takes its place."""

    def __init__(self, make_thinker: Callable[[Tell], Thinks] = Thinker) -> None:
        self._lock = Lock()
        self._thinker = make_thinker(self._note)
        self._key: Hashable = None
        self._found: LookBack | None = None

    def begin(self, key: Hashable, session: Session) -> None:
        """Begins to look back at a game with this key, unless that is done already."""
        with self._lock:
            if key == self._key:
                return
            self._thinker.cancel()
            left = list(turns(session))
            self._key, self._found = key, LookBack(len(left), left=left)
        self._go_on()

    def found(self, key: Hashable) -> LookBack | None:
        """Returns what was found so far; None where nobody looks back at this game."""
        with self._lock:
            found = self._found if key == self._key else None
            return found and LookBack(found.total, [*found.judged], [*found.left])

    def stop(self) -> None:
        self._thinker.close()

    def _go_on(self) -> None:
        with self._lock:
            question = self._found.left[0].question if self._found and self._found.left else None
        if question:
            self._thinker.start(question)
        else:
            self._thinker.close()  # what it takes is given back

    def _note(self, question: Question, choice: Choice | None) -> None:
        with self._lock:
            found = self._found
            if found is None or not found.left or found.left[0].question != question:
                return  # of another game
            turn = found.left.pop(0)
            if choice:
                found.judged.append(judged(turn, choice))
        self._go_on()
