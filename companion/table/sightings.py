"""Sightings at a table: the state of the sources, the board that held, and what follows from it.

Each function takes a step and returns it with one thing more done. A sighting goes to the tracker; a board
that held goes to the acceptance; the finding that it accepts is written, refused, or waits for the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.core.game import EMPTY, Action, Look, Place
from companion.core.players import say_player
from companion.language import say
from companion.record.head import LAID
from companion.record.opponents import opponents_in, others_in
from companion.record.session import Entry, Session, common_plies
from companion.record.task import WRONG, progress, task_in
from companion.referee import Evidence, Finding
from companion.referee.evidence.evidence import DOUBT
from companion.referee.evidence.looks import changes
from companion.referee.hypotheses.paths import grip
from companion.referee.verdict.guide import say_markers
from companion.referee.verdict.refusal import refuse_late
from companion.referee.verdict.standing import recognised, standing_in
from companion.sensing.observation import Sighting
from companion.table.acceptance import AcceptedFinding, decide
from companion.table.ledger import rewrite, tell_outcome, watch_clock, with_belief, write
from companion.table.owners import carry_into_truth, referee_of
from companion.table.policy import Policy
from companion.table.present import present_begun, present_refused
from companion.table.questions import question_after
from companion.table.refusals import (
    GIVEN_UP,
    LED,
    REFUSALS,
    announced,
    begun,
    of_long_ago,
    refusal,
    restoring,
    say_refusal,
)
from companion.table.sensor_conflicts import SensorConflicts
from companion.table.snapshot import Question, Verdict
from companion.table.state import ByHand, Effect, KeptGame, StepContext, TableState, TableStep
from companion.table.tracker import Held, Tracker
from companion.table.weighing import BoardToJudge
from companion.table.withdrawals import say_withdrawal, tell_plies
from companion.wire.events import ChoiceAsked, Restored, SetUpAsked, SourceFailed
from companion.wire.state import SourceStatus

TURNED = say("The pieces are laid from the other side of the board: it is read from there.")
"""The words for a board that is laid turned round, as where players change colours and keep their chairs."""


def see(step: TableStep, sighting: Sighting, context: StepContext) -> TableStep:
    is_turned = step.state.is_turned and step.state.game
    as_named = sighting.turned(step.state.session.game.board) if is_turned else sighting
    tracker = step.state.tracker.see(as_named, context.policy)
    step = step.to(replace(step.state, tracker=tracker, looked_at=context.steady))
    step = _show_sources(step, as_named, context.policy)
    state = step.state
    held = tracker.held(sighting.time, context.policy, state.conflicts.distrusted)
    if held is None or state.game is None:
        return watch_clock(step, context)
    is_news = held.told_apart != state.acceptance.shown
    if is_news and _is_laid_from_the_other_side(state, held, context.policy):
        return see(turn_board(step, TURNED), sighting, context)
    return watch_clock(_judge(step, held, context), context)


def turn_board(step: TableStep, notice: str = "") -> TableStep:
    """Reads the board from its other side from now on, until it is turned again."""
    state = step.state
    found = None if state.by_hand.found else state.by_hand.found  # it was found by the other names
    state = replace(
        state,
        is_turned=not state.is_turned,
        tracker=Tracker(),
        acceptance=state.acceptance.forgotten(),
        conflicts=SensorConflicts(),
        by_hand=replace(state.by_hand, found=found),
    )
    step = step.to(replace(state, verdict=None, seen={}, notice=notice, may_be_turned=False))
    return step.causing(Effect("keep_turned", (state.is_turned,)))


def _is_laid_from_the_other_side(state: TableState, held: Held, policy: Policy) -> bool:
    """Returns whether the pieces stand right, but for the board being turned round. A sensor that tells no
    colours cannot know that of a board laid as at the start: players say it. On a board that has yet to be
    laid fewer places tell it, since nothing is moved there."""
    evidence, look = Evidence(held.observation), state.session.look
    most, slips = (policy.slips, 0) if state.by_hand.is_being_set_up else (policy.many, policy.slips)
    if len(evidence.wrong_pieces(look)) <= most:
        return False
    return len(evidence.wrong_pieces(state.session.game.board.turned(look))) <= slips


def _may_be_turned(state: TableState, policy: Policy) -> bool:
    """Returns whether the board is as right turned round, and nearly right: players say how it lies."""
    evidence, look = state.acceptance.evidence, state.session.look
    if not state.session.game.board.half_turn:
        return False
    wrong = len(evidence.wrong_pieces(state.session.game.board.turned(look)))
    return wrong <= min(policy.many, len(evidence.wrong_pieces(look)))


def remove_source(step: TableStep, name: str) -> TableStep:
    """Forgets a source that is looked through no more, and what it contradicted."""
    state = step.state
    others = {other: seen for other, seen in state.tracker.sources.items() if other != name}
    return step.to(
        replace(
            state,
            sources=tuple(source for source in state.sources if source.name != name),
            tracker=Tracker(others),
            acceptance=state.acceptance.reopened(),
            conflicts=SensorConflicts(),
            seen={},
        )
    )


def ask(step: TableStep, question: Question | None) -> TableStep:
    """Opens a question, and tells it where it is a new one; None closes the one that is open."""
    state = step.state
    if question is None or question is state.question:
        return step.to(replace(state, question=question))
    asked = {**state.asked, question.by: question.id}
    step = step.to(replace(state, question=question, asked=asked))
    return step.telling(ChoiceAsked(choices=tuple(map(" ".join, question.choices))))


def give_up(step: TableStep) -> TableStep:
    """Gives up an action that is begun: what was done of it has to be put back."""
    state = step.state
    after = state.verdict.after if state.verdict else ()
    evidence, by_hand = state.acceptance.evidence, replace(state.by_hand, has_given_up=True)
    if not after:
        there = recognised(standing_in(state.session), evidence)
        by_hand = replace(by_hand, has_caught_up=False, before=there, announced=0)
    step = step.to(replace(state, by_hand=by_hand, verdict=None))
    return _await_putting_back(step, after, evidence)


def _show_sources(step: TableStep, sighting: Sighting, policy: Policy) -> TableStep:
    """Shows how the source of a sighting is, and which others are silent."""
    board = step.state.session.game.board if step.state.game else None
    step = _show_source(step, step.state.conflicts.status(sighting, board))
    for name in sorted(step.state.tracker.silent(sighting.time, policy)):
        step = _show_source(
            step, SourceStatus(name, "lost", say("a sensor is silent: nothing comes from it any more"))
        )
    return step


def _show_source(step: TableStep, status: SourceStatus) -> TableStep:
    """Shows how a source is; trouble is told once."""
    sources = {source.name: source for source in step.state.sources}
    old = sources.get(status.name)
    if old == status:
        return step
    step = step.to(replace(step.state, sources=tuple({**sources, status.name: status}.values())))
    is_trouble = status.state in ("lost", "unlearned", "trouble")
    if is_trouble and old is not None and old.words != status.words:
        step = step.telling(
            SourceFailed(event="moved" if status.state == "trouble" else "lost", words=status.words)
        )
    return step


def _judge(step: TableStep, held: Held, context: StepContext) -> TableStep:
    """Takes a board that held: follows what is accepted of it, and checks sensors and markers."""
    state = step.state
    case = BoardToJudge(
        held,
        state.kept.belief,
        state.laid_markers,
        is_restoring=state.is_waiting,
        is_being_set_up=state.by_hand.is_being_set_up,
        is_begun=state.verdict is not None and not state.is_waiting,
        referee=referee_of(state.kept, context.referee),
        policy=context.policy,
        found=state.by_hand.found or frozenset(),
    )
    decision = decide(state.acceptance, case)
    step = step.to(replace(state, acceptance=decision.acceptance, notice=decision.notice or state.notice))
    step = _note_found(step, context.policy)
    if decision.accepted:
        step = _follow(step, decision.accepted, context)
    elif state.verdict and state.verdict.kind in LED and not state.by_hand.has_caught_up:
        evidence = step.state.acceptance.evidence
        now = _left_of_entries(step, evidence)  # its steps follow the hands at once
        step = _wait(step, replace(state.verdict, steps=now.steps if now else ()), evidence)
    step = _note_set_up(step, held, context.policy)
    state = step.state
    may_be_turned = state.verdict is not None and _may_be_turned(state, context.policy)
    step = step.to(state := replace(state, may_be_turned=may_be_turned))
    if not state.acceptance.is_dealt_with or state.verdict is not None:
        return step
    if not decision.accepted and state.by_hand.has_caught_up and state.acceptance.is_clear:
        step = step.to(replace(state, tracker=state.tracker.understood()))
    return _point_out_markers(_note_conflicts(step, held, context.policy), held, context.policy)


def _note_found(step: TableStep, policy: Policy) -> TableStep:
    """Notes where the first board differs of a game that came back to the table, or after an entry by hand
    beside what that has to bring; one that differs in more places than an action would is laid anew."""
    state, by_hand = step.state, step.state.by_hand
    if by_hand.has_caught_up or by_hand.found is not None:
        return step
    found = state.acceptance.evidence.wrong_pieces(state.session.look)
    if not by_hand.is_being_set_up:
        found -= changes(by_hand.look_before, state.session.look).keys()
    found = found if len(found) <= policy.many else frozenset()
    return step.to(replace(state, by_hand=replace(state.by_hand, found=found)))


def _note_set_up(step: TableStep, held: Held, policy: Policy) -> TableStep:
    """Notes whether the pieces were set up for a new game: then play no longer waits for this one's board."""
    state, session = step.state, step.state.session
    start = session.rules.look(session.first)
    if task_in(state.kept.head):
        return step  # its board is laid from the start
    is_left = session.outcome is not None or held.duration >= policy.left_alone
    is_set_up = is_left and start != session.look and _shows_from_either_side(state, start)
    if is_set_up == state.is_set_up:
        return step
    return step.to(replace(state, is_set_up=is_set_up, verdict=None if is_set_up else state.verdict))


