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
from companion.core.players import say_player
from companion.games.text import split
from companion.language import say
from companion.record.clock import Times, parse_controls
from companion.record.head import HEAD, PAIRING, change_head
from companion.record.knowledge import known_to
from companion.record.opponents import seats_elsewhere
from companion.record.record import Record
from companion.record.session import ANSWER, ASIDES, DEALT, REFEREE, Entry, Ply, Session, begin, common_plies
from companion.record.timekeeping import clock_of, keep_time, left_by, run_on, turns_over
from companion.referee import Belief
from companion.referee.hypotheses.belief import Weighed
from companion.store.store import result_word
from companion.table.owners import belief_of_all, last_turns
from companion.table.snapshot import Proposal
from companion.table.state import Effect, KeptGame, StepContext, TableStep
from companion.wire.events import GameOver


def new_record(text: str, head: Mapping[str, str], now: float, rng: Random) -> Record:
    """Returns the record of a game that begins: with the actions of its text, and whatever chance deals.

    Raises GameError for a text or a time control that cannot be read.
    """
    game, actions = split(text)
    session = begin(game)
    if "clock" in head:
        parse_controls(head["clock"], session.players)
    for action in actions:
        session = session.apply(Entry("action", action, source="text", time=now))
    while dealt := session.rules.deal(session.position, game.options, rng):
        session = session.apply(Entry("action", dealt, source=DEALT, time=now))
    return Record(game, session.log, head)


def proposal_of(text: str, head: Mapping[str, str]) -> Proposal:
    """Returns the game of a round as a table proposes it.

    Raises GameError for a text or a time control with which none could begin.
    """
    game, _ = split(text)
    players = begin(game).players
    if "clock" in head:
        parse_controls(head["clock"], players)
    return Proposal(text, dict(head), game.rules.title, players)


def put_on(
    step: TableStep,
    number: int,
    head: Mapping[str, str],
    session: Session,
    context: StepContext,
    rivals: tuple[Weighed, ...] = (),
    times: Mapping[Player, Times] | None = None,
) -> TableStep:
    """Puts a game on the table; `rivals` are of the session as all know it, `times` what its clock showed."""
    clock = clock_of(session, head, context.steady, times)
    belief = Belief(known_to(None, session))
    game = KeptGame(number, dict(head), session, belief, clock, last_turns(session))
    step = _cleared(step, game).causing(Effect("put_on", (number,)))
    return with_belief(step, replace(belief, rivals=rivals))


def clear(step: TableStep) -> TableStep:
    """Clears the table; the game stays stored."""
    return _cleared(step, None).causing(Effect("put_on", (None,)))


def write(
    step: TableStep, entry: Entry, context: StepContext, is_rewritten: bool = False, is_bonus_due: bool = True
) -> TableStep:
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
    known = known_to(None, after)
    # Words beside the board leave open what else may have been played.
    belief = replace(game.belief, accepted=known) if entry.kind in ASIDES else Belief(known)
    head = change_head(game.head, entry.text) if entry.kind == HEAD else game.head
    game = replace(game, session=after, belief=belief, clock=clock, head=head)
    step = step.to(replace(step.state, game=game))
    return step.causing(Effect("append", (game.number, len(after.log) - 1, after.log[-1], plies, result)))


def rewrite(
    step: TableStep,
    after: Session,
    source: str,
    certainty: float,
    context: StepContext,
    is_by_hand: bool = False,
) -> TableStep:
    """Writes the entries that lead to another session: a takeback, then actions. A draw that was offered
    stays offered, whatever a player answers. `is_by_hand`: hands have taken back what goes."""
    before = step.state.session
    common = common_plies(before, after)
    gone, played = before.plies[common:], after.actions[common:]
    is_rewritten = bool(played) and not is_by_hand
    if gone:
        by = "" if is_by_hand else REFEREE
        step = write(step, Entry("takeback", str(len(gone)), by, source), context, is_rewritten)
    paid = _turns_ended(before, common) if is_rewritten else Counter[Player]()
    for action, old in _paired(played, gone if is_rewritten else ()):
        session = step.state.session
        player, turn = session.position.to_act, session.position.turn
        # An action in the place of another one was played when that was: it keeps its time.
        left = left_by(before, old) if old and old.player == player else None
        entry = Entry("action", action, player, source, round(certainty, 4), clock=left)
        if source == ANSWER and old and old.action == action:
            entry = replace(old.entry, clock=left)  # the answer was about another action
        step = write(step, entry, context, left is not None, is_bonus_due=not paid[turn])
        paid -= _turns_ended(step.state.session, len(step.state.session.plies) - 1)
    session = step.state.session
    if source == ANSWER and before.offer != session.offer and not session.outcome:
        step = write(step, Entry("offer", "", before.offer, source), context)
    return step


