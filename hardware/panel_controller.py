"""Connects the panel with the table: presses become messages, and a lamp shows whose turn it is.

'Done' says yes to a question to the player (whether a disc was turned over, of which no sensor sees the
face), and claims a draw that the rules give to the player to move. Else it plays the one action that ends
what the player owes and touches nothing on the board: end the turn, keep, pass. 'Take back' takes the last
action back. The buzzer sounds for a moment when an action is refused, and for longer when a flag falls.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.core.game import Action, Player
from companion.record.session import Session
from companion.table import messages
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from hardware.panel import Panel, Press

PERIOD_S = 0.01
"""Seconds between two looks at the buttons."""
BUZZ_S = 0.4
"""Seconds for which the buzzer sounds when an action is refused."""
FLAG_S = 1.5
"""Seconds for which it sounds when a flag falls."""


class PanelController:
    """Polls a panel in a thread of its own, for as long as it is entered."""

    def __init__(self, panel: Panel, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self._panel, self._table, self._clock = panel, table, clock
        self._stop = threading.Event()
        self._shown = -1
        self._refused: object = None
        self._flags: set[Player] = set()
        self._silent_at = 0.0
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)

    def __enter__(self) -> PanelController:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._panel.close()

    def step(self) -> None:
        """Looks once at the buttons and at the table."""
        now = self._clock()
        for press in self._panel.poll(now):
            message = answer_press(press, self._table.snapshot)
            if message:
                self._table.post(message)
        self._show(self._table.snapshot, now)

    def _run(self) -> None:
        while not self._stop.wait(PERIOD_S):
            self.step()

    def _show(self, snapshot: Snapshot, now: float) -> None:
        if snapshot.id != self._shown:
            self._shown = snapshot.id
            self._panel.show_turn(turn_seat(snapshot.session))
            self._sound_news(snapshot, now)
        if self._silent_at and now >= self._silent_at:
            self._panel.sound(False)
            self._silent_at = 0.0

    def _sound_news(self, snapshot: Snapshot, now: float) -> None:
        """Starts the buzzer when another action is refused than before, and when another flag falls."""
        verdict = snapshot.verdict
        refused = verdict if verdict and verdict.kind == "refused" else None
        flags = {*(snapshot.clock.flags if snapshot.clock else ())}
        if flags - self._flags:
            self._silent_at = now + FLAG_S
        elif refused is not None and refused != self._refused:
            self._silent_at = now + BUZZ_S
        self._panel.sound(bool(self._silent_at))
        self._refused, self._flags = refused, flags


def turn_seat(session: Session | None) -> int | None:
    """Returns the seat (from 0) that owes the next action; None where nobody does."""
    if session is None or session.outcome:
        return None
    return session.players.index(session.position.to_act)


def answer_press(press: Press, snapshot: Snapshot) -> messages.Message | None:
    """Returns the message that a press means for the game; None where it means nothing now."""
    session = snapshot.session
    if session is None or press.seat >= len(session.players):
        return None
    player = session.players[press.seat]
    if press.button == "take back":
        return messages.TakeBack(1, player)
    if question := snapshot.question_to(player):
        yes = next(filter(None, question.choices))
        return messages.Answer(question.id, yes, player)
    if session.outcome or session.position.to_act != player:
        return None
    if snapshot.verdict is None and session.rules.claim(session.position):
        return messages.Deed("claim", player)
    ending = _ending_action(session)
    return messages.Submit(ending, player, "button") if ending else None


def _ending_action(session: Session) -> Action:
    """Returns the one legal action that touches nothing on the board; '' where there is none, or a choice."""
    rules = session.rules
    legal = rules.legal(session.position)
    touching_nothing = [action for action in legal if not rules.path(action) and "?" not in action]
    return touching_nothing[0] if len(touching_nothing) == 1 else ""
