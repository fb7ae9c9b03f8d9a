"""Measures how strong the opponent is: against chance, one ply, and each level against the one below.

    python -m benchmarks opponent [--game TEXT]… [--games N] [--level N] [--seed N] [--turns N] [--ladder]
                                  [--only WORDS] [--share PART]

Each pairing is played `--games` times with the seats in turn. `one ply` takes the action after which it leads
by most, judged by the same estimate. A program that is made for a game plays with its lowest skill. A game
that is not over after `--turns` turns is cut, and counts as a draw. Milliseconds are those of a whole core;
with `--share 0.25` those on the clock, held back to a quarter of a core as `benchmarks pi` does it (root,
Linux's control groups).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeAlias

from companion import games
from companion.core.game import Action, Player
from companion.core.puzzle import Puzzle
from companion.core.rules import Rules
from companion.games.text import read_game
from opponent.levels import LEVELS
from opponent.mind import Choice, Question, think
from opponent.search import lead
from opponent.uci import NONE, STRENGTHS

Mover: TypeAlias = Callable[[Rules[Any], list[Any], Player, Random], tuple[Action, ...]]
"""Returns what a player does next, from all positions as it knows them."""


@dataclass
class Tally:
    """The score of a pairing, for the first of the two."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    cut: int = 0
    turns: int = 0
    choices: list[Choice] = field(default_factory=list)

    def line(self) -> str:
        played = self.won + self.lost + self.drawn + self.cut
        share = (self.won + (self.drawn + self.cut) / 2) / played
        turns = self.turns / played
        words = f"{share:5.0%}  {self.won:3} {self.lost:4} {self.drawn:5} {self.cut:3}  {turns:6.0f}"
        spent = sum(choice.seconds for choice in self.choices)
        if not spent:
            return words
        count, nodes = len(self.choices), sum(choice.nodes for choice in self.choices)
        depth = sum(choice.depth for choice in self.choices) / count
        return f"{words}  {depth:5.1f} {nodes / spent:9,.0f} {1000 * spent / count:8.0f}"


def by_chance(rules: Rules[Any], seen: list[Any], me: Player, rng: Random) -> tuple[Action, ...]:
    if rules.form(seen[-1]):
        return think(rules, seen, Question("", me, seed=rng.getrandbits(32))).actions
    return (rng.choice(list(rules.considered(seen[-1]))),)


def by_one_ply(rules: Rules[Any], seen: list[Any], me: Player, rng: Random) -> tuple[Action, ...]:
    if rules.form(seen[-1]):
        return by_chance(rules, seen, me, rng)
    worths = {a: _worth(rules, rules.play(seen[-1], a).position, me) for a in rules.considered(seen[-1])}
    best = max(worths.values())
    return (rng.choice([action for action, worth in worths.items() if worth == best]),)


def _worth(rules: Rules[Any], position: Any, me: Player) -> float:
    over = rules.outcome(position)
    if over:
        return 0 if over.winner is None else 1000 if over.winner == me else -1000
    return lead(rules, position, me)


def by_level(
    level: int, choices: list[Choice], clock: Callable[[], float] = time.process_time, engine: str = NONE
) -> Mover:
    def move(rules: Rules[Any], seen: list[Any], me: Player, rng: Random) -> tuple[Action, ...]:
        begun = clock()
        found = think(rules, seen, Question("", me, (), level, rng.getrandbits(32), 1e9, engine=engine))
        if found.depth:
            choices.append(replace(found, seconds=clock() - begun))
        return found.actions

    return move


def play_game(text: str, movers: dict[Player, Mover], rng: Random, turns: int) -> tuple[str, int]:
    """Returns who won (`draw`, `cut`) and the number of turns."""
    game = read_game(text)
    rules, position, played = game.rules, game.start(), 0
    seen: dict[Player, list[Any]] = {seat: [rules.view(position, seat)] for seat in movers}
    while not (over := rules.outcome(position)):
        if played >= turns:
            return "cut", played
        before, mover = position, position.to_act
        for action in _dealt(game, position, rng) or movers[mover](rules, seen[mover], mover, rng):
            position = rules.play(position, action).position
            for seat, known in seen.items():
                known.append(rules.view(position, seat))
            if position.to_act != mover:
                break
        played += position.turn != before.turn
    return over.winner or "draw", played


def _dealt(game: Any, position: Any, rng: Random) -> tuple[Action, ...]:
    action = game.rules.deal(position, game.options, rng)
    return (action,) if action else ()


def pairing(text: str, first: Mover, second: Mover, count: int, seed: int, turns: int) -> Tally:
    game, tally = read_game(text), Tally()
    seats = game.rules.players(game.start())
    for number in range(count):
        me = seats[number % len(seats)]
        movers = {seat: first if seat == me else second for seat in seats}
        winner, played = play_game(text, movers, Random(f"{seed} {number}"), turns)
        tally.turns += played
        name = winner if winner in ("draw", "cut") else "won" if winner == me else "lost"
        name = {"draw": "drawn"}.get(name, name)
        setattr(tally, name, getattr(tally, name) + 1)
    return tally


def pairings(level: int, ladder: bool, engines: Iterable[str]) -> Iterator[tuple[str, int, Mover | int]]:
    """Yields name, level and other player of each pairing."""
    yield f"level {level} : chance", level, by_chance
    yield f"level {level} : one ply", level, by_one_ply
    for engine in engines:
        yield f"level {level} : {engine}", level, by_level(min(STRENGTHS), [], engine=engine)
    if ladder:
        for higher in range(2, level + 1):
            yield f"level {higher} : level {higher - 1}", higher, higher - 1


def all_games() -> list[str]:
    texts = [name for name in games.installed() if not isinstance(games.rules(name), Puzzle)]
    return [*texts, "draughts variant=international", "trid players=3", "trid players=4"]


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks opponent")
    parser.add_argument("--game", action="append", help="the head of a game text; all games unless given")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--level", type=int, default=max(LEVELS), choices=sorted(LEVELS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument(
        "--ladder", action="store_true", help="each level up to this one against the one below, too"
    )
    parser.add_argument("--only", default="", help="the pairings in whose name this is")
    parser.add_argument("--share", type=float, help="the part of a core that it may have")
    parser.add_argument("--clock", action="store_true", help="milliseconds on the clock")
    given = parser.parse_args(args)
    if given.share:
        return _held_back(given.share, [arg for arg in args if arg != "--share" and arg != str(given.share)])
    clock = time.monotonic if given.clock else time.process_time
    head = " won lost drawn cut   turns  depth   nodes/s  ms/turn"
    print(f"{'game':32} {'pairing':18}  share {head}")
    for text in given.game or all_games():
        for name, level, other in pairings(given.level, given.ladder, read_game(text).rules.engines):
            if given.only not in name:
                continue
            choices: list[Choice] = []
            second = by_level(other, []) if isinstance(other, int) else other
            tally = pairing(
                text, by_level(level, choices, clock), second, given.games, given.seed, given.turns
            )
            tally.choices = choices
            print(f"{text:32} {name:18} {tally.line()}", flush=True)
    return 0


def _held_back(share: float, args: list[str]) -> int:
    from benchmarks.pi import MEMORY, limits

    with limits(share, MEMORY) as join:
        command = [sys.executable, "-m", "benchmarks", "opponent", *args, "--clock"]
        return subprocess.run(command, preexec_fn=join).returncode
