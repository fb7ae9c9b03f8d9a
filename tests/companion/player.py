"""A process that plays random games at a table for ever and prints what it shows, a line for each snapshot.

Run with the store's path and a seed; each line is the game's number and its moves, as JSON. It is there to
be killed.
"""

from __future__ import annotations

import json
import random
import sys

from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import Message, NewGame, Submit, TakeBack
from companion.table.table import Table

LONGEST = 40


def following(table: Table, chance: random.Random) -> Message:
    """What is done next."""
    session = table.snapshot.session
    if session is None or session.outcome or len(session.plies) >= LONGEST:
        return NewGame("triune")
    if session.plies and chance.random() < 0.1:
        return TakeBack()
    return Submit(chance.choice(list(session.rules.legal(session.position))))


def main(path: str, seed: str) -> None:
    chance = random.Random(seed)
    with Store(path) as store, Table(Desk(store)) as table:
        while table.ask(following(table, chance)).ok:
            shown = table.snapshot
            assert shown.session is not None
            sys.stdout.write(json.dumps([shown.number, shown.session.actions]) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
