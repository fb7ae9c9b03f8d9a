"""Checks that a takeback sets the clocks back: notes what each player had left, as it was shown."""

from __future__ import annotations

from companion.core.game import Player
from companion.record.session import Ply
from companion.table.snapshot import Snapshot

CONTROL = "1000+5"
"""Long enough for no flag to fall."""
MAIN = 60_000.0
EXACT = 0.11
"""Seconds: an entry holds tenths."""


class TimeSheet:
    """For each ply, while it stands, who acted, and what the clock then showed (seconds) for them and for the
    player whose turn that ended; None where the same player had acted again before anything was shown, or
    something else is told."""

    def __init__(self) -> None:
        self._shown: list[tuple[Ply, dict[Player, float | None]]] = []

    def note(self, shot: Snapshot, now: float) -> None:
        """Notes what a snapshot shows of plies that are new, and forgets those that are gone."""
        if shot.session is None or shot.clock is None:
            return
        plies, positions = shot.session.plies, shot.session.positions()
        self._shown = [
            (ply, left if _is_same(ply, was) else dict.fromkeys(shot.session.players))
            for ply, (was, left) in zip(plies, self._shown, strict=False)
        ]
        for n in range(len(self._shown), len(plies)):
            has_ended = plies[n].after.turn != positions[n].turn
            due = {plies[n].player, positions[n].turn} if has_ended else {plies[n].player}
            later, left = {ply.player for ply in plies[n + 1 :]}, shot.clock.remaining
            shown = {p: None if p in later else left(p, now) for p in due}
            if not has_ended:  # their clock has gone on since that stood on the board
                shown[plies[n].player] = plies[n].entry.clock
            self._shown.append((plies[n], shown))

    def is_kept(self, shot: Snapshot, now: float) -> bool:
        """Returns whether right after a takeback everybody has what was left after the last ply that
        stands."""
        if shot.session is None or shot.clock is None:
            return True
        if shot.clock.runs not in ("", shot.session.position.to_act):
            return False
        expected: dict[Player, float | None] = dict.fromkeys(shot.session.players, MAIN)
        for _, shown in self._shown[: len(shot.session.plies)]:
            expected.update(shown)
        left = shot.clock.remaining
        return all(was is None or abs(left(p, now) - was) < EXACT for p, was in expected.items())


def _is_same(ply: Ply, was: Ply) -> bool:
    return (ply.player, ply.action) == (was.player, was.action)