def _shows_from_either_side(state: TableState, look: Mapping[Place, Look]) -> bool:
    """Returns whether the board shows these looks, as it is or turned round: players change colours between
    two games."""
    evidence = state.acceptance.evidence
    return not evidence.wrong(look) or not evidence.wrong(state.session.game.board.turned(look))


def _note_conflicts(step: TableStep, held: Held, policy: Policy) -> TableStep:
    state = step.state
    if not held.alone:
        return step
    is_one_believed = state.acceptance.is_one_believed
    conflicts = state.conflicts.noted(held, state.session.look, is_one_believed, policy)
    return step.to(replace(state, conflicts=conflicts))


def _point_out_markers(step: TableStep, held: Held, policy: Policy) -> TableStep:
    """Points out, once, the markers that are missing or left over on a board that has stood still."""
    state = step.state
    if state.kept.head.get("markers") != LAID or held.duration < policy.markers:
        return step
    words = _say_wrong_markers(state.session, Evidence(held.observation))
    if words == state.marker_words:
        return step
    return step.to(replace(state, marker_words=words, notice=words))


def _laid_markers(session: Session, evidence: Evidence) -> frozenset[str]:
    """Returns the markers that are seen to lie where the game has them: when they go, the turn is over."""
    rules, position = session.rules, session.position
    return evidence.markers(rules.marks(position), rules.look(position))


