"""Takes actions apart into touches, and asks what a table says of the orders that hands can do them in."""

from __future__ import annotations

from random import Random

from benchmarks.simulation.players import PLIES, opening, play_on
from benchmarks.simulation.trials import Tally
from companion.core.game import EMPTY, Action
from companion.record.session import Entry, Session
from companion.table.policy import POLICY
from tests.companion.taken_apart import PAUSES, Orders, Part, Table, chosen, pieces_of

MOST = 6
"""So many orders of one action are drawn; of some there are thousands."""
EYES = {"colours": ("perfect", "blind"), "occupancy": ("grid",)}


def some_orders(tally: Tally, head: str, kind: str, rng: Random) -> None:
    """Does one action in several orders, each for all eyes of a kind, with pauses of any length."""
    session = play_on(opening(head, rng), rng.randrange(PLIES), rng)
    action = None if session.outcome else chosen(session, rng)
    if action is None:
        return
    orders = Orders(session, action)
    drawn = {orders.draw(rng): None for _ in range(2 * MOST)}
    tried = list(drawn)[:MOST]
    tally.counts.update(actions=1, orders=orders.count(), tried=len(tried))
    for order in tried:
        pauses = [rng.choice(PAUSES) for _ in order]
        for eyes in EYES[kind]:
            _do(tally, session, action, order, pauses, eyes)


def _do(
    tally: Tally, session: Session, action: Action, order: tuple[Part, ...], pauses: list[float], eyes: str
) -> None:
    """Does an action at a table, and counts what the table made of it."""
    table = Table(session, eyes)
    for part, pause in zip(order, pauses, strict=True):
        table.touch(part, pause)
    table.wait(POLICY.ahead + 1.0)
    touches = " ".join(f"{'-' if part.look == EMPTY else '+'}{part.place}" for part in order)
    words = f"{eyes}, {session.text} | {action}: {touches} {pauses}"
    told, truth = table.desk.session, session.apply(Entry("action", action))
    tally.counts["all"] += 1
    # What a capture reveals may ask for more than hands could know: it was no trap that took both pieces.
    allowed = {"unfinished", "restore"} if session.has_secrets else {"unfinished"}
    if "refused" in table.events or {*table.kinds} - allowed:
        tally.fail("refused", words)
    elif told.actions == truth.actions:
        tally.counts["right"] += 1
    elif table.desk.snapshot.questions:
        tally.counts["asked"] += 1
    else:
        tally.miss(pieces_of(told.look) == table.board, f"{words} | {told.actions[len(session.actions) :]}")
