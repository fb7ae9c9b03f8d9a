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
    """For each ply, while it stands, who acted, and what the clock then showed (seconds) for them and for the
    player whose turn that ended; None where the same player had acted again before anything was shown, or
    another is told to have acted."""

    def __init__(self) -> None:
        self._shown: list[tuple[Player, dict[Player, float | None]]] = []

    def note(self, shot: Snapshot, now: float) -> None:
        """A snapshot with plies more or fewer than before."""
        if shot.session is None or shot.clock is None:
            return
        plies, positions = shot.session.plies, shot.session.positions()
        players = [ply.player for ply in plies]
        self._shown = [
            (player, left if player == was else dict.fromkeys({player, *left}))
            for player, (was, left) in zip(players, self._shown, strict=False)
        ]
        for n in range(len(self._shown), len(plies)):
            has_ended = plies[n].after.turn != positions[n].turn
            due = {players[n], positions[n].turn} if has_ended else {players[n]}
            left = shot.clock.remaining
            self._shown.append(
                (players[n], {p: None if p in players[n + 1 :] else left(p, now) for p in due})
            )

    def is_kept(self, shot: Snapshot, now: float) -> bool:
        """Whether right after a takeback everybody has what was left after the last ply that stands."""
        if shot.session is None or shot.clock is None:
            return True
        if shot.clock.runs not in ("", shot.session.position.to_act):
            return False
        expected: dict[Player, float | None] = dict.fromkeys(shot.session.players, MAIN)
        for _, shown in self._shown[: len(shot.session.plies)]:
            expected.update(shown)
        left = shot.clock.remaining
        return all(was is None or abs(left(p, now) - was) < EXACT for p, was in expected.items())
