"""Weighing: what the referee makes of a board that held, with what the table knows beside it.

The referee sees one observation at a time. Here it is told which places are known to be misread, how hands
came about the board, and whether a player said that the turn is over; and where it finds nothing, play may
have gone on beside a few misread places. `weigh` is a pure function; the acceptance keeps what it found out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from companion.core.game import EMPTY, Changes, Look, Place, Player
from companion.core.players import say_player
from companion.language import say
from companion.record.session import Session
from companion.referee import Belief, Evidence, Finding, Referee
from companion.referee.evidence.evidence import CAP, DOUBT
from companion.referee.evidence.looks import bare, changes
from companion.referee.evidence.timeline import HandlingTimeline
from companion.referee.search.limits import WHOLE_TURN
from companion.sensing.observation import Observation
from companion.table.policy import Policy
from companion.table.sensor_conflicts import UNEXPLAINED, choose_credible, contradict
from companion.table.tracker import Held

Shown = Mapping[Place, Look | None]
"""The likeliest look of places, as they were read (`Held.told_apart`); None for one that nobody knows."""


class BoardToJudge(NamedTuple):
    """A board that held, all that the table knows beside it, and by whom and by which policy it is judged."""

    held: Held
    belief: Belief
    laid: frozenset[str]
    """The markers that were seen to lie on the board before."""
    is_restoring: bool
    """True while a board is being put right."""
    is_being_set_up: bool
    """True while the board has not been as the game has it since that came to the table."""
    is_begun: bool
    """True while an action is known to be begun."""
    referee: Referee
    policy: Policy
    found: frozenset[Place] = frozenset()
    """The places at which the board was otherwise when the game came back to the table."""


@dataclass(frozen=True, slots=True)
class TableKnowledge:
    """Knowledge from the boards of this game that were judged before."""

    misread: Shown = field(default_factory=dict)
    """The places that are read wrongly for as long as they are read so."""
    unexplained: Shown = field(default_factory=dict)
    """The places that spoke against the game when nothing allowed explained the board last."""
    cleared: frozenset[Place] = frozenset()
    """The places where a piece of an earlier turn might stand, and that were empty since the last ply."""
    ending: Player = ""
    """The player who said that the turn is over."""
    are_markers_laid: bool = False
    """True once a marker was seen: the players lay them."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """A finding, the evidence that it rests on, and the places that are known to be misread from now on.

    `notice` are words for the players, where there are any; `is_one_believed` says that the sensors
    contradict each other and the finding is that of one of them alone.
    """

    finding: Finding
    evidence: Evidence
    misread: Shown
    notice: str = ""
    is_one_believed: bool = False


def weigh(case: BoardToJudge, known: TableKnowledge) -> Weighing:
    """Returns what all sensors say together; where they contradict each other, what the credible one says."""
    together = _weigh_one(case, known)
    if not contradict(case.held.boards):
        return _as_seen(together, case, known) or together
    misread, heard = together.misread, []
    for one in case.held.alone:  # what another feels or has seen before says nothing of what this one sees
        # What the player said of the turn concerned the board as all sensors see it.
        alone = _weigh_one(case._replace(held=one), replace(known, misread=misread, ending=""))
        misread = alone.misread
        heard.append((alone.finding, alone.evidence))
    credible = choose_credible(heard)
    if credible is None:
        return replace(together, misread=misread)
    finding, evidence = credible
    return Weighing(finding, evidence, misread, together.notice, is_one_believed=True)


def _as_seen(together: Weighing, case: BoardToJudge, known: TableKnowledge) -> Weighing | None:
    """Returns what those who feel no touches saw being played, where nothing allowed explains the touches: a
    sensor that sticks, or feels the piece beside, tells of hands that were not there. None for no such play.
    """
    eyes = [one for one in case.held.alone if one.touches is None]
    if together.finding.kind != "refused" or len(eyes) in (0, len(case.held.alone)):
        return None
    seen = replace(case.held, touches=None, seen_since=eyes[0].seen_since)
    found = _weigh_one(case._replace(held=seen), replace(known, ending=""))
    if found.finding.kind != "played":
        return None
    is_seen = changed_places(found.finding).keys() <= eyes[0].observation.readings.keys()
    return found if is_seen else None


def keep_lasting(known: Shown, shown: Shown) -> Shown:
    """Returns the places that have not been read otherwise since they were read so."""
    return {place: look for place, look in known.items() if shown.get(place, look) == look}


def changed_places(finding: Finding) -> Changes:
    """Returns the changes of the board by the actions that a finding plays."""
    accepted = finding.belief.accepted
    before = accepted.positions()[len(accepted.plies) - len(finding.played)]
    return changes(accepted.rules.look(before), accepted.look)


def touched_places(held: Held) -> frozenset[Place] | None:
    """Returns the places that hands touched; None where nothing feels touches."""
    return None if held.touches is None else frozenset(touch.place for touch in held.touches)


def _weigh_one(case: BoardToJudge, known: TableKnowledge) -> Weighing:
    """Weighs what one sensor, or all of them together, show of the board."""
    held, belief = case.held, case.belief
    shown = held.told_apart
    believed = belief.accepted.look
    misread = _still_misread(known.misread, shown, [session.look for session, _ in belief.all()])
    timeline = replace(_timeline(held), is_restored=case.is_restoring)
    evidence = Evidence(
        _without(held.observation, misread),
        timeline,
        case.laid,
        known.are_markers_laid,
        believed=believed,
        single=_single(belief.accepted),
    )
    evidence = evidence.with_leftovers(_leftovers(belief.accepted, evidence, known.cleared))
    if case.is_being_set_up:  # what stands where it should was put there, and not played
        evidence = evidence.untouched(evidence.places - evidence.wrong(believed))
    unfelt = keep_lasting(known.unexplained, shown).keys() - (timeline.touched or frozenset())
    evidence = evidence.touched(case.found).excused(unfelt)
    found = Weighing(case.referee.judge(belief, evidence), evidence, misread)
    if found.finding.kind in UNEXPLAINED:
        found = _played_on(found, case, known.unexplained) or found
    if known.ending and found.finding.belief.accepted.position.turn == known.ending:
        found = _whole_turn(found, case)
    return found


def _played_on(found: Weighing, case: BoardToJudge, unexplained: Shown) -> Weighing | None:
    """Returns the judgement in which play went on beside a few misread places; None where it did not.

    Who plays on takes the board for right: places that spoke against it before anything more was played,
    and still do, were misread, and are left out from now on. What was played must explain more than is left
    unexplained. Nothing is looked for that would leave more places than may have been misread.
    """
    shown, evidence = case.held.told_apart, found.evidence
    belief, referee, policy = case.belief, case.referee, case.policy
    as_before = keep_lasting(unexplained, shown).keys()
    for slips in range(1, min(len(as_before), policy.slips) + 1):
        limits = replace(referee.limits, fit=referee.limits.fit + CAP * slips)
        finding = replace(referee, limits=limits).explain(belief, evidence)
        if finding is None or finding.kind != "played" or finding.withdrawn:
            continue
        left = evidence.wrong(finding.belief.accepted.look)
        changed = changed_places(finding).keys() & evidence.places
        if len(changed) < policy.explains * max(len(left), len(finding.played)):
            continue
        as_ever = {
            place for place in left if evidence.misfit(place, belief.accepted.look.get(place, EMPTY)) <= DOUBT
        }
        if left <= as_before | as_ever and not changed <= as_before:
            misread = {**found.misread, **{place: shown[place] for place in left}}
            kept = evidence.without(left)
            return Weighing(referee.judge(belief, kept), kept, misread)
    return None


def _still_misread(known: Shown, shown: Shown, held: Sequence[Mapping[Place, Look]]) -> Shown:
    """Returns the places that are still misread, beside the looks of all sessions that are held.

    Once all have a place as it is read, it is read rightly. Those on which they part speak again together: as
    soon as one of them is read otherwise, what spoke against one session speaks against it no longer.
    """
    parting = {place for place in known if len({look.get(place, EMPTY) for look in held}) > 1}
    still = keep_lasting(known, shown)
    is_news = bool(parting - still.keys())
    return {
        place: look
        for place, look in still.items()
        if (not is_news if place in parting else look != held[0].get(place, EMPTY))
    }


def _whole_turn(found: Weighing, case: BoardToJudge) -> Weighing:
    """Judges the board as the end of a turn: its player says that it is over. Where it cannot be, the finding
    stays as it was, and a notice says so."""
    finding = replace(case.referee, limits=WHOLE_TURN).explain(case.belief, found.evidence)
    if finding is not None and finding.kind == "played":
        settled = replace(finding.belief, settled=len(finding.belief.accepted.plies))
        return replace(found, finding=replace(finding, belief=settled))
    position, rules = case.belief.accepted.position, case.belief.accepted.rules
    notice = say(
        "{player}'s turn is not over: {prompt}.",
        player=say_player(position.turn),
        prompt=rules.prompt(position),
    )
    return replace(found, notice=notice)


def _leftovers(session: Session, evidence: Evidence, cleared: frozenset[Place]) -> dict[Place, Look]:
    """Returns the pieces of an earlier turn that may stand there still, and are not seen elsewhere.

    There is one magnet: where two are seen, one of them has to go.
    """
    left = find_left_standing(session)
    elsewhere = {look for place, look in evidence.seen(session.look).items() if place not in left}
    return {p: look for p, look in left.items() if p not in cleared and look not in elsewhere}


def _single(session: Session) -> frozenset[Look]:
    """Returns the looks of which there is but one piece: a magnet belongs to nobody."""
    pieces = session.game.board.pieces
    looks = session.rules.looks(session.position)
    return frozenset(look for look in looks if look == bare(look) and pieces.is_neutral(look))


def find_left_standing(session: Session) -> dict[Place, Look]:
    """Returns the piece that was put down for a turn and may stand there still: a magnet not moved since.

    That it stands there is no action of the next turn. What a piece hides is not seen.
    """
    rules, pieces = session.rules, session.game.board.pieces
    for ply in reversed(session.plies):
        if ply.entry.kind == "action" and rules.is_transient(ply.action):
            looks = rules.look(ply.after)
            return {p: looks[p] for p in rules.path(ply.action) if p in looks and pieces.is_neutral(looks[p])}
    return {}


def _without(observation: Observation, misread: Shown) -> Observation:
    """Returns the observation without the places that are known to be misread."""
    if not misread:
        return observation
    kept = {place: reading for place, reading in observation.readings.items() if place not in misread}
    same = {place: reading for place, reading in observation.same.items() if place not in misread}
    return replace(observation, readings=kept, same=same)


def _timeline(held: Held) -> HandlingTimeline:
    """Returns when places changed, and when each was first lifted from and last put on."""
    felt = held.touches or ()
    lifted = {touch.place: touch.time for touch in reversed(felt) if touch.lifted}
    placed = {touch.place: touch.time for touch in felt if not touch.lifted}
    standing = {touch.place: not touch.lifted for touch in felt}
    # Nobody saw in which order anything came about between two stills.
    seen_since = {} if held.at_once else held.seen_since
    return HandlingTimeline(
        seen_since, touched_places(held), lifted, placed, standing, is_unaided=held.unaided
    )