def _say_wrong_markers(session: Session, evidence: Evidence) -> str:
    """Says which markers are missing or left over; '' where all lie as the game has them."""
    rules, position = session.rules, session.position
    marks, look = rules.marks(position), rules.look(position)
    return say_markers(evidence.unlaid(marks, look), evidence.strange(marks), look)


def _follow(step: TableStep, accepted: AcceptedFinding, context: StepContext) -> TableStep:
    """Does what an accepted finding asks for."""
    state, evidence = step.state, accepted.evidence
    session = state.session
    after, finding = carry_into_truth(state.kept, accepted.finding)
    accepted = accepted._replace(finding=finding)
    if finding.kind == "unclear":
        return with_belief(step, finding.belief)
    if not state.by_hand.has_caught_up and _lags(step, finding, evidence):
        return _await_entries(step, evidence)
    if finding.kind == "takeback" and finding.withdrawn > _plies_by_hand(state.kept, context.policy):
        if session.outcome:
            return step
        return _wait(step, of_long_ago(session, finding.withdrawn, evidence), evidence)
    if finding.kind in ("begun", "refused") and _goes_back(step, finding):
        return _await_putting_back(with_belief(step, finding.belief), finding.after, evidence)
    if finding.kind == "begun":
        return _begin(step, finding, evidence)
    if finding.kind == "refused":
        return _refuse(step, accepted, context)
    return _await_restoring(step, accepted, after, context) or _write_down(step, accepted, after, context)


