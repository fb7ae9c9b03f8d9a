"""A thinker without a process of its own, for tests and pictures."""

from __future__ import annotations

from dataclasses import replace

from opponent.mind import Question
from opponent.thinker import Tell, answer


class DirectThinker:
    """Thinks where it is asked, and tells before `start` returns. It looks at no more than `most` positions
    where a question says at how many."""

    def __init__(self, tell: Tell, most: int = 10**9) -> None:
        self._tell, self._most = tell, most

    def start(self, question: Question) -> None:
        self._tell(question, answer(replace(question, nodes=min(question.nodes, self._most))))

    def cancel(self) -> None:
        """Has nothing to give up."""

    def close(self) -> None:
        """Has nothing to give up."""
