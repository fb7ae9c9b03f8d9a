"""Boards that no legal action explains: an action that is not finished yet, or one that is not allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.game import EMPTY, Action, Look, Place
from companion.language import say, sentences
from companion.record.session import Session
from companion.referee.evidence.evidence import Evidence
from companion.referee.evidence.looks import changes
from companion.referee.hypotheses.belief import Belief
from companion.referee.hypotheses.paths import path_of
from companion.referee.verdict.answered import answered
from companion.referee.verdict.beginning import Beginning, beginnings, say_begun, what_is_left
from companion.referee.verdict.finding import Finding
from companion.referee.verdict.guide import GuideStep, say_differences, with_kinds
from companion.referee.verdict.offence import Offence, find_doubled, find_untimely, likeliest_offence
from companion.referee.verdict.standing import Standing, recognised, standing_in, steps_to

PUT_DOWN = 2
"""The slips of a board on which something was put down: it is no piece that is merely in a hand."""


def begun(belief: Belief, evidence: Evidence) -> Finding | None:
    """Returns the finding of an action that is not finished yet, be it answered or not; None where the board
    is the beginning of none."""
    found, since = beginnings(belief, evidence), ""
    if not found:
        found = answered(belief, evidence)
        since = say("What was done since counts once this is finished.")
    if not found:
        return None
    actions = {beginning.action for beginning in found}
    before = belief.accepted.play(*found[0].done)
    return Finding(
        "begun",
        belief,
        attempt=found[0].action if len(actions) == 1 else "",
        steps=what_is_left(found)
        if found[0].is_put_down
        else steps_to(before, recognised(standing_in(before), evidence)),
        words=sentences(say_begun(before, evidence, found), since),
        slips=PUT_DOWN if found[0].is_put_down else 0,
        after=found[0].done,
        begun=found,
    )


def not_exchanged(finding: Finding, belief: Belief, evidence: Evidence) -> Finding | None:
    """Returns the finding of an action whose piece has come to its place and has still to become another one,
    as a sensor tells by its kind; None where it has, or where play has gone on."""
    session = finding.belief.accepted
    if finding.kind != "played" or not evidence.kinds:
        return None
    action = session.plies[-1].action
    path = path_of(session.rules, action)
    before, now = (session.rules.pieces(position) for position in session.positions()[-2:])
    if not path or not before.get(path[0]) == evidence.kinds.get(path[-1], EMPTY) != now.get(path[-1]):
        return None
    place = path[-1]
    words = session.game.board.called(say("The piece on {place} becomes another one.", place=place))
    step = GuideStep(place, place, session.look[place], say("Exchange the piece on {place}.", place=place))
    started = Beginning(action, (step,), done=finding.played[:-1], is_put_down=True)
    return Finding("begun", belief, steps=(step,), words=words, after=started.done, begun=(started,))


def _steps_of_two(session: Session, twice: Offence, there: Standing) -> tuple[GuideStep, ...]:
    """Returns the steps back from two actions: with the first of them one of the two is left, and allowed."""
    once = session.play(twice.after[0])
    return (*steps_to(once, there), *steps_to(session, standing_in(once)))


def refuse_late(belief: Belief, board: Evidence, finding: Finding, many: int) -> Finding | None:
    """Returns the refusal of a still of which nothing was told, as it might have been misread, and which was
    put right by what was found since.

    None where it was the beginning of an action, unless hands would have held a piece, which they do not on
    a still, and have not done it since; nor where more than so many places were wrong: something hid it.
    """
    found = beginnings(belief, board)
    is_begun = any(not begun.is_in_hand or begun.action in finding.played for begun in found)
    is_covered = len(board.wrong(belief.accepted.look)) > many
    return None if is_begun or is_covered or answered(belief, board) else refuse(belief, board)


def _as_attempted(session: Session, attempt: Action, there: Standing) -> Standing:
    """Returns what stands on a board after an attempt: the piece that it carries is where it ends."""
    before, path = standing_in(session), path_of(session.rules, attempt) if attempt else ()
    if len(path) < 2 or path[0] not in before.looks or before.looks[path[0]] != there.looks.get(path[-1]):
        return there
    return Standing(there.looks, {**there.pieces, path[-1]: before.pieces[path[0]]})


def _is_put_down(should: Mapping[Place, Look], seen: Mapping[Place, Look]) -> bool:
    """Returns whether anything stands where it should not: else pieces are merely lifted."""
    return any(should.get(place, EMPTY) != look for place, look in seen.items())


def refuse(belief: Belief, evidence: Evidence) -> Finding:
    """Returns the refusal of a board: the rule that was broken, and the steps that put the board right."""
    accepted = belief.accepted
    stands = standing_in(accepted)
    there = recognised(stands, evidence)
    should, seen, steps = stands.looks, there.looks, steps_to(accepted, there)
    early = find_untimely(accepted, seen)
    if early:
        return Finding(
            "refused",
            belief,
            attempt=early.attempt,
            breaches=early.breaches,
            steps=steps,
            reason="turn",
            words=early.breaches[0].words,
            slips=len(steps) + _is_put_down(should, seen),
        )
    twice = find_doubled(accepted, seen)
    if twice:
        steps = _steps_of_two(accepted, twice, there)
    offence = twice or likeliest_offence(accepted, seen)
    if not offence.after:
        steps = steps_to(accepted, _as_attempted(accepted, offence.attempt, there))
    first = offence.breaches[0]
    is_no_action = first.rule == "GEN-4"
    changed = changes(should, seen)
    if offence.after and not twice:  # what was allowed may stand
        once = accepted.play(offence.after[0])
        stands = standing_in(once)
        there = recognised(stands, evidence)
        should, seen, steps = stands.looks, there.looks, steps_to(once, there)
        changed = changes(should, seen)
    # What an allowed action would have left there may be right as it is.
    places = [place for place in first.sites if place in changed] or sorted(changed)
    differences = say_differences(accepted.game.board, with_kinds(*stands), with_kinds(*there), places)
    return Finding(
        "refused",
        belief,
        attempt=offence.attempt,
        breaches=(replace(first, words=differences),) if is_no_action else offence.breaches,
        steps=steps,
        slips=len(first.sites) if is_no_action else len(steps) + _is_put_down(should, seen),
        after=offence.after,
    )
