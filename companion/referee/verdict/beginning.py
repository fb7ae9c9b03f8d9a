"""Actions in progress: the legal actions of which a board may be the beginning, and what is left of each.

What an action does to the board, by `play` and `look`, are its parts: a piece goes from one place to another,
or to where it has to be turned or stacked, and others come or are taken off. Hands do the parts in any order.
So a board is a beginning of an action where each place that is wrong shows one of that action's own stages:
still as it was, lifted, on its way, put down but not turned yet, or done. The rules of a game say no more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, takewhile
from typing import Any, NamedTuple

from companion.core.game import EMPTY, Action, Event, Look, Place, Step
from companion.core.players import say_player
from companion.core.rules import Rules
from companion.language import listed, say, sentences
from companion.record.session import GUESS, Entry, Ply, Session
from companion.referee.evidence.evidence import Evidence
from companion.referee.evidence.looks import bare_looks, changes
from companion.referee.evidence.timeline import HandlingTimeline
from companion.referee.hypotheses.belief import Belief, Weighed
from companion.referee.hypotheses.paths import path_of, with_sites
from companion.referee.verdict.guide import GuideStep, guide, owner_of, say_differences, with_kinds
from companion.referee.verdict.standing import recognised, standing_in

ENDINGS = {"drawn", "out", "won"}
"""The kinds of events that end the game, for one player or for all."""
GOES_ON = 4.0
"""Nats: how much less likely it is that a piece which had come to rest went on in the same action."""
WAS_LIFTED = 0.5
"""Nats: the same of a piece that was merely lifted, and looked taken off or taken back."""
ALLOWED = 4
"""The number of actions that are done, after which one that is begun is looked for."""
FEW_NAMED = 6
"""So many places to which an action may go on are named in words."""

Pieces = Mapping[Place, Look]


@dataclass(frozen=True, slots=True)
class Beginning:
    """A legal action that may have been begun: what is left of it, and the actions done before it.

    `is_put_down` says that a piece stands somewhere else than before: none is merely lifted. So many of the
    pieces that were put down are `on_the_way`: they do not stand where the action leaves them. `is_in_hand`
    says that one which it carries or turns stands nowhere.
    """

    action: Action
    """'' where it holds secrets, which hands cannot say."""
    left: tuple[GuideStep, ...]
    events: tuple[Event, ...] = ()
    done: tuple[Action, ...] = ()
    then: tuple[Action, ...] = ()
    """The actions that were done after it, though it is not finished."""
    is_put_down: bool = False
    is_in_hand: bool = False
    on_the_way: int = 0


class _Way(NamedTuple):
    """A piece that an action carries from one place to another; `is_same` if it stays of the same kind."""

    start: Place
    end: Place
    is_same: bool


def beginnings(belief: Belief, evidence: Evidence) -> tuple[Beginning, ...]:
    """Returns the actions of which the board may be the beginning; () where it is the beginning of none.

    A player who has not been answered may also go on with what they did last. What was put down is taken for
    put where it belongs, if any action has it there.
    """
    session = belief.accepted
    found = tuple(_begun_from(session, evidence))
    if not found:
        found = tuple(_begun_after_another(session, evidence))
    if not found:
        found = tuple(_gone_on_with(belief, evidence))
    fewest = min((begun.on_the_way for begun in found), default=0)
    return tuple(begun for begun in found if begun.on_the_way == fewest)


def _begun_after_another(session: Session, evidence: Evidence) -> Iterator[Beginning]:
    """Yields what may have been begun after one action that is done already.

    Where that captured a piece of the same kind, the next one may have been put since.
    """
    board = board_of(session, evidence)
    parts = (Parts(session, action, board) for action in legal_near(session, board.wrong))
    done = [p for p in parts if p.touched & board.wrong and p.are_done(evidence, but=p.refilled)]
    for p in done[:ALLOWED]:
        further = session.play(p.action)
        if not further.outcome:
            for begun in _begun_from(further, evidence):
                if p.refilled <= {*path_of(session.rules, begun.action)[-1:]}:
                    yield replace(begun, done=(p.action,))


def _gone_on_with(belief: Belief, evidence: Evidence) -> Iterator[Beginning]:
    """Yields the actions with which the last player may be going on."""
    for before, last in before_going_on(belief):
        yield from _begun_from(before, evidence, last)


def before_going_on(belief: Belief) -> Iterator[tuple[Session, Action]]:
    """Yields from where the last player may be going on, and the action that was told of it, if any.

    What was told last may have been but the beginning of another action, be it one ply or all of a stop. What
    looked taken back may have been lifted for the next.
    """
    yield from ((before, belief.accepted.plies[-1].action) for before in _before_last(belief))
    yield from ((before, "") for before in belief.undone)


def _before_last(belief: Belief) -> Iterator[Session]:
    """Yields the sessions before the last action, where its player may still be at it."""
    session = belief.accepted
    rules, last = session.rules, session.plies[-1] if session.plies else None
    if last is None or len(session.plies) <= belief.settled or rules.stands(session.game.options):
        return
    before = replace(session, plies=session.plies[:-1])
    is_done_by_hand = path_of(rules, last.action) and rules.reversible(last.after)
    is_guessed = last.entry.certainty < GUESS  # nobody has answered: nothing is revealed yet
    if last.entry.kind == "action" and (is_done_by_hand or is_guessed):
        yield before
    memory = next(iter(belief.past), None)
    if memory and not memory.is_answered and memory.belief.accepted.actions != before.actions:
        yield memory.belief.accepted


def gone_on(belief: Belief, evidence: Evidence) -> Iterator[Weighed]:
    """Yields the session with a whole action of which only the beginning was told, or none.

    So it is where a piece moved on after it had come to rest, or the king followed the rook of a castling,
    and the opponent has not replied; or where a piece that seemed to have left the board was in a hand.
    """
    yield from _gone_on(belief, evidence)
    session = belief.accepted
    last = session.plies[-2:]
    if len({ply.player for ply in last}) > 1 and evidence.wrong_pieces(session.look):
        before_reply = replace(belief, accepted=replace(session, plies=session.plies[:-1]))
        for further, cost in _gone_on(before_reply, evidence, last[-1]):
            if not further.judge(last[-1].action):
                yield further.apply(last[-1].entry), cost


def _gone_on(belief: Belief, evidence: Evidence, reply: Ply | None = None) -> Iterator[Weighed]:
    """Yields the session with a whole action instead of its last one, after which the opponent may have
    replied."""
    session, timeline = belief.accepted, evidence.timeline
    there, felt = bare_looks(session.look), timeline.touched or frozenset()
    near = evidence.wrong_pieces(session.look) | felt
    replied = {*changes(session.look, session.rules.look(reply.after))} if reply else set[Place]()
    for before, last in before_going_on(belief) if near else ():
        was = bare_looks(before.look)
        if before.rules.form(before.position):
            continue  # hands cannot say what is secret
        if last and session.position.to_act == session.plies[-1].player and there.keys() >= was.keys():
            continue  # the turn goes on, and nothing is in a hand: this is their next action
        is_at_rest = bool(there.items() - was.items())
        if reply and (is_at_rest or len(before.plies) >= len(session.plies)):
            continue  # what was let go and answered stands
        since = frozenset(place for place, _ in there.items() ^ was.items())
        at_rest = SeenBoard(since, lambda place, look: there.get(place, EMPTY) == look)
        cost = GOES_ON if is_at_rest else WAS_LIFTED
        for action in legal_near(before, near):
            parts = Parts(before, action, at_rest, last)
            changed = {place for place, _ in there.items() ^ parts.after.items()}
            is_seen = changed and changed <= near
            if is_seen and parts.are_shown(evidence, but=replied) and parts.are_begun():
                entry = Entry("action", action, source=evidence.source, time=evidence.time)
                explained = timeline.astray(felt) - timeline.astray(felt - parts.touched)
                yield before.apply(entry), cost - explained + parts.backwards(timeline)


def _begun_from(session: Session, evidence: Evidence, last: Action = "") -> Iterator[Beginning]:
    """Yields the actions that may be begun from a position; a beginning may have been taken for `last`."""
    board = board_of(session, evidence)
    if not board.wrong:
        return
    is_secret = session.rules.form(session.position) is not None  # hands cannot say all of it
    for action in legal_near(session, board.wrong):
        for parts in _ways_to_end(session, action, board, last):
            if not parts.are_begun() or parts.came_too_early(evidence.timeline):
                continue
            is_done = board.wrong <= parts.touched and parts.are_done(evidence)
            if is_secret:
                yield replace(parts.beginning(), action="", events=())
            elif not is_done and (begun := parts.beginning()).left:
                yield begun


def _ways_to_end(session: Session, action: Action, board: SeenBoard, last: Action) -> Iterator[Parts]:
    """Yields the parts of an action, and what they are once secrets that it reveals are told, whatever they
    are: with a trap both pieces go, and so may the magnet."""
    rules, step = session.rules, session.rules.play(session.position, action)
    ways: dict[frozenset[tuple[Place, Look]], Any] = {}
    is_open = [step.position]
    while is_open:
        position = is_open.pop()
        ways.setdefault(frozenset(bare_looks(rules.look(position)).items()), position)
        may_be_told = session.may_hide and not rules.form(position)
        answers = _without_a_place(rules, position) if may_be_told else ()
        told = ((answer, rules.play(position, answer)) for answer in answers)
        is_open += [after.position for answer, after in told if answer in rules.reveals(after.events)]
    for position in ways.values():
        yield Parts(session, action, board, last, Step(position, step.events))


def _without_a_place(rules: Rules[Any], position: Any) -> Iterator[Action]:
    """Returns the actions that no hand does, where nothing else is legal."""
    return takewhile(lambda action: not path_of(rules, action), rules.legal(position))


def legal_near(session: Session, wrong: frozenset[Place]) -> Iterator[Action]:
    """Yields the legal actions that may concern places that are wrong."""
    if session.outcome:
        return
    form = session.rules.form(session.position)
    for action in session.rules.legal_at(session.position, with_sites(wrong)):
        yield form.fill(action) if form else action  # whatever is secret, it looks like this


def fits(evidence: Evidence, place: Place, look: Look) -> bool:
    """Returns whether a piece, or none, fits what is seen of a place, whatever markers lie there."""
    return not evidence.fit_change({place: (EMPTY, look)}).wrong


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """A board as it is seen: the places that are wrong, what fits there, and those that are seen at all."""

    wrong: frozenset[Place]
    fits: Callable[[Place, Look], bool]
    seen: frozenset[Place] | None = None  # all of them

    def shows(self, place: Place, look: Look) -> bool:
        """Returns whether a place that was changed shows this now."""
        return place in self.wrong and self.fits(place, look)

    def still_shows(self, place: Place) -> bool:
        """Returns whether a place is seen, and as it was."""
        return place not in self.wrong and (self.seen is None or place in self.seen)


def board_of(session: Session, evidence: Evidence) -> SeenBoard:
    """Returns the board that is seen where a session has its own."""
    wrong = evidence.wrong_pieces(session.look)
    return SeenBoard(wrong, lambda place, look: fits(evidence, place, look), evidence.places)


class Parts:
    """Takes an action apart into what it does to each piece, and tells which parts are done on a board.

    `board` shows how far hands have come with it. Its beginning may have been taken for another action,
    `last`: then the piece that both carry came to rest where that one ends. `ended` is how it
    ends, where secrets bear on that.
    """

    def __init__(
        self,
        session: Session,
        action: Action,
        board: SeenBoard,
        last: Action = "",
        ended: Step[Any] | None = None,
    ) -> None:
        self.session, self.action, self.board, self._last = session, action, board, last
        position = session.position
        self._after, self.events = ended or session.rules.play(position, action)
        self.before = bare_looks(session.look)
        self.after = bare_looks(session.rules.look(self._after))
        self.touched = {place for place, _ in self.before.items() ^ self.after.items()}
        self.path = path_of(session.rules, action)
        self._rest = self._rest_after(last)
        self._through = {*session.rules.stops(position, action), self._rest} - {""}

    def _rest_after(self, last: Action) -> Place:
        """Returns where another action ends that carries the same piece; '' where it carries none of it."""
        path = path_of(self.session.rules, last) if last else ()
        carried = self._carried(path)
        return path[-1] if carried is not None and carried == self._carried(self.path) else ""

    def _carried(self, path: Sequence[Place]) -> Place | None:
        """Returns from where a piece is carried that goes such a way, '' if from beside the board; None where
        none is: it is turned."""
        if not path or path[0] not in self.before:
            return "" if path else None
        return path[0] if len(path) > 1 else None

    @property
    def refilled(self) -> frozenset[Place]:
        """The places of captured pieces that look as before: the piece still stands there, or its like."""
        gone = self.touched - self.after.keys() - {*self.path}
        return frozenset(place for place in gone if self.board.still_shows(place))

    def are_done(self, evidence: Evidence, but: frozenset[Place] = frozenset()) -> bool:
        """Returns whether all that the action changes is seen done, and was felt where touches are.

        A place that a hand hides may show anything yet. What only feels that something stands there takes a
        piece that may capture for one that did.
        """
        timeline, put = evidence.timeline, self.touched & self.after.keys()
        unfelt = evidence.unfelt(self.touched) + evidence.unput(put)
        unfelt += sum(timeline.backwards(way.start, way.end) for way in self._ways if way.is_same)
        return unfelt == 0.0 and self.touched <= evidence.places and self.are_shown(evidence, but)

    def are_shown(self, evidence: Evidence, but: Collection[Place] = ()) -> bool:
        """Returns whether the board shows all that the action changes, except `but`, whoever felt it."""
        return all(fits(evidence, p, self.after.get(p, EMPTY)) for p in self.touched if p not in but)

    def are_begun(self) -> bool:
        """Returns whether each place that is wrong shows a stage of the action, and each piece is once."""
        if not self.board.wrong <= self.touched | self._through | self._turning:
            return False
        return all(map(self._shows_a_stage, self.board.wrong)) and self._are_once()

    def _shows_a_stage(self, place: Place) -> bool:
        return any(self.board.fits(place, look) for look in self._stages(place))

    def _are_once(self) -> bool:
        """Returns whether no piece is seen on two places: each that was carried on the one where it was put
        down, each from beside the board no longer where it rested.

        One that becomes another kind may stand beside its successor, unless it had been seen to leave.
        """
        alike = (way for way in self._ways if way.is_same or (self._last and self._looks_same(way)))
        seen = {place for way in alike for place in self._places_of(way)}
        if not seen <= {*self._put_down.values()}:
            return False
        return not any(map(self._is_still_at_rest, self._placed))

    def came_too_early(self, timeline: HandlingTimeline) -> bool:
        """Returns whether a piece came down where it stands before the one was lifted that should have."""
        put_down = self._put_down.items()
        return any(timeline.backwards(way.start, place) > 0 for way, place in put_down if way.is_same)

    def backwards(self, timeline: HandlingTimeline) -> float:
        """Returns the cost of a piece that came to rest, and came down at the end before it rose there."""
        return timeline.backwards(self._rest, self.path[-1]) if self._rest else 0.0

    def _looks_same(self, way: _Way) -> bool:
        return self.before[way.start] == self.after[way.end]

    @cached_property
    def _names(self) -> tuple[Pieces, Pieces]:
        """The pieces before and after the action, with the kinds that no sensor tells apart.

        What nobody sees change there keeps its later name.
        """
        rules = self.session.rules
        now = bare_looks(rules.pieces(self._after))
        was = bare_looks(rules.pieces(self.session.position))
        return {**was, **{p: now[p] for p in was.keys() & now.keys() - self.touched}}, now

    @cached_property
    def _ways(self) -> list[_Way]:
        """The pieces that are carried from one place to another: the one that the action names goes first."""
        was, now = ({p: look for p, look in names.items() if p in self.touched} for names in self._names)
        named = list(self._named_way(was, now))
        for way in named:
            was.pop(way.start)
            now.pop(way.end, None)
        others = (step for step in guide(self.session.game.board, now, was) if step.start != step.end)
        ways = [_Way(s.start, s.end, was[s.start] == now[s.end]) for s in others if s.start and s.end]
        return self._as_put_down([*named, *ways])

    def _as_put_down(self, ways: list[_Way]) -> list[_Way]:
        """Returns the ways of pieces, of which one may have been put where its like was to go."""
        was, _ = self._names
        for a, b in permutations(range(len(ways)), 2):
            one, other = ways[a], ways[b]
            are_alike = one.is_same and other.is_same and was[one.start] == was[other.start]
            if (
                are_alike
                and not self._has_come(one)
                and self._has_come(other)
                and self.board.still_shows(other.start)
            ):
                ways[a], ways[b] = one._replace(end=other.end), other._replace(end=one.end)
        return ways

    def _has_come(self, way: _Way) -> bool:
        return self.board.shows(way.end, self.before[way.start])

    def _named_way(self, was: Pieces, now: Pieces) -> Iterator[_Way]:
        if len(self.path) < 2:
            return
        start, end = self.path[0], self.path[-1]
        if start not in was:
            return
        if end not in self.after:
            yield _Way(start, end, is_same=True)  # it goes off the board there
        elif end in now and owner_of(now[end]) == owner_of(was[start]):
            yield _Way(start, end, was[start] == now[end])

    @cached_property
    def _turning(self) -> set[Place]:
        """Returns the parts of the sites on which pieces are put: there a piece may have to be turned yet."""
        site_of = self.session.game.board.site_of
        ends = {site_of(place) for place in {*self.touched, *self._through}}
        return {place for place in self.board.wrong if site_of(place) != place and site_of(place) in ends}

    def _stages(self, place: Place) -> Iterator[Look]:
        """Yields what a place may show while hands are at this action, and did not show before."""
        if place in self.touched:
            yield EMPTY
            yield self.after.get(place, EMPTY)
        for way in self._ways:
            piece = self.before[way.start]
            if place == way.start:
                yield EMPTY
                if not way.is_same:
                    yield self.after[way.end]  # turned or stacked before it goes
            elif place in self._stops(way):
                yield piece  # on its way, or not turned yet
            if place == way.end and not way.is_same:
                yield from self._faces_of(owner_of(piece))  # what another piece is to be put on
        if place not in self.touched:
            yield from (self.after[end] for end in self.touched if end in self.after)

    def _faces_of(self, owner: str) -> Iterator[Look]:
        known = self.session.rules.looks(self.session.position)
        return (look for look in known if owner_of(look) == owner)

    def _is_still_at_rest(self, place: Place) -> bool:
        """Returns whether a piece was put on a place, and the one that went there stands where it rested."""
        piece = self.after[place]
        return place != self._rest and self.board.shows(place, piece) and self.board.shows(self._rest, piece)

    @property
    def _placed(self) -> list[Place]:
        """The places on which pieces from beside the board are put."""
        ends = {way.end for way in self._ways}
        return [place for place in self.touched & self.after.keys() if place not in ends]

    def _places_of(self, way: _Way) -> list[Place]:
        """Returns where a piece that has left its place is seen: put down, or on its way."""
        return [
            place for place in sorted(self._stops(way)) if self.board.shows(place, self.before[way.start])
        ]

    def _stops(self, way: _Way) -> set[Place]:
        """Returns where a piece may stand once it has left its place."""
        others = {place for other in self._ways if other != way for place in (other.start, other.end)}
        stops = {way.end, *self._through, *self._turning} - others
        if self.path and way.start == self.path[0]:
            stops.add(self._rest)  # a king may have come to rest where the rook is to go
        return stops - {way.start, ""}

    @cached_property
    def _put_down(self) -> dict[_Way, Place]:
        """Returns where each piece that has left its place was put down; each stands on one place."""
        found: dict[_Way, Place] = {}
        left = [way for way in self._ways if not self.board.still_shows(way.start)]
        places = {way: self._places_of(way) for way in left}
        for way in sorted(left, key=lambda way: len(places[way])):
            free = [place for place in places[way] if place not in found.values()]
            if free:
                found[way] = way.end if way.end in free else free[-1]
        return found

    def beginning(self) -> Beginning:
        """Returns the action as one that is begun, with what is left of it."""
        _, now = self._names
        put_down = self._put_down
        left = [step for way in self._ways for step in self._rest_of(way, put_down.get(way))]
        handled = {place for way in self._ways for place in way[:2]} | {*put_down.values()}
        single = sorted((self.touched | self.board.wrong) - handled)
        there = {place: self._named_at(place) for place in single}
        seen = {place: look for place, look in there.items() if look != EMPTY}
        left += guide(self.session.game.board, {p: now[p] for p in single if p in now}, seen)
        return Beginning(
            self.action,
            tuple(replace(step, look=self._look_of(step)) for step in left),
            self.events,
            is_put_down=any(not self.board.fits(place, EMPTY) for place in self.board.wrong),
            is_in_hand=any(self._is_in_hand(way) for way in self._ways) or any(map(self._is_turned, single)),
            on_the_way=sum(way.end != place for way, place in put_down.items()),
        )

    def _is_in_hand(self, way: _Way) -> bool:
        """Returns whether a piece has left its place for another one, and stands nowhere."""
        has_left = not self.board.still_shows(way.start) and way not in self._put_down
        return has_left and way.end in self.after and not self.board.shows(way.end, self.after[way.end])

    def _is_turned(self, place: Place) -> bool:
        """Returns whether a piece was lifted from a place on which it is to stand with another face."""
        was, now = self.before.get(place, EMPTY), self.after.get(place, EMPTY)
        return EMPTY not in (was, now) and owner_of(was) == owner_of(now) and self.board.shows(place, EMPTY)

    def _rest_of(self, way: _Way, put_down: Place | None) -> Sequence[GuideStep]:
        """Returns what is left of a piece's way: to take it there, turn it, or take it off."""
        was, now = self._names
        seen = dict[Place, Look]()
        if not way.is_same and self.board.shows(way.end, self.after[way.end]):
            seen[way.end] = now[way.end]
            if self.board.still_shows(way.start):
                seen[way.start] = was[way.start]
        elif put_down:
            seen[put_down] = was[way.start]
        elif way.start not in self.board.wrong:
            seen[way.start] = was[way.start]
        starts = {other.start for other in self._ways}
        if way.end in was and way.end not in {*starts, *seen} and way.end not in self.board.wrong:
            seen[way.end] = was[way.end]  # what stands in its way
        should = {way.end: now[way.end]} if way.end in self.after else {}
        return guide(self.session.game.board, should, seen)

    def _look_of(self, step: GuideStep) -> Look:
        """Returns what a step handles as it is seen: without the kind that no sensor tells."""
        if step.end in self.after:
            return self.after[step.end]
        return self.before.get(step.start or "", step.look)

    def _named_at(self, place: Place) -> Look:
        """Returns what stands on a place to or from which nothing is carried."""
        was, now = self._names
        if place not in self.board.wrong:
            return was.get(place, EMPTY)
        if place in self.touched and self.board.fits(place, self.after.get(place, EMPTY)):
            return now.get(place, EMPTY)
        if self.board.fits(place, EMPTY):
            return EMPTY
        return next((look for look in self._stages(place) if self.board.fits(place, look)), EMPTY)