def _await_restoring(
    step: TableStep, accepted: AcceptedFinding, after: Session, context: StepContext
) -> TableStep | None:
    """Waits for a board that has to be put right before anything can be played on it; None for others."""
    state, evidence, finding = step.state, accepted.evidence, accepted.finding
    session = state.session
    if finding.withdrawn and accepted.duration < context.policy.restoring:
        verdict = _steps_left(state.verdict, session, evidence)
        if verdict:
            acceptance = replace(state.acceptance, is_dealt_with=False)
            return _wait(step.to(replace(state, acceptance=acceptance)), verdict, evidence)
    words = _said_of_companions_turn(step, after) or _said_of_puzzle(step, after)
    verdict = restoring(session, evidence, words) if words else None
    return _wait(step, verdict, evidence) if verdict else None


def _said_of_companions_turn(step: TableStep, after: Session) -> str:
    """Says that nobody here plays a seat of the companion's, or of another table's, where hands have played
    for one; '' else."""
    head, before = step.state.kept.head, step.state.session
    opponents = others_in(head)
    common = common_plies(before, after)
    own = {ply.action for ply in before.plies[common:] if ply.player in opponents}
    for ply in after.plies[common:]:
        if ply.player in opponents and ply.action not in own:
            if ply.player not in opponents_in(head):
                return say("{player} plays at the other table: wait for that.", player=say_player(ply.player))
            return say("{player} is the companion's: wait for what it plays.", player=say_player(ply.player))
    return ""


def _said_of_puzzle(step: TableStep, after: Session) -> str:
    """Says that another turn is looked for, where hands have played one in a puzzle; '' else."""
    task = task_in(step.state.kept.head)
    is_wrong = task is not None and not step.state.session.outcome and progress(task, after) == "wrong"
    return WRONG if is_wrong else ""


def _await_entries(step: TableStep, evidence: Evidence) -> TableStep:
    """Waits for a board that lags behind entries by hand, or behind what the companion plays."""
    state = step.state
    left = _left_of_entries(step, evidence)
    if left is None and state.by_hand.announced:  # its pieces stand, whatever is seen of markers
        return step.to(replace(state, by_hand=ByHand(), verdict=None, seen={}))
    return _wait(step, left, evidence)


def _left_of_entries(step: TableStep, evidence: Evidence) -> Verdict | None:
    """Returns what is left to do on the board of entries by hand, or of what the companion plays."""
    session, by_hand = step.state.session, step.state.by_hand
    if not by_hand.announced:
        words = GIVEN_UP if by_hand.has_given_up else ""
        return restoring(session, evidence, words, by_hand.before)
    return announced(session, by_hand.announced, by_hand.before, recognised(by_hand.before, evidence))


def _lags(step: TableStep, finding: Finding, evidence: Evidence) -> bool:
    """Returns whether the board merely lags behind entries by hand: it shows what stood before them."""
    session, by_hand = step.state.session, step.state.by_hand
    before, count = by_hand.look_before, by_hand.announced
    if by_hand.is_being_set_up and by_hand.found and finding.kind == "begun" and finding.begun[0].is_put_down:
        return False  # an action that was begun before the game came back
    if count and finding.withdrawn:  # only what came before can be taken back, and nothing played instead
        is_on_the_way = evidence.wrong(session.look) <= changes(before, session.look).keys()
        return finding.kind != "takeback" or finding.withdrawn <= count or is_on_the_way
    if finding.kind in ("begun", "refused"):
        return not _is_laid(session.look, before, evidence)
    undone = [grip(session.rules, entry.text) for entry in session.undone if entry.kind == "action"]
    played = [grip(session.rules, action) for action in finding.played]  # a promotion may not show
    shows_undone = played and undone[: len(played)] == played
    if finding.kind == "takeback" or shows_undone:
        return True
    wrong = evidence.wrong(session.look)
    if (session.undone or by_hand.has_given_up) and _is_put_back(session.look, before, evidence):
        return True
    return bool(wrong & before.keys()) and wrong <= evidence.places - evidence.wrong(before)


