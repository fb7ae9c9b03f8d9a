"""The step of a table: a state and a message make the next state, effects to carry out, and events to tell.

`take` is a pure function of what it is handed: it reads no clock and no disk, and the state that it is given
stays as it was. A message that cannot be carried out raises a GameError in words. What people enter is done
here, what sensors see in `sightings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from companion.core.game import IllegalActionError, Player
from companion.core.players import say_player
from companion.language import say
from companion.record.clock import Clock, Times
from companion.record.head import HEAD, change_head, tidy_names
from companion.record.knowledge import carry_out, known_to
from companion.record.opponents import COMPANION, ELSEWHERE, others_in, seats_elsewhere
from companion.record.session import ANSWER, ARBITER, ASIDES, PUZZLE, Entry, Session, SessionError
from companion.record.task import WRONG_ENTERED, may_take_back, progress, task_in
from companion.record.timekeeping import change_of_run, change_of_time
from companion.referee.hypotheses.choices import Choice, keep_answered
from companion.referee.hypotheses.hidden_alternatives import guessed_alternatives
from companion.referee.verdict.standing import standing_in
from companion.table import messages as m
from companion.table.ledger import (
    clear,
    keep_clock,
    proposal_of,
    put_on,
    rewrite,
    tell_outcome,
    watch_clock,
    with_belief,
    write,
)
from companion.table.owners import ask_owners, check_named, find_asked_alone, retell
from companion.table.questions import check_answer, next_question, stands
from companion.table.refusals import announced as announced_now
from companion.table.refusals import is_begun
from companion.table.sightings import ask, give_up, remove_source, see, turn_board
from companion.table.state import ByHand, StepContext, TableState, TableStep
from companion.table.tracker import Tracker
from companion.table.withdrawals import with_replies
from companion.wire.state import SourceStatus

SEES = ("ok", "hand", "moving", "learning")
"""The states of a source that sees the board, or soon will."""
REOPENING = ("takeback", "redo", "correction")
"""The kinds of entries after which a game that is over may go on."""

IN_TIME = ("action", "accept", "claim")
"""The kinds of entries for which it is too late once the flag has fallen."""


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """A game that is in the store begins, or goes on."""

    number: int
    session: Session
    head: Mapping[str, str]
    times: Mapping[Player, Times] | None = None
    """What the clock of one that goes on showed last."""


Input: TypeAlias = m.Message | SeatedGame
"""A message. NewGame, BeginProposed and OpenGame come as what the store made of them."""


def take(state: TableState, message: Input, context: StepContext) -> TableStep:
    """Returns what a message leads to."""
    if isinstance(message, m.Propose):  # the game that is on has nothing to do with it
        proposal = proposal_of(message.text, message.head) if message.text else None
        return TableStep(replace(state, proposal=proposal))
    if isinstance(message, m.Report):
        return TableStep(_reported(state, message))
    if isinstance(message, m.Removed):
        return remove_source(TableStep(state), message.name)
    step = _solved(ask_owners(_taken(TableStep(state), message, context), state), context)
    return keep_clock(step.to(step.state.with_clock_paused(context.steady)), context)


def what_was_meant(meant: m.Meant, state: TableState) -> m.Message:
    """Returns a message that was meant for the game and the moment of a state. SessionError for another."""
    game = state.game
    if meant.number is not None and meant.number != (game.number if game else 0):
        raise SessionError(say("another game is on: this was meant for an earlier one"))
    if meant.plies is not None and meant.plies != (len(game.session.plies) if game else 0):
        raise SessionError(say("the game went on meanwhile: see how it stands, and do it again"))
    return meant.message


def _taken(step: TableStep, message: Input, context: StepContext) -> TableStep:
    match message:
        case m.SightingArrived(sighting):
            return see(step, sighting, context)
        case m.Tick():
            return watch_clock(step, context)
        case SeatedGame(number, session, head, None):
            return _begun_anew(put_on(step, number, head, session, context), is_laid=bool(session.log))
        case SeatedGame(number, session, head, times):
            known = known_to(None, session)
            rivals = () if session.outcome else tuple(guessed_alternatives(known))
            step = _begun_anew(put_on(step, number, head, session, context, rivals, times))
            return _ask_next(step)
        case m.CloseGame():
            return _begun_anew(clear(step))
        case m.Answer():
            return _answer(step, message, context)
        case m.EndTurn(by):
            return _end_turn(step, by)
        case m.Believe():
            return _believe(step)
        case m.ChangeHead(head):
            return _change_head(step, head, context)
        case _:
            return _do_by_hand(step, message, context)


def _solved(step: TableStep, context: StepContext) -> TableStep:
    """Ends the game in which a puzzle is solved, once nothing is open about its turn."""
    game = step.state.game
    task = task_in(game.head) if game else None
    if game is None or task is None or step.state.verdict or step.state.question:
        return step
    session = game.session
    if session.outcome or progress(task, session) != "solved":
        return step
    solver = session.positions()[task.begun].to_act
    return tell_outcome(write(step, Entry("result", solver, "", PUZZLE), context), session)


def _reported(state: TableState, report: m.Report) -> TableState:
    """Returns the state with how something beside the table is: shown among the sources while it is away."""
    others = tuple(source for source in state.sources if source.name != report.name)
    how = "trouble" if report.is_needed else "away"
    away = (SourceStatus(report.name, how, report.words),) if report.words else ()
    return replace(state, sources=others + away)


def _begun_anew(step: TableStep, is_laid: bool = True) -> TableStep:
    """Forgets what is known of boards and hands: another game is on the table. Where its pieces have yet to
    be laid, what stands there is no action that was begun."""
    state = step.state
    by_hand = ByHand(has_caught_up=False, found=None if is_laid else frozenset())
    return step.to(
        replace(state, by_hand=by_hand, acceptance=state.acceptance.forgotten(), tracker=Tracker())
    )


def _ask_next(step: TableStep) -> TableStep:
    return ask(step, next_question(step.state.kept.belief, step.state.asked))


def _answer(step: TableStep, answer: m.Answer, context: StepContext) -> TableStep:
    """Takes a player's choice: of what all may know of, or of what only its player does."""
    state = step.state
    if player := find_asked_alone(state, answer):
        return _retell(step, player, answer.choice, context)
    check_answer(state.question, answer.question, answer.choice, answer.by)
    game = state.kept
    belief = keep_answered(game.belief, answer.choice)
    after = carry_out(game.session, game.belief.accepted, belief.accepted)
    if after is None:
        raise SessionError(say("that cannot have been: choose another one"))
    return _ask_next(with_belief(rewrite(step, after, ANSWER, 1.0, context), belief))


