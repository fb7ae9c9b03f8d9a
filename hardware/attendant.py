"""Buttons and lamps at a table: presses become messages, whose turn it is becomes a lamp.

'Done' says yes to what the player is asked (that a disc was turned over, of which no sensor sees the face);
else it plays the one action that ends what the player owes and touches nothing on the board (end the turn,
keep, pass). 'Take back' takes the last action back. The buzzer sounds while a refusal stands, for a moment.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType

from companion import messages
from companion.session import Session
from companion.snapshot import Snapshot
from companion.table import Table
from hardware.panel import Panel, Press

PERIOD = 0.01
BUZZ = 0.4
"""Seconds between two looks at the buttons, and that the buzzer sounds."""


class Attendant:
    """Polls a panel in a thread of its own, as long as it is entered."""

    def __init__(self, panel: Panel, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self._panel, self._table, self._clock = panel, table, clock
        self._stop = threading.Event()
        self._shown = -1
        self._refused: object = None
        self._silent_at = 0.0
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)

    def __enter__(self) -> Attendant:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        self._panel.close()

    def step(self) -> None:
        """One look at the buttons and at the table."""
        now = self._clock()
        for press in self._panel.poll(now):
            message = answer_press(press, self._table.snapshot)
            if message:
                self._table.post(message)
        self._show(self._table.snapshot, now)

    def _run(self) -> None:
        while not self._stop.wait(PERIOD):
            self.step()

    def _show(self, snapshot: Snapshot, now: float) -> None:
        if snapshot.id != self._shown:
            self._shown = snapshot.id
            self._panel.show_turn(turn_seat(snapshot.session))
            refused = snapshot.verdict if snapshot.verdict and snapshot.verdict.kind == "refused" else None
            if refused is not None and refused != self._refused:
                self._panel.sound(True)
                self._silent_at = now + BUZZ
            self._refused = refused
        if self._silent_at and now >= self._silent_at:
            self._panel.sound(False)
            self._silent_at = 0.0


def turn_seat(session: Session | None) -> int | None:
    """The seat (from 0) that owes the next action; None where nobody does."""
    if session is None or session.outcome:
        return None
    return session.players.index(session.position.to_act)


def answer_press(press: Press, snapshot: Snapshot) -> messages.Message | None:
    """What a press means for the game; None where it means nothing now."""
    session, question = snapshot.session, snapshot.question
    if session is None or press.seat >= len(session.players):
        return None
    player = session.players[press.seat]
    if press.button == "take back":
        return messages.TakeBack(1, player)
    if question and question.by == player:
        return messages.Answer(question.id, next(filter(None, question.choices)), player)
    if session.outcome or session.position.to_act != player:
        return None
    bare = [a for a in session.rules.legal(session.position) if not session.rules.path(a) and "?" not in a]
    return messages.Submit(bare[0], player, "button") if len(bare) == 1 else None
