"""Measures how well the referee understands a table: simulated players over all games, on evidence, not
pictures.

    python -m benchmarks referee [--games N] [--sensor colours|occupancy] [--eyes simple|real|worst]
                                 [--mode MODE] [--seed S] [--jobs J] [--slower N] [GAME…]

`play` plays whole games at a desk, with hands, quick replies, knocked-over pieces, takebacks, illegal tries,
occlusion and wrong readings. `whole` shows turns by the boards before and after alone. `illegal` breaks the
rules in twenty ways, to be named and restored. `takeback` takes one to ten actions back by hand. `orders`
takes actions apart into touches, with pauses between them, for eyes that see all, eyes that are blind where
the hand is, or for the grid: of the `orders` that there are so many were `tried`. Prints a line for each
game, with times in ms of the processor: median/95 %/worst.

`ok` is the share in per cent, of all but `open`, that was told rightly, asked, or held beside what is told
(the choice of a ternion may have been taken back with what followed, or not). `alike` was told otherwise but
looks the same; `open` was held among others when the game ended; `alarms` were wrongly refused or told for a
while, and right again by themselves. Of the offences, `believed` are those after which something else was
told for ten seconds, `silent` those after which nothing was said. `begun` changes may still become an action
that is allowed. `restored` are takebacks after which the clocks and counts were as they had been.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from multiprocessing import Pool
from random import Random
from typing import TypeAlias

from benchmarks.simulation.games import play_game
from benchmarks.simulation.orders import some_orders
from benchmarks.simulation.senses import EYES, KINDS, SIMPLE
from benchmarks.simulation.trials import Tally, illegal_change, takeback, whole_turn

HEADS = (
    "triune", "chess", "magnet", "magnet values=declared", "trid", "escape", "ternion_factor",
    "ternion_factor players=3", "ternion_spaces", "teleporters",
    "draughts", "draughts variant=international", "no_overlap", "jump_to_center", "queens", "rooks",
)  # fmt: skip
Trial: TypeAlias = Callable[[Tally, str, str, Random], None]
TRIALS: dict[str, Trial] = {
    "play": play_game, "whole": whole_turn, "illegal": illegal_change, "takeback": takeback,
    "orders": some_orders,
}  # fmt: skip
COLUMNS = {
    "play": (
        "all",
        "right",
        "asked",
        "open",
        "alike",
        "wrong",
        "missed",
        "alarms",
        "questions",
        "offences",
        "believed",
        "silent",
        "lost",
        "stuck",
        "extra steps",
        "takebacks",
        "taken back",
        "restored",
    ),
    "whole": ("all", "right", "asked", "questions", "alike", "wrong"),
    "illegal": (
        "all",
        "named",
        "by its own rule",
        "believed",
        "misnamed",
        "unrestored",
        "long way",
        "legal to the eye",
        "begun",
    ),
    "takeback": ("all", "right", "asked", "held", "questions", "alike", "wrong"),
    "orders": ("actions", "orders", "tried", "all", "right", "asked", "alike", "refused", "wrong"),
}


def main(args: list[str]) -> int:
    """Prints a table for each mode: a line for each game."""
    given = _parse(args)
    heads = [h for h in HEADS if not given.games_named or h in given.games_named] or given.games_named
    for mode in given.mode or TRIALS:
        eyes = f"{given.eyes} eyes, " if mode == "play" else ""
        print(f"\n{mode}, {given.sensor}, {eyes}seed {given.seed}\n{'':26}{_titles(mode)}  ms", flush=True)
        for head in heads:
            tally = run(
                mode, head, given.sensor, given.games, given.seed, given.jobs, given.slower, given.eyes
            )
            print(f"{head:26}{_figures(mode, tally)}  {tally.timing()}", flush=True)
            for line in tally.failures[:60] if given.verbose else ():
                print(f"    {line}")
    return 0


def run(
    mode: str,
    head: str,
    kind: str,
    count: int,
    seed: int,
    jobs: int = 1,
    slower: float = 1.0,
    eyes: str = SIMPLE,
) -> Tally:
    """Plays `count` games, or ten times as many trials of another mode, in so many processes."""
    numbers = range(count if mode == "play" else 10 * count)
    one, tally = partial(_one, mode, head, kind, seed, slower, eyes), Tally()
    if jobs == 1:
        for n in numbers:
            tally.add(one(n))
        return tally
    with Pool(jobs) as pool:
        for part in pool.imap(one, numbers):
            tally.add(part)
    return tally


def _one(mode: str, head: str, kind: str, seed: int, slower: float, eyes: str, n: int) -> Tally:
    """Returns a game or trial: the same one, however many are played beside it."""
    tally = Tally(slower)
    trial = partial(play_game, eyes=eyes) if mode == "play" else TRIALS[mode]
    trial(tally, head, kind, Random(f"{seed} {head} {n}"))
    tally.failures = [f"{n}: {line}" for line in tally.failures]
    return tally


def _titles(mode: str) -> str:
    share = "" if mode == "illegal" else f"{'ok %':>8}"
    return "".join(f"{name.split()[0] if len(name) > 11 else name:>12}" for name in COLUMNS[mode]) + share


def _figures(mode: str, tally: Tally) -> str:
    share = "" if mode == "illegal" else f"{tally.share():>8}"
    return "".join(f"{tally.counts[name]:12}" for name in COLUMNS[mode]) + share


def _parse(args: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks referee", description=__doc__.splitlines()[0])
    parser.add_argument("games_named", metavar="GAME", nargs="*", help="games, all by default")
    parser.add_argument("--games", type=int, default=10, help="games of each kind; ten times as many trials")
    parser.add_argument("--sensor", choices=KINDS, default="colours")
    parser.add_argument("--eyes", choices=EYES, default=SIMPLE, help="how readings err in `play`")
    parser.add_argument("--mode", choices=TRIALS, action="append", help="all by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side")
    parser.add_argument("--slower", type=float, default=1.0, help="as on a machine so many times slower")
    parser.add_argument("--verbose", action="store_true", help="show what went wrong")
    return parser.parse_args(args)
