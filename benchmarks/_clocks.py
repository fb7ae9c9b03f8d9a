"""Whether a takeback sets the clocks back: what each player had left is written down as it was shown."""

from __future__ import annotations

from companion.core import Player
from companion.snapshot import Snapshot

CONTROL = "1000+5"
"""Long enough for no flag to fall."""
MAIN = 60_000.0
EXACT = 0.11
"""Seconds: an entry holds tenths."""


class TimeSheet:
    """For each ply, while it stands, who acted and what the clock then showed (seconds); None where the same
    player had acted again before anything was shown, or another is told to have acted."""

    def __init__(self) -> None:
        self._shown: list[tuple[Player, float | None]] = []

    def note(self, shot: Snapshot, now: float) -> None:
        """A snapshot with plies more or fewer than before."""
        if shot.session is None or shot.clock is None:
            return
        players = [ply.player for ply in shot.session.plies]
        self._shown = [
            (player, left if player == was else None)
            for player, (was, left) in zip(players, self._shown, strict=False)
        ]
        new = players[len(self._shown) :]
        for n, player in enumerate(new, 1):
            left = None if player in new[n:] else shot.clock.remaining(player, now)
            self._shown.append((player, left))

    def is_kept(self, shot: Snapshot, now: float) -> bool:
        """Whether right after a takeback everybody has what was left after the last ply that stands."""
        if shot.session is None or shot.clock is None:
            return True
        before = dict(self._shown[: len(shot.session.plies)])
        expected = {p: before.get(p, MAIN) for p in shot.session.players}
        if shot.clock.runs not in ("", shot.session.position.to_act):
            return False
        left = shot.clock.remaining
        return all(was is None or abs(left(p, now) - was) < EXACT for p, was in expected.items())
