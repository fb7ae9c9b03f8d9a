"""A thinker without a process of its own, for tests and pictures."""

from __future__ import annotations

from opponent.mind import Question
from opponent.thinker import Tell, answer


class DirectThinker:
    """Thinks where it is asked, and tells before `start` returns."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def start(self, question: Question) -> None:
        self._tell(question, answer(question))

    def cancel(self) -> None:
        """Has nothing to give up."""

    def close(self) -> None:
        """Has nothing to give up."""
