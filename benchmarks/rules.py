"""Measures how fast the rules are: perft beside the `chess` library's, and the slowest list of legal actions.

    python -m benchmarks rules

Both count the last ply's legal actions without playing them, in the same run. A printed ratio of 1 is that
library's speed. Times are those of the processor, so that other programs on the machine do not matter much.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import chess

from companion import games
from companion.core.perft import perft
from companion.games.text import Game, read_game

SECONDS = 2.0
POSITIONS = 10_000


def main(args: list[str]) -> int:
    """Prints a line for each game; `args` may name some of them."""
    names = args or [name for name in games.installed() if name != "chess"]
    base = _rate(_chess_perft)
    print(f"{'game':16} {'leaves/s':>12} {'ratio':>6}   slowest and 99.9 % of {POSITIONS:,} legal lists, ms")
    print(f"{'chess (library)':16} {base:12,.0f} {1:6.2f}")
    for name in names:
        slowest, usual = _legal_lists(name)
        rate = _rate(_perft_of(name))
        print(f"{name:16} {rate:12,.0f} {rate / base:6.2f}   {slowest:.2f} {usual:.2f}", flush=True)
    return 0


def _rate(count: Callable[[int], int]) -> float:
    """Leaves per second at the first depth that takes long enough to be measured."""
    for depth in range(1, 30):
        began = time.process_time()
        leaves = count(depth)
        seconds = time.process_time() - began
        if seconds > SECONDS / 8:
            break
    return leaves / seconds


def _perft_of(name: str) -> Callable[[int], int]:
    game = read_game(name)
    position = _opening(game)
    return lambda depth: perft(game.rules, position, depth)


def _opening(game: Game) -> Any:
    """Returns the first position whose actions `legal` lists: Magnet's set-ups are too many, and are
    dealt."""
    position, chance = game.start(), random.Random(0)
    while dealt := game.rules.deal(position, {**game.options, "setup": "random"}, chance):
        position = game.rules.after(position, dealt)
    return position


def _chess_perft(depth: int) -> int:
    def count(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        leaves = 0
        for move in board.legal_moves:
            board.push(move)
            leaves += count(board, depth - 1)
            board.pop()
        return leaves

    return count(chess.Board(), depth)


def _legal_lists(name: str) -> tuple[float, float]:
    """Returns the longest time of a legal list in random games, and what one in a thousand exceeds, in ms."""
    times = sorted(1000 * seconds for seconds in _times(name))
    return times[-1], times[-len(times) // 1000]


def _times(name: str) -> Iterator[float]:
    game, chance = read_game(name), random.Random(name)
    start = _opening(game)
    position = start
    for _ in range(POSITIONS):
        began = time.process_time()
        actions = list(game.rules.legal(position))
        yield time.process_time() - began
        if not actions:
            actions = list(game.rules.legal(position := start))
        position = game.rules.after(position, chance.choice(actions))