def _is_put_back(look: Mapping[Place, Look], before: Mapping[Place, Look], evidence: Evidence) -> bool:
    """Returns whether hands are merely putting back what was taken back: each place that is wrong is as it
    was before that, or empty. Pieces in a hand may look like another action."""
    away, wrong = changes(before, look) if before else {}, evidence.wrong(look)
    return bool(wrong) and all(
        place in away and min(evidence.misfit(place, there) for there in (EMPTY, away[place][0])) <= DOUBT
        for place in wrong
    )


def _is_laid(look: Mapping[Place, Look], before: Mapping[Place, Look], evidence: Evidence) -> bool:
    """Returns whether hands have gone on from what was entered: no place is as it was before it, and what is
    wrong is not merely the laying of it."""
    if not before:
        return False  # the board is being set up
    wrong = evidence.wrong(look)
    return wrong <= evidence.wrong(before) and not wrong <= changes(before, look).keys()


def _plies_by_hand(game: KeptGame, policy: Policy) -> int:
    """Returns how many plies hands may take back. After the end of a game pieces are put away and set up
    again; a result that a player or the arbiter gave, or that has told secrets, is not taken back by hand at
    all."""
    session, task = game.session, task_in(game.head)
    if session.ruled or session.is_told:
        return 0
    if task:
        return max(0, len(session.plies) - task.begun)
    return policy.takeback_when_over if session.outcome else policy.takeback


def _steps_left(shown: Verdict | None, session: Session, evidence: Evidence) -> Verdict | None:
    """Returns the refusal that is shown with the steps left, if they are no more than before; else None."""
    now = restoring(session, evidence)
    if shown is None or now is None or shown.kind not in REFUSALS or len(now.steps) > len(shown.steps):
        return None
    return replace(shown, steps=now.steps)


def _write_down(
    step: TableStep, accepted: AcceptedFinding, after: Session, context: StepContext
) -> TableStep:
    """Writes what was found into the game, and tells it: the session that it leads to is `after`."""
    finding, before = accepted.finding, step.state.session
    made = _when_made(step, accepted, context)
    step = watch_clock(step, made)
    if step.state.session.outcome is not before.outcome:
        return step  # the flag had fallen
    was_wrong, seen = step.state.is_waiting, finding.belief.accepted
    was_announced = step.state.by_hand.announced > 0
    is_by_hand = bool(seen.log) and seen.log[-1].kind == "takeback"
    step, is_late = _refuse_late(step, accepted, context)
    was_wrong |= is_late
    step = rewrite(step, after, accepted.source, finding.certainty, made, is_by_hand)
    session = step.state.session
    played = session.plies[-len(finding.played) :] if finding.played and not finding.withdrawn else ()
    if any(ply.player != session.position.to_act for ply in played):  # another's turn has ended
        step = step.to(step.state.with_clock_from(context.steady))
    step = with_belief(step, finding.belief)
    state = step.state
    # What an action has revealed may ask for more on the board than hands could know of.
    by_hand = ByHand() if after.look == seen.look else ByHand(has_caught_up=False, before=standing_in(seen))
    step = step.to(replace(state, by_hand=by_hand, tracker=state.tracker.understood()))
    if was_wrong and not was_announced:
        step = step.telling(Restored())
    step = tell_plies(step, before, finding)
    state = step.state
    # Hands that were felt, and put nothing right, may have turned a piece over: no sensor need see that.
    timeline = accepted.evidence.timeline
    is_news = finding.kind != "same" or bool(timeline.touched and not timeline.is_restored)
    step = ask(step, question_after(state.kept.belief, state.question, state.asked, is_news))
    notice = state.notice
    if finding.kind != "same":
        notice = say_withdrawal(before, state.session) or state.acceptance.say_left_out()
    laid = _laid_markers(state.session, accepted.evidence)
    state = replace(step.state, verdict=None, notice=notice, seen={}, laid_markers=laid)
    if laid:
        state = replace(state, acceptance=state.acceptance.knowing(are_markers_laid=True))
    step = step.to(state)
    return tell_outcome(step, before)


