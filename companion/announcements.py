"""What happened, for who hears it but once: an action is told when nothing likely differs from it.

The page shows at once what the referee believes, and shows it otherwise when it turns out so. Who writes down
what is told cannot: so an action that what is seen next may still change is held back until that is settled,
asked about, or over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.session import Ply, Session
from companion.snapshot import Happening

FINAL = ("ask", "over")
"""After these nothing is held back."""


class Announcements:
    """Holds back what is not certain yet."""

    def __init__(self) -> None:
        self._held: list[Happening] = []

    def hear(self, happened: Sequence[Happening], session: Session, certain: int) -> Iterator[Happening]:
        """What may be told now; so many plies of the session are `certain`."""
        for n, happening in enumerate(happened):
            coming = sum(later.kind == "action" for later in happened[n:])
            if happening.kind == "action":
                self._held.append(happening)
            elif told := self._amended(happening, session.plies[: len(session.plies) - coming]):
                yield from self.rest() if told.kind in FINAL else ()
                yield told
        ready = max(0, certain - len(session.plies) + len(self._held))
        yield from self._held[:ready]
        del self._held[:ready]

    def rest(self) -> Iterator[Happening]:
        """What was held back to the end."""
        held, self._held = self._held, []
        yield from held

    def _amended(self, happening: Happening, plies: Sequence[Ply]) -> Happening | None:
        """A happening as far as it concerns what was told; these plies stand after it."""
        if happening.kind == "takeback":
            return self._without_held(happening, int(str(happening.data["count"])))
        if happening.kind == "corrected":
            return self._corrected(happening, plies)
        return happening

    def _without_held(self, takeback: Happening, count: int) -> Happening | None:
        held = min(count, len(self._held))
        del self._held[len(self._held) - held :]
        return replace(takeback, data={**takeback.data, "count": count - held}) if count > held else None

    def _corrected(self, correction: Happening, plies: Sequence[Ply]) -> Happening | None:
        """The correction, unless it only concerns what is held back, which is mended."""
        pairs = list(zip(self._held, plies[len(plies) - len(self._held) :], strict=True))
        self._held = [replace(held, data={**held.data, "ply": ply}) for held, ply in pairs]
        unheard = tuple(ply.action for held, ply in pairs if held.data["ply"] != ply)
        return None if correction.data["actions"] == unheard else correction
