"""Measures the files of a game: how long each form takes to write, how large it is, and how long files from
elsewhere take to read.

    python -m benchmarks files [PLIES]

Prints a line for each form of random games, of the boards that differ most, and one for each notation.
"""

from __future__ import annotations

import random
import time

from benchmarks.simulation.made_files import made_file
from benchmarks.simulation.players import opening, play_on
from companion.record.exports import find_games, formats, forms_of
from companion.record.record import Record

GAMES, PLIES, FILES = ("triune", "escape", "chess"), 100, 100


def main(args: list[str]) -> int:
    plies = int(args[0]) if args else PLIES
    for name in GAMES:
        chance = random.Random(name)
        played = play_on(opening(name, chance), plies, chance)
        record, count = Record(played.game, played.log), len(played.plies)
        for form in forms_of(record):
            formats()["svg"].write(record)  # what is loaded once does not count
            began = time.perf_counter()
            size = len(formats()[form].write(record))
            took = 1000 * (time.perf_counter() - began)
            print(f"{name}, {count} actions: {form} {took:.0f} ms, {size / 1000:.0f} kB")
    for form in ("pgn", "pdn"):
        chance = random.Random(form)
        texts = [made_file(form, chance, 1, PLIES)[0] for _ in range(FILES)]
        began = time.perf_counter()
        plies = sum(len(find_games(text).records[0].log) for text in texts)
        print(f"{FILES} files of {form}, {plies} moves: read in {time.perf_counter() - began:.2f} s")
    return 0
