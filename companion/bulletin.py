"""What a table shows and tells: the snapshot that everyone reads, and what happened, as it happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.core import Action
from companion.observation import Sighting
from companion.referee import Finding
from companion.session import Session, common_plies
from companion.snapshot import Happening, Scene, Snapshot, SourceStatus


class Bulletin:
    """One snapshot after the other. The clock stands while a verdict is shown."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.snapshot = Snapshot()
        self._now = now
        self._happened: list[Happening] = []
        self._picture: Callable[[], bytes] | None = None

    def show(self, **changes: Any) -> None:
        after = replace(self.snapshot, **changes)
        if after.clock:
            waits = after.verdict is not None
            clock = after.clock.pause(self._now()) if waits else after.clock.resume(self._now())
            after = replace(after, clock=clock)
        if after != self.snapshot:
            self.snapshot = replace(after, id=self.snapshot.id + 1)

    def tell(self, kind: str, **data: object) -> None:
        self._happened.append(Happening(kind, data))

    def collect(self) -> list[Happening]:
        """What happened since it was last asked for."""
        happened, self._happened = self._happened, []
        return happened

    def show_source(self, status: SourceStatus) -> None:
        """How a source is; trouble is told once."""
        old = {s.name: s for s in self.snapshot.sources}
        if old.get(status.name) == status:
            return
        if status.state in ("lost", "trouble") and old.get(status.name, status).words != status.words:
            self.tell("lost" if status.state == "lost" else "moved", words=status.words)
        self.show(sources=tuple({**old, status.name: status}.values()))

    def tell_plies(self, before: Session, after: Session, finding: Finding) -> None:
        """What a finding took back, corrected and played."""
        new, words = after.plies[len(after.plies) - len(finding.played) :], say_withdrawal(before, after)
        if words and _is_as_handled(before, after):
            new = after.plies[len(before.plies) :]
            self.tell("corrected", actions=_corrections(before, after), words=words)
        elif finding.withdrawn:
            self.tell("takeback", count=finding.withdrawn, **({"words": words} if words else {}))
        for ply in new:
            scene = self.scene(after.line(ply))
            self.tell("action", ply=ply, marked=bool(finding.choices), scene=scene)

    def tell_outcome(self, before: Session, after: Session) -> None:
        outcome = after.outcome
        if outcome and not before.outcome:
            self.tell("over", winner=outcome.winner, reason=outcome.reason)

    def look(self, sighting: Sighting) -> None:
        """Keeps the last picture on which nothing moved."""
        if sighting.picture and sighting.still and not sighting.hand:
            self._picture = sighting.picture

    def drop_picture(self) -> None:
        self._picture = None

    def scene(self, line: int) -> Scene | None:
        """What the camera saw when a line of the log was written."""
        number, picture = self.snapshot.number, self._picture
        return None if number is None or picture is None else Scene(number, line, picture)


def say_withdrawal(before: Session, after: Session) -> str:
    """What was told and turned out otherwise, or was taken back from among others; '' where nothing was."""
    common = common_plies(before, after)
    gone, new = Counter(before.actions[common:]), Counter(after.actions[common:])
    if not gone or not new:
        return ""
    if new <= gone:
        return f"Taken back: {', '.join((gone - new).elements())}."
    return f"Not {before.plies[common].action} but {after.plies[common].action}: what followed shows it."


def _is_as_handled(before: Session, after: Session) -> bool:
    """Whether hands did what had been told, and only more is known of it, such as a promotion."""
    path = after.rules.path
    pairs = zip(before.plies, after.plies, strict=False)
    return len(after.plies) >= len(before.plies) and all(path(a.action) == path(b.action) for a, b in pairs)


def _corrections(before: Session, after: Session) -> tuple[Action, ...]:
    pairs = zip(before.plies, after.plies, strict=False)
    return tuple(b.action for a, b in pairs if a.action != b.action)
