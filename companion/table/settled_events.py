"""Settled events: the events of a table for listeners who hear each of them once.

The page shows at once what the referee believes, and shows it otherwise when it turns out so. A listener that
writes events down cannot. So an action is held back while a likely story differs from it, until that is
settled or asked about, or the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.record.session import Ply, Session
from companion.table.snapshot import Happening, PlayedAction
from companion.wire.events import ChoiceAsked, Corrected, GameOver, TakenBack

FINAL = (ChoiceAsked, GameOver)
"""After these nothing is held back."""


class SettledEvents:
    """A filter of events: it holds back the actions that are not certain yet."""

    def __init__(self) -> None:
        self._held: list[PlayedAction] = []

    def hear(self, happened: Sequence[Happening], session: Session, certain: int) -> Iterator[Happening]:
        """Yields the events that may be told now; so many plies of the session are `certain`."""
        for n, happening in enumerate(happened):
            coming = sum(isinstance(later, PlayedAction) for later in happened[n:])
            if isinstance(happening, PlayedAction):
                self._held.append(happening)
            elif told := self._amended(happening, session.plies[: len(session.plies) - coming]):
                yield from self.rest() if isinstance(told, FINAL) else ()
                yield told
        ready = max(0, certain - len(session.plies) + len(self._held))
        yield from self._held[:ready]
        del self._held[:ready]

    def rest(self) -> Iterator[Happening]:
        """Yields the events that were held back to the end."""
        held, self._held = self._held, []
        yield from held

    def _amended(self, happening: Happening, plies: Sequence[Ply]) -> Happening | None:
        """Returns an event as far as it concerns actions that were told; these plies stand after it."""
        match happening:
            case TakenBack(count=count):
                return self._without_held(happening, count)
            case Corrected():
                return self._corrected(happening, plies)
        return happening

    def _without_held(self, takeback: TakenBack, count: int) -> TakenBack | None:
        held = min(count, len(self._held))
        del self._held[len(self._held) - held :]
        return replace(takeback, count=count - held) if count > held else None

    def _corrected(self, correction: Corrected, plies: Sequence[Ply]) -> Corrected | None:
        """Mends the actions that are held back. Returns the correction, unless it concerns only these."""
        pairs = list(zip(self._held, plies[len(plies) - len(self._held) :], strict=True))
        self._held = [replace(held, ply=ply) for held, ply in pairs]
        unheard = tuple(ply.action for held, ply in pairs if held.ply != ply)
        return None if correction.actions == unheard else correction
