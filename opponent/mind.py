"""A mind: from what one seat may know of a game to the turn that it plays.

A question is made of a session as its seat knows it, so there is nothing in it that a player may not know.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.core.game import Action, ActionForm, GameError, IllegalActionError, Player
from companion.core.puzzle import Puzzle
from companion.core.rules import Rules
from companion.games.text import read_game
from companion.language import say
from companion.record.knowledge import known_to
from companion.record.session import Session, read_looks
from opponent import uci
from opponent.levels import LEVELS
from opponent.search import WON, Search, SearchResult

SOLVABLE = {True: 1.0, None: 0.5, False: 0.0}
"""The worth of a puzzle that can be solved, of one of which that is not known, of one that cannot be."""
CORRECTED = "turn="
"""How a correction by the arbiter begins, among the actions of a question."""
SETUPS = 8
"""The number of set-ups, by chance, of which the best is taken."""
FEW_ACTIONS = 4
"""With fewer actions than these the best one is easily found."""
RESIGNS, CONTENT = 0.03, 0.45
"""The worth at which an opponent gives a game up, and that at which it is content with a draw."""


@dataclass(frozen=True, slots=True)
class Question:
    """A game as one seat knows it, and how it is to be thought about.

    `game` is the head of its text (`triune first=red`); `actions` are all that this seat knows of what was
    played, with the answers by which it learned others' secrets (`ask` makes them of a session); an arbiter's
    correction stands among them as the log has it. `nodes` replaces those of the level, 0 does not. `engine`
    names a UCI program for chess, where the usual one is not wanted; `-` for none. `played` is a turn that is
    to be judged beside the best one. With `alone` it is asked whether the best turn is the only good one.
    """

    game: str
    seat: Player
    actions: tuple[str, ...] = ()
    level: int = max(LEVELS)
    seed: int = 0
    seconds: float = 10.0
    nodes: int = 0
    engine: str = ""
    played: tuple[Action, ...] = ()
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn, its worth as the chance of winning (0 to 1), and the line that is expected from it on.

    `actions` is the whole turn, or as much of it as is certain: where chance or another player answers in
    the middle, the question is asked again then; () where a puzzle cannot be gone on with. `line` begins with
    them. `played` is as much of the question's turn as is certain, and `left` its worth. `second` is that
    of the next best turn, where it was asked for and found, and else 1; 1, too, where the best one is seen at
    once.
    """

    actions: tuple[Action, ...]
    worth: float
    line: tuple[Action, ...] = ()
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    played: tuple[Action, ...] = ()
    left: float = 0.0
    second: float = 1.0

    @property
    def resigns(self) -> bool:
        """Returns whether the game is so bad that a player would give it up."""
        return self.worth < RESIGNS

    @property
    def takes_draw(self) -> bool:
        """Returns whether a draw that is offered now is welcome."""
        return self.worth <= CONTENT


def ask(session: Session, seat: Player, level: int = max(LEVELS), **more: Any) -> Question:
    """Returns the question what a seat should play now, of nothing that it may not know.

    The seed follows from the length of the game, unless `more` brings one.
    """
    actions = known_to(seat, session).actions
    return Question(session.game.head, seat, actions, level, **{"seed": len(actions), **more})


def choose(question: Question) -> Choice:
    """Returns the turn that is best for a question's seat. GameError where the game cannot be replayed, is
    over, or another has to act."""
    rules, positions = replay(question)
    view = positions[-1]
    if rules.outcome(view) or view.to_act != question.seat:
        raise GameError(say("'{player}' has nothing to play now", player=question.seat))
    return think(rules, positions, question)


