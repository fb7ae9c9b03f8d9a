"""The files of a game: how long each form takes, and how large it is.

`python -m benchmarks files [PLIES]`; random games of the boards that differ most.
"""

from __future__ import annotations

import random
import time

from companion.exports import FORMATS, forms_of
from companion.record import Record
from companion.session import Entry, begin
from companion.text import read_game

GAMES, PLIES = ("triune", "escape", "chess"), 100


def main(args: list[str]) -> int:
    plies = int(args[0]) if args else PLIES
    for name in GAMES:
        record = _play(name, plies)
        count = len(record.session().plies)
        for form in forms_of(record):
            FORMATS["svg"].write(record)  # what is loaded once does not count
            began = time.perf_counter()
            size = len(FORMATS[form].write(record))
            took = 1000 * (time.perf_counter() - began)
            print(f"{name}, {count} actions: {form} {took:.0f} ms, {size / 1000:.0f} kB")
    return 0


def _play(name: str, count: int) -> Record:
    chance, session = random.Random(name), begin(read_game(name))
    while len(session.plies) < count and not session.outcome:
        session = session.apply(Entry("action", chance.choice(list(session.rules.legal(session.position)))))
    return Record(session.game, session.log)
