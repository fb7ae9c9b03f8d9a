"""Refusals: the finding for a board that no legal action explains."""

from __future__ import annotations

from dataclasses import replace

from companion.referee.evidence.evidence import Evidence
from companion.referee.evidence.looks import changes
from companion.referee.hypotheses.belief import Belief
from companion.referee.verdict.finding import Finding
from companion.referee.verdict.guide import guide, say_differences
from companion.referee.verdict.offence import likeliest_offence, misturned, uncleared, untimely


def refuse(belief: Belief, evidence: Evidence) -> Finding:
    """Returns the refusal of a board: the rule that was broken, and the steps that put the board right."""
    accepted = belief.accepted
    should = accepted.look
    seen = evidence.seen(should)
    drawn = accepted.rules.pieces(accepted.public_position)
    steps = guide(accepted.game.board, should, seen, drawn)
    early = untimely(accepted, seen)
    if early:
        return Finding(
            "refused",
            belief,
            attempt=early.attempt,
            breaches=early.breaches,
            steps=steps,
            reason=early.reason,
            words=early.words,
            slips=2,
        )
    undone = uncleared(accepted, seen) or misturned(accepted, seen)
    if undone:
        return Finding(
            "refused",
            belief,
            attempt=undone.attempt,
            breaches=undone.breaches,
            steps=guide(accepted.game.board, accepted.rules.look(undone.after), seen),
            reason="unfinished",
            slips=2,
        )
    offence = likeliest_offence(accepted, seen)
    first = offence.breaches[0]
    is_no_action = first.rule == "GEN-4"
    changed = changes(should, seen)
    # What an allowed action would have left there may be right as it is.
    places = [place for place in first.sites if place in changed] or sorted(changed)
    differences = say_differences(accepted.game.board.pieces, should, seen, places)
    return Finding(
        "refused",
        belief,
        attempt=offence.attempt,
        breaches=(replace(first, words=differences),) if is_no_action else offence.breaches,
        steps=steps,
        slips=len(first.sites) if is_no_action else len(steps) + 1,
        after=offence.after,
    )