def think(rules: Rules[Any], positions: list[Any], question: Question) -> Choice:
    """Returns the best turn in the last of these positions, as the seat knows them; the others led to it."""
    begun, view, rng = time.monotonic(), positions[-1], Random(question.seed)
    if isinstance(rules, Puzzle):
        advice = rules.advise(view, question.seconds)
        actions = (advice.action,) if advice.action else ()
        return Choice(actions, SOLVABLE[advice.solvable], actions, seconds=time.monotonic() - begun)
    if form := rules.form(view):
        pattern = next(action for action in rules.legal(view) if "?" in action)
        setups = [_by_chance(form, pattern, rng) for _ in range(SETUPS)]
        best = max(setups, key=lambda setup: rules.estimate(rules.play(view, setup).position)[question.seat])
        return Choice((best,), 0.5, (best,), 0, SETUPS, time.monotonic() - begun)
    level = LEVELS[question.level]
    slips = rules.slips.get(question.level, level.slips)
    level = level._replace(nodes=question.nodes or level.nodes, slips=slips)
    search = Search(rules, question.seat, level, rng, begun + question.seconds)
    found = _asked(rules, positions, question) or search.best(view, positions[:-1])
    played, left = _certain(rules, view, question.played), 0.0
    if played:
        left = chance(search.worth(view, played, max(1, found.depth)))
    is_deep = question.alone and not _is_plain(search, view, found)
    second = chance(search.second(view, found)) if is_deep else 1.0
    spent = time.monotonic() - begun
    return Choice(
        found.actions, chance(found.value), found.line, found.depth, search.nodes, spent, played, left, second
    )


def _is_plain(search: Search, view: Any, found: SearchResult) -> bool:
    """Returns whether a turn is seen at once: there are few others, it takes as no other does, or a player
    who looks at captures alone would play it."""
    rules = search.rules
    actions = list(rules.considered(view))
    takes = [action for action in actions if rules.takes(view, action)]
    if len(actions) < FEW_ACTIONS or takes == [found.actions[0]]:
        return True
    glance = Search(rules, search.me, LEVELS[1]._replace(slips=0.0), Random(0)).best(view)
    return search.is_same(view, glance.actions, found.actions)


def _asked(rules: Rules[Any], positions: list[Any], question: Question) -> SearchResult | None:
    """Returns what a program that is made for the game plays; None where there is none, or it fails."""
    is_usual = not question.played and not question.alone
    program = uci.program_for(rules, question.engine, question.level) if is_usual else ""
    if not program:
        return None
    is_whole = question.actions and not any(action.startswith(CORRECTED) for action in question.actions)
    first, actions = (positions[0], question.actions) if is_whole else (positions[-1], ())
    return uci.ask(program, rules.write_position(first), actions, question.level, question.seconds)


def _certain(rules: Rules[Any], view: Any, actions: Iterable[Action]) -> tuple[Action, ...]:
    """Returns the actions up to where somebody else has to act."""
    found, at = list[Action](), view
    for action in actions:
        if at.to_act != view.to_act or at.turn != view.turn or rules.judge(at, action):
            break
        found.append(action)
        at = rules.play(at, action).position
    return tuple(found)


def chance(value: float) -> float:
    """Returns the chance of winning with a lead in pieces: one in two without any, 10 in 11 with four."""
    return float(value > 0) if abs(value) > WON / 2 else 1 / (1 + math.pow(10, -value / 4))


def replay(question: Question) -> tuple[Rules[Any], list[Any]]:
    """Returns a question's rules, and the positions up to now as its seat knows them."""
    game = read_game(question.game)
    rules, positions = game.rules, [game.start()]
    for action in question.actions:
        positions.append(_next(rules, positions[-1], action, question.seat))
    return rules, [rules.view(position, question.seat) for position in positions]


def _next(rules: Rules[Any], at: Any, action: str, seat: Player) -> Any:
    if action.startswith(CORRECTED):
        turn, looks = read_looks(action, rules.pieces(rules.view(at, None)))
        return rules.arrange(at, looks, turn)
    form = rules.form(at)
    if form and "?" in action:  # another's secret set-up: whichever it was, it looks the same to this seat
        return rules.view(rules.after(at, form.fill(action)), seat)
    if breaches := rules.judge(at, action):
        raise IllegalActionError(action, breaches)
    return rules.after(at, action)


def _by_chance(form: ActionForm, pattern: Action, rng: Random) -> Action:
    """Returns the action of a form, with its pieces put down by chance."""
    return pattern.replace("?", "".join(rng.sample(form.letters, len(form.sites))))