def what_is_left(begun: Sequence[Beginning]) -> tuple[GuideStep, ...]:
    """Returns the steps that are left of all these actions alike: all of them where there is one way on."""
    first, *others = begun
    return tuple(step for step in first.left if all(_is_among(step, other.left) for other in others))


def _is_among(step: GuideStep, steps: Sequence[GuideStep]) -> bool:
    return any((step.start, step.end, step.look) == (s.start, s.end, s.look) for s in steps)


def say_begun(session: Session, evidence: Evidence, begun: Sequence[Beginning]) -> str:
    """Says how an action that is begun may go on, as far as the steps that are left do not say it."""
    rules, first = session.rules, begun[0]
    if not first.is_put_down:
        there, places = standing_in(session), sorted(evidence.wrong_pieces(session.look))
        seen = recognised(there, evidence)
        gone = say_differences(session.game.board, with_kinds(*there), with_kinds(*seen), places)
        return sentences(gone, say("Go on with it, or put it back."))
    common = what_is_left(begun)
    if not common and not first.action:
        player = say_player(session.position.to_act)
        return say("{player}: say on the page which piece stands where.", player=player)
    if len(begun) > 1:
        ways = ([s.end for s in other.left if s.end and not _is_among(s, common)] for other in begun)
        ends = sorted({end for way in ways for end in way[-1:]})
        if 0 < len(ends) <= FEW_NAMED:
            return session.game.board.called(say("It goes on to {places}.", places=listed(ends, "or")))
        return say("This is not finished yet.")
    endings = [session.tell(event) for event in first.events if event.kind in ENDINGS]
    left = [step.start for step in first.left]
    if all(step.end is None and step.start not in path_of(rules, first.action) for step in first.left):
        captured = say(
            "Captured, and still on the board: {places}.", places=listed(sorted(filter(None, left)))
        )
        return sentences(session.game.board.called(captured), *endings)
    return sentences(*(session.tell(event) for event in first.events))