def _when_made(step: TableStep, accepted: AcceptedFinding, context: StepContext) -> StepContext:
    """Returns the context at the time when what was played came to stand on the board. What was taken back
    sets the clocks back now: to be sure of it takes time from nobody either."""
    clock = step.state.kept.clock
    if clock is None or accepted.finding.withdrawn:
        return context
    made = context.steady - min(accepted.duration, context.policy.ahead)
    return replace(context, steady=min(context.steady, max(made, clock.since)))


def _goes_back(step: TableStep, finding: Finding) -> bool:
    """Returns whether hands are still putting back what was given up, and do nothing else that is wrong."""
    state, session = step.state, step.state.session
    if not state.by_hand.has_given_up or session.outcome:
        return False
    return finding.kind == "begun" or (
        state.verdict is not None and len(finding.steps) <= len(state.verdict.steps)
    )


def _await_putting_back(step: TableStep, after: Sequence[Action], evidence: Evidence) -> TableStep:
    """Waits until what was given up is put back; what was done before it, and is allowed, stays."""
    session = step.state.kept.belief.accepted.play(*after)
    return _wait(step, restoring(session, evidence, GIVEN_UP), evidence)


def _begin(step: TableStep, finding: Finding, evidence: Evidence) -> TableStep:
    """Says what is left of an action that is begun: no rule is broken, and nothing is written down."""
    state = step.state
    if state.session.outcome:
        return step
    verdict = begun(finding)
    step = with_belief(step, finding.belief)
    if verdict != state.verdict:
        step = step.telling(present_begun(finding))
    return _wait(step, verdict, evidence)


def _refuse(step: TableStep, accepted: AcceptedFinding, context: StepContext) -> TableStep:
    """Tells what is not allowed. A board that is being put right breaks no further rule; nor does one on
    which more is changed that is no action, as where it is cleared."""
    state, finding = step.state, accepted.finding
    session, old = state.session, state.verdict
    if session.outcome:
        return step
    if old and old.kind in REFUSALS and (len(finding.steps) <= len(old.steps) or not finding.attempt):
        return _wait(step, refusal(finding), accepted.evidence)
    step = with_belief(_tell_refused(step, finding, accepted.source, context), finding.belief)
    return _wait(step, refusal(finding), accepted.evidence)


def _refuse_late(step: TableStep, accepted: AcceptedFinding, context: StepContext) -> tuple[TableStep, bool]:
    """Tells what was not allowed on a still of which nothing was told, once it is put right; returns whether
    anything was."""
    state, finding = step.state, accepted.finding
    if finding.broken is None or state.verdict is not None:
        return step, False
    found = refuse_late(state.kept.belief, finding.broken, finding, context.policy.many)
    return (_tell_refused(step, found, accepted.source, context), True) if found else (step, False)


def _tell_refused(step: TableStep, finding: Finding, source: str, context: StepContext) -> TableStep:
    player = step.state.session.position.to_act
    step = write(step, Entry("refused", say_refusal(finding), player, source), context)
    return step.telling(present_refused(finding))


def _wait(step: TableStep, verdict: Verdict | None, evidence: Evidence) -> TableStep:
    """Lets play wait until the board is right. Without a verdict it does not wait."""
    if verdict is None:
        return step
    state = step.state
    if verdict.kind == "setup" and (state.verdict is None or state.verdict.kind != "setup"):
        step = step.telling(SetUpAsked(words=verdict.words, steps=tuple(s.words for s in verdict.steps)))
    return step.to(replace(step.state, verdict=verdict, seen=evidence.seen(state.session.look)))
