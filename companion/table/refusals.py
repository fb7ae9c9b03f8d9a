"""Refusals on display: the reason why play waits, in words, and the steps that put the board right."""

from __future__ import annotations

import re
from typing import Literal

from companion.core.game import Player
from companion.core.players import say_player
from companion.language import say, say_count, sentences
from companion.record.session import Session
from companion.referee import Evidence, Finding
from companion.referee.evidence.looks import bare_looks, changes
from companion.referee.verdict.guide import guide
from companion.referee.verdict.standing import Standing, recognised, standing_in, steps_to
from companion.table.snapshot import Shown, Verdict

REFUSALS = ("refused", "turn")
BEGUN: Literal["unfinished"] = "unfinished"
"""The kind of verdict that says what is left of an action: play goes on."""
ANNOUNCED: Literal["announced"] = "announced"
"""The kind of verdict that says what the companion plays: a player does it on the board."""
LED = (ANNOUNCED, "setup", "restore")
"""The kinds of verdicts that lead hands to a board which the game has and the table has not."""
RULES_NAMED = re.compile(r"(?:^|\()([A-Z]{2,3}-[0-9]+(?:, [A-Z]{2,3}-[0-9]+)*)\)?$")
"""The rules at the end of what was refused, or all that is known of it."""
RESTORE = say("Put the board as the game has it.")
GIVEN_UP = sentences(say("That was not finished, and does not count."), RESTORE)


def refusal(finding: Finding) -> Verdict:
    """Returns why a finding is not allowed, as it is shown."""
    words = finding.words or say_refusal(finding)
    return Verdict(finding.reason, words, finding.attempt, finding.breaches, finding.steps, finding.after)


def begun(finding: Finding) -> Verdict:
    """Returns what is left of an action that is begun, as it is shown."""
    first = finding.begun[0]
    action = finding.attempt if first.is_put_down else ""  # what is merely lifted may go back
    return Verdict(BEGUN, finding.words, action, steps=finding.steps, after=finding.after, then=first.then)


def is_begun(shown: Shown, session: Session, by: Player = "") -> bool:
    """Returns whether who takes back means an action that is begun on the board, and not one that the game
    has: hands are at something else than what was played last. `by` is who; '' for anybody."""
    if shown.verdict is None or shown.verdict.kind != BEGUN or session.ruled:
        return False
    if session.plies and by == session.plies[-1].player != session.position.to_act:
        return False  # their own action is that
    look, last = session.look, session.positions()[-2:][0]
    return not changes(look, shown.seen).keys() <= changes(session.rules.look(last), look).keys()


def say_refusal(finding: Finding) -> str:
    """Names what was refused, for the log: `a2-a5 (TR-3)`, `a2-a3 b2-b3 (TR-1)` if the first was allowed,
    `Ra1-h8 (CH-2)` as players write it."""
    rules = ", ".join(b.rule for b in finding.breaches)
    if not finding.attempt:
        return rules
    written = finding.belief.accepted.write(*finding.after, finding.attempt)
    return f"{' '.join(written)} ({rules})"


def rules_refused(text: str) -> tuple[str, ...]:
    """Returns the numbers of the rules in what `say_refusal` wrote; () for other words."""
    named = RULES_NAMED.search(text)
    return tuple(named[1].split(", ")) if named else ()


def restoring(
    session: Session, evidence: Evidence, words: str = "", before: Standing | None = None
) -> Verdict | None:
    """Returns the steps that put the board as the game has it; None where none are needed. `before` is what
    stood on it before that: nothing where it has yet to be set up."""
    should, is_being_set_up = standing_in(session), before is not None and not before.looks
    known = _put_since(should, before, evidence) if before and before.looks else should
    steps = steps_to(session, recognised(known, evidence))
    if not steps or not evidence.wrong(should.looks):
        return None
    if is_being_set_up and not session.plies:
        return Verdict("setup", say("Set the board up."), steps=steps)
    return Verdict("restore", words or RESTORE, steps=steps)


def _put_since(should: Standing, before: Standing, evidence: Evidence) -> Standing:
    """Returns what stood on a board before, with what should stand where hands have put something since."""
    put = evidence.timeline.placed.keys() & should.looks.keys()
    looks, pieces = ({p: there[p] for p in put & there.keys()} for there in should)
    return Standing({**before.looks, **looks}, {**before.pieces, **pieces})


def announced(session: Session, count: int, before: Standing, there: Standing) -> Verdict | None:
    """Returns what the companion plays by the last plies, so many, and the steps that are left of it on a
    board that was as `before`; None where none are. What else was done on the board is put back first.

    Of markers it says nothing: players need not lay them, and those who do have them pointed out.
    """
    board, should = session.game.board, bare_looks(session.look)
    was, seen = bare_looks(before.looks), bare_looks(there.looks)
    is_other = not changes(seen, should).keys() <= changes(was, should).keys()
    now, standing = (was, before.pieces) if is_other else (seen, there.pieces)
    steps = guide(board, should, now, session.rules.pieces(session.public_position), standing)
    if is_other:
        steps = (*guide(board, was, seen, before.pieces, there.pieces), *steps)
    if not steps:
        return None
    *_, last = plies = session.plies[-count:]
    shown = (session.rules.show(ply.action, ply.player, None, session.is_public) for ply in plies)
    written = (ply.written if text == ply.action else text for text, ply in zip(shown, plies, strict=True))
    player = say_player(last.player)
    words: str = say("{player} plays {action}.", player=player, action=" ".join(written))
    if is_other:
        words = sentences(words, say("The board shows something else."))
    return Verdict(ANNOUNCED, words, steps=steps)


def of_long_ago(session: Session, count: int, evidence: Evidence) -> Verdict | None:
    """Returns how to leave a board of so many actions ago: too many to be taken back without a word."""
    words = sentences(
        say_count("The board is as it was {n} action ago.", "The board is as it was {n} actions ago.", count),
        RESTORE,
        say_count("Or take it back on the tablet.", "Or take them back on the tablet.", count),
    )
    return restoring(session, evidence, words)