def with_belief(step: TableStep, belief: Belief) -> TableStep:
    """Returns the step with what is believed beside the session that is written."""
    game = step.state.kept
    known = game.belief.accepted
    if game.has_secrets:
        belief = belief_of_all(belief, known)
    elif belief.accepted.first is not known.first:
        belief = Belief(known)  # all that was believed was of secrets, and these are told now
    return step.to(replace(step.state, game=replace(game, belief=replace(belief, accepted=known))))


def keep_clock(step: TableStep, context: StepContext) -> TableStep:
    """Has the store keep what the clock shows: with each line of the log, and now and then while it runs.

    A table that loses its power gives a player no more back than what has passed since.
    """
    game = step.state.game
    if game is None or game.clock is None:
        return step
    is_written = any(effect.act == "append" for effect in step.effects)
    is_running = game.clock.runs and not game.clock.paused
    if not is_written and not (is_running and context.steady - game.clock_kept >= context.policy.clock_kept):
        return step
    step = step.to(replace(step.state, game=replace(game, clock_kept=context.steady)))
    times = game.clock.times(context.steady)
    return step.causing(Effect("keep_times", (game.number, len(game.session.log), times)))


def watch_clock(step: TableStep, context: StepContext) -> TableStep:
    """Ends the game of a player whose time is up; with more than two players the arbiter is told."""
    game = step.state.game
    if game is None or game.clock is None or game.session.outcome:
        return step
    player, before = game.clock.fallen(context.steady), game.session
    if not player or player in seats_elsewhere(game.head):
        return step
    if step.state.may_show_more(game.clock.overdue(context.steady), context.steady, context.policy):
        return step  # what stood on the board before the flag fell was played in time
    if len(before.rules.playing(before.position)) != 2:
        notice = say("{player}'s time is up: the arbiter rules.", player=say_player(player))
        game = replace(game, clock=game.clock.drop_flag(context.steady))
        return step.to(replace(step.state, game=game, notice=notice))
    step = write(step, Entry("flag", "", player, "clock"), context)
    step = step.to(replace(step.state, question=None))
    return tell_outcome(step, before)


def tell_outcome(step: TableStep, before: Session) -> TableStep:
    """Tells how the game ended, where it did since `before`."""
    outcome = step.state.session.outcome
    if outcome is None or before.outcome:
        return step
    return step.telling(GameOver(winner=outcome.winner, reason=outcome.reason))


def _cleared(step: TableStep, game: KeptGame | None) -> TableStep:
    """Returns the table with another game: nothing of the last one is shown. A proposal that it was begun
    for is one no more."""
    proposal = step.state.proposal
    if proposal and game and proposal.pairing == game.head.get(PAIRING):
        proposal = None
    state = replace(step.state, game=game, verdict=None, question=None, notice="", seen={})
    return step.to(replace(state, proposal=proposal, is_set_up=False))


def _paired(played: tuple[Action, ...], gone: tuple[Ply, ...]) -> Iterator[tuple[Action, Ply | None]]:
    """Returns each action with the ply in whose place it comes."""
    return ((action, old) for action, old in zip_longest(played, gone) if action)


def _turns_ended(session: Session, known: int) -> Counter[Player]:
    """Returns whose turns were over since so many plies, and how often."""
    return Counter(player for player, _ in turns_over(session, known))
