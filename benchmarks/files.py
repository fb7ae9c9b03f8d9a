"""Measures the files of a game: how long each form takes to write, and how large it is.

    python -m benchmarks files [PLIES]

Prints a line for each form of random games, of the boards that differ most.
"""

from __future__ import annotations

import random
import time

from companion.games.text import read_game
from companion.record.exports import formats, forms_of
from companion.record.record import Record
from companion.record.session import Entry, begin

GAMES, PLIES = ("triune", "escape", "chess"), 100


def main(args: list[str]) -> int:
    plies = int(args[0]) if args else PLIES
    for name in GAMES:
        record = _play(name, plies)
        count = len(record.session().plies)
        for form in forms_of(record):
            formats()["svg"].write(record)  # what is loaded once does not count
            began = time.perf_counter()
            size = len(formats()[form].write(record))
            took = 1000 * (time.perf_counter() - began)
            print(f"{name}, {count} actions: {form} {took:.0f} ms, {size / 1000:.0f} kB")
    return 0


def _play(name: str, count: int) -> Record:
    chance, session = random.Random(name), begin(read_game(name))
    while len(session.plies) < count and not session.outcome:
        session = session.apply(Entry("action", chance.choice(list(session.rules.legal(session.position)))))
    return Record(session.game, session.log)
