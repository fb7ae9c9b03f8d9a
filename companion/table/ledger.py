"""The game that is kept, and its lines on disk: every change of the session is an entry of its log.

Each function takes a step and returns it with one thing more done: the new session in the state, and the
effect that stores its last entry. The desk carries the effects out before the state is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from random import Random

from companion.core.game import Action, Player
from companion.games.text import split
from companion.record.clock import parse_control
from companion.record.record import Record
from companion.record.session import ANSWER, ASIDES, DEALT, REFEREE, Entry, Ply, Session, begin, common_plies
from companion.record.timekeeping import clock_of, keep_time, run_on, turns_over
from companion.referee import Belief
from companion.store.store import result_word
from companion.table.state import AppendEntry, Context, KeptGame, PutOn, Step


def new_record(text: str, head: Mapping[str, str], now: float, rng: Random) -> Record:
    """Returns the record of a game that begins: with the actions of its text, and whatever chance deals.

    Raises GameError for a text or a time control that cannot be read.
    """
    game, actions = split(text)
    if "clock" in head:
        parse_control(head["clock"])
    session = begin(game)
    for action in actions:
        session = session.apply(Entry("action", action, source="text", time=now))
    while dealt := session.rules.deal(session.position, game.options, rng):
        session = session.apply(Entry("action", dealt, source=DEALT, time=now))
    return Record(game, session.log, head)


def put_on(step: Step, number: int, head: Mapping[str, str], belief: Belief, context: Context) -> Step:
    """Puts a game on the table."""
    clock = clock_of(belief.accepted, head, context.steady)
    game = KeptGame(number, dict(head), belief, clock)
    return _cleared(step, game).causing(PutOn(number))


def clear(step: Step) -> Step:
    """Clears the table; the game stays stored."""
    return _cleared(step, None).causing(PutOn(None))


def write(
    step: Step, entry: Entry, context: Context, is_rewritten: bool = False, is_bonus_due: bool = True
) -> Step:
    """Adds a line to the log.

    `is_rewritten`: it corrects what was accepted before, and takes no time of its own. `is_bonus_due`: a turn
    that it ends brings the bonus of its clock.
    """
    game = step.state.kept
    before, clock = game.session, game.clock
    after = before.apply(replace(entry, time=context.wall))
    if clock and is_rewritten:
        clock = run_on(clock, before, after, context.steady, is_bonus_due)
    elif clock:
        clock, after = keep_time(clock, before, after, context.steady, is_bonus_due)
    plies, result = len(after.plies), result_word(after.outcome)
    stored = AppendEntry(game.number, len(after.log) - 1, after.log[-1], plies, result)
    # Words beside the board leave open what else may have been played.
    belief = replace(game.belief, accepted=after) if entry.kind in ASIDES else Belief(after)
    return step.to(replace(step.state, game=replace(game, belief=belief, clock=clock))).causing(stored)


def rewrite(step: Step, belief: Belief, source: str, certainty: float, context: Context) -> Step:
    """Writes the entries that lead to what is believed now: a takeback, then actions. A draw that was offered
    stays offered, whatever a player answers."""
    before, after = step.state.session, belief.accepted
    common = common_plies(before, after)
    gone, played = before.plies[common:], after.actions[common:]
    is_taken_back_by_hand = source != ANSWER and bool(after.log) and after.log[-1].kind == "takeback"
    is_rewritten = bool(played) and not is_taken_back_by_hand
    if gone:
        by = "" if is_taken_back_by_hand else REFEREE
        step = write(step, Entry("takeback", str(len(gone)), by, source), context, is_rewritten)
    paid = _turns_ended(before, common) if is_rewritten else Counter[Player]()
    for action, old in _paired(played, gone if is_rewritten else ()):
        session = step.state.session
        player, turn = session.position.to_act, session.position.turn
        # An action in the place of another one was played when that was: it keeps its time.
        left = old.entry.clock if old and old.player == player else None
        entry = Entry("action", action, player, source, round(certainty, 4), clock=left)
        step = write(step, entry, context, left is not None, is_bonus_due=not paid[turn])
        paid -= _turns_ended(step.state.session, len(step.state.session.plies) - 1)
    session = step.state.session
    if source == ANSWER and before.offer != session.offer and not session.outcome:
        step = write(step, Entry("offer", "", before.offer, source), context)
    return with_belief(step, belief)


def with_belief(step: Step, belief: Belief) -> Step:
    """Returns the step with these rivals of the session that is written."""
    game = step.state.kept
    belief = replace(belief, accepted=game.session)
    return step.to(replace(step.state, game=replace(game, belief=belief)))


def watch_clock(step: Step, context: Context) -> Step:
    """Ends the game of a player whose time is up; with more than two players the arbiter is told."""
    game = step.state.game
    if game is None or game.clock is None or game.session.outcome:
        return step
    player, before = game.clock.fallen(context.steady), game.session
    if not player:
        return step
    if len(before.rules.playing(before.position)) != 2:
        notice = f"{player.capitalize()}'s time is up: the arbiter rules."
        return step.to(replace(step.state, notice=notice))
    step = write(step, Entry("flag", "", player, "clock"), context)
    step = step.to(replace(step.state, question=None))
    return tell_outcome(step, before)


def tell_outcome(step: Step, before: Session) -> Step:
    """Tells how the game ended, where it did since `before`."""
    outcome = step.state.session.outcome
    if outcome is None or before.outcome:
        return step
    return step.telling("over", winner=outcome.winner, reason=outcome.reason)


def _cleared(step: Step, game: KeptGame | None) -> Step:
    """Returns the table with another game: nothing of the last one is shown."""
    state = replace(step.state, game=game, verdict=None, question=None, notice="", seen={}, picture=None)
    return step.to(state)


def _paired(played: tuple[Action, ...], gone: tuple[Ply, ...]) -> Iterator[tuple[Action, Ply | None]]:
    """Returns each action with the ply in whose place it comes."""
    return ((action, old) for action, old in zip_longest(played, gone) if action)


def _turns_ended(session: Session, known: int) -> Counter[Player]:
    """Returns whose turns were over since so many plies, and how often."""
    return Counter(player for player, _ in turns_over(session, known))