def _retell(step: TableStep, player: Player, choice: Choice, context: StepContext) -> TableStep:
    """Writes what an owner of secrets says of an action; nothing changes for others where it is as it was."""
    game = step.state.kept
    after, belief = retell(game, player, choice)
    told = {**game.told, player: game.told.get(player, 0) + len(choice)}
    step = step.to(replace(step.state, game=replace(game, told=told)))
    if after is game.session:
        return step
    step = with_belief(rewrite(step, after, ANSWER, 1.0, context), belief)
    question = step.state.question
    return step if question and stands(question, step.state.kept.belief) else _ask_next(step)


def _do_by_hand(step: TableStep, message: m.Message, context: StepContext) -> TableStep:
    """Does what a person enters. What is begun on the board is taken back before what the game has."""
    match message:
        case m.TakeBack(count, by) if count and is_begun(step.state, step.state.session, by):
            step = give_up(step)
            if count == 1:
                return step
            message = m.TakeBack(count - 1, by)
        case m.TurnBoard():
            if not (step.state.verdict and step.state.may_be_turned):
                raise SessionError(say("the board does not look as if it lay turned round"))
            return turn_board(step)
    return _enter(step, _entry_of(step.state, message, context), context)


def _enter(step: TableStep, entry: Entry, context: StepContext) -> TableStep:
    """Writes what a person entered; the board has to catch up with it, unless it changes nothing there."""
    if entry.kind in IN_TIME:
        step = watch_clock(step, context)
    session, by_hand = step.state.session, step.state.by_hand
    if entry.kind in REOPENING and session.is_told:
        raise SessionError(say("the game is over, and all that was hidden is shown: its result stands"))
    _check_table(step.state, entry)
    if entry.kind == "correction":
        check_named(session, entry)
    if entry.kind == "action" and (breaches := session.reasons(entry.text, entry.by)):
        [written] = session.write(entry.text)
        raise IllegalActionError(written, breaches)
    task = task_in(step.state.kept.head)
    if task and entry.kind in ("action", "redo") and progress(task, session.apply(entry)) == "wrong":
        raise SessionError(WRONG_ENTERED)
    clock = step.state.kept.clock
    if entry.kind == "clock" and clock and clock.flags:
        step = step.to(replace(step.state, notice=""))  # it was that a flag fell
    step = _write_at_its_time(step, entry, context)
    if entry.kind in ASIDES:
        return step
    before = standing_in(session) if by_hand.has_caught_up else by_hand.before
    is_announced = entry.kind == "action" and entry.source in (COMPANION, ELSEWHERE)
    announced = by_hand.announced + 1 if is_announced else 0
    state = replace(
        step.state,
        by_hand=ByHand(has_caught_up=False, before=before, announced=announced),
        tracker=step.state.tracker.understood(),
        acceptance=step.state.acceptance.reopened(),
    )
    state = replace(state, verdict=None, question=None, notice="", seen={})
    if is_announced and any(source.state in SEES for source in state.sources):
        state = replace(state, verdict=announced_now(state.session, announced, before, before))
    step = step.to(state)
    # Whose time is up has none more in another position: the game is not on again for a moment.
    return watch_clock(step, context) if entry.kind == "correction" else step


def _check_table(state: TableState, entry: Entry) -> None:
    """Raises SessionError for what the players at another table do there, where it is done here."""
    away = seats_elsewhere(state.kept.head)
    if not away or entry.source == ELSEWHERE:
        return
    if entry.kind == "correction":
        raise SessionError(say("a game at two tables is not corrected at one of them: take back instead"))
    if entry.kind == "takeback" and state.session.ruled:
        raise SessionError(say("the result of a game at two tables stands"))
    owner = state.session.position.to_act if entry.kind in ("action", "redo") else entry.by
    if owner in away and not state.session.outcome:
        raise SessionError(say("{player} plays at the other table", player=say_player(owner)))


def _write_at_its_time(step: TableStep, entry: Entry, context: StepContext) -> TableStep:
    """Writes an entry. Where another table's clock says what it left its player, that is so here too."""
    if entry.source != ELSEWHERE or entry.clock is None:
        return write(step, entry, context)
    step = write(step, entry, context, is_rewritten=True)
    game = step.state.kept
    if game.clock is None:
        return step
    clock = game.clock.give(entry.by, entry.clock, context.steady)
    return step.to(replace(step.state, game=replace(game, clock=clock)))


def _entry_of(state: TableState, message: m.Message, context: StepContext) -> Entry:
    """Returns the log's line for what a person entered. SessionError where that is not possible now."""
    match message:
        case m.FromElsewhere(told, left):
            return replace(m.entry_of(told, state.session), source=ELSEWHERE, clock=left)
        case m.ChangeTime(player, seconds, is_set):
            return change_of_time(_clock(state), player, seconds, is_set, context.steady)
        case m.StopClock(is_stopped):
            return change_of_run(_clock(state), state.session, is_stopped, context.steady)
        case m.TakeBack(count) if not may_take_back(task_in(state.kept.head), state.session, count):
            raise SessionError(say("there is nothing to take back"))
        case m.TakeBack(count, by) if count and not state.session.ruled:
            message = m.TakeBack(with_replies(state.session, others_in(state.kept.head), count), by)
    return m.entry_of(message, state.session)


def _clock(state: TableState) -> Clock:
    clock = state.kept.clock
    if clock is None:
        raise SessionError(say("this game has no clock"))
    return clock


def _change_head(step: TableStep, head: Mapping[str, str], context: StepContext) -> TableStep:
    """Writes what the arbiter tells of the game, a line for each that is new."""
    for key, value in tidy_names(head).items():
        text = f"{key}={value}"
        if change_head(step.state.kept.head, text) != step.state.kept.head:
            step = write(step, Entry(HEAD, text, ARBITER, "tablet"), context)
    return step


def _end_turn(step: TableStep, by: Player) -> TableStep:
    """Lets the board be judged anew, as that after a whole turn."""
    state = step.state
    turn = state.session.position.turn
    if state.session.outcome:
        raise SessionError(say("the game is over"))
    last = state.session.plies[-1].player if state.session.plies else ""
    if by == last != turn:  # the board was read before the press: what stands is the whole turn
        belief = replace(state.kept.belief, settled=len(state.session.plies))
        return step.to(replace(state, game=replace(state.kept, belief=belief)))
    if by not in ("", ARBITER, turn):
        raise SessionError(say("it is {player}'s turn", player=say_player(turn)))
    return step.to(replace(state, acceptance=state.acceptance.ended(turn)))


def _believe(step: TableStep) -> TableStep:
    """Takes the board for right: whatever speaks against the game is misread."""
    state = step.state
    session, acceptance = state.session, state.acceptance
    if state.verdict:
        acceptance = acceptance.believed(session)
    return step.to(replace(state, acceptance=acceptance, verdict=None, notice=acceptance.say_left_out()))
