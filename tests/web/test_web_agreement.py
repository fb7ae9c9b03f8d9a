"""What two tables agree on: messages are lost, doubled and late, tables begin anew; both come to the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from web.runtime.agreement import Agreed, Agreement, AgreementMessage, AtTable, Deed, player_of

SEATS = ("white", "black")
LENGTH = 12
"""So many plies after which the game is over by its rules."""


class House:
    """A table with one player: a pretended game in which turns have one or two actions. What is stored
    outlives `fall`, at any moment; all else is lost."""

    def __init__(self, seat: int) -> None:
        self.seat, self.here, self.there = seat, SEATS[seat], SEATS[1 - seat]
        self.at = AtTable()  # as the store has it
        self.kept, self.boots = Agreed(), 0
        self.count = 0
        self.has_resigned = False
        self.fall()

    def fall(self) -> None:
        self.boots += 1
        self.part = Agreement(self.here, self.there, self.kept, self.seat == 0, self.boots)

    @property
    def to_act(self) -> str:
        return (
            SEATS[len(self.at.plies) % 3 == 2] if len(self.at.plies) < LENGTH and not self.at.ending else ""
        )

    def play(self) -> None:
        if self.to_act == self.here:
            self.count += 1
            offered, _ = self.at.offers
            self._moved(plies=(*self.at.plies, f"{self.here} {self.count}"))
            self.at = replace(self.at, offers=(offered, 0))  # an offer outlives who makes it playing on

    def take_back(self) -> None:
        """Takes back the last own action, with the reply."""
        own = [n for n, ply in enumerate(self.at.plies) if player_of(ply) == self.here]
        if own and not self.at.ending:
            self._moved(plies=self.at.plies[: own[-1]])

    def resign(self) -> None:
        if not self.at.ending and len(self.at.plies) < LENGTH:
            self.at = replace(self.at, ending=f"resign {self.here}")
            self.has_resigned = True

    def offer(self) -> None:
        if not self.at.ending:
            self.at = replace(self.at, offers=(self.at.offers[0] + 1, self.at.offers[1]))

    def consent(self, is_granted: bool) -> None:
        self.part.answer(self.part.asked, is_granted)

    def settle(self, most: int = 100) -> None:
        """Does so much of what is to be done."""
        for _ in range(most):
            deed = self.part.step(self.at)
            if deed is None:
                return
            self._do(deed)
            if deed.then:
                self.kept = self.part.kept = deed.then
        assert most < 100, deed

    def _do(self, deed: Deed) -> None:
        plies = self.at.plies
        match deed.kind:
            case "play":
                assert player_of(deed.what) == self.to_act
                offered = self.at.offers[1] if player_of(deed.what) == self.there else 0
                self._moved(plies=(*plies, deed.what))
                self.at = replace(self.at, offers=(0, offered))
            case "back":
                assert not self.at.ending
                self._moved(plies=plies[: -int(deed.what)])
            case "lift":
                assert self.at.ending
                self._moved(ending="")
            case "end":
                assert not self.at.ending
                self._moved(ending=deed.what)
            case "offer":
                self.at = replace(self.at, offers=(self.at.offers[0], self.at.offers[1] + 1))

    def _moved(self, **changed: object) -> None:
        self.at = replace(self.at, offers=(0, 0), declines=(0, 0), **changed)  # type: ignore[arg-type]


class World:
    """Two houses and the line between them, on which messages wait."""

    def __init__(self, rng: Random) -> None:
        self.houses = (House(0), House(1))
        self.sent: tuple[list[AgreementMessage], list[AgreementMessage]] = ([], [])
        self.rng = rng

    def send(self, n: int) -> None:
        house = self.houses[n]
        house.settle()
        self.sent[1 - n].append(house.part.tell(house.at))

    def bring(self, n: int, is_kept: bool = False) -> None:
        """Brings some message that waits for a house; where it is kept it comes once more later."""
        if waiting := self.sent[n]:
            told = self.rng.choice(waiting)
            if not is_kept:
                waiting.remove(told)
            self.houses[n].part.hear(told)

    def calm(self, consents: bool) -> None:
        """Lets the line be as it should until nothing changes any more."""
        for _ in range(80):
            for n in (0, 1):
                self.send(n)
                self.houses[1 - n].part.hear(self.sent[1 - n].pop())
                self.houses[1 - n].settle()
                if self.houses[1 - n].part.is_asked:
                    self.houses[1 - n].consent(consents)


DEEDS: dict[str, Callable[[World, int], None]] = {
    "play": lambda world, n: world.houses[n].play(),
    "settle": lambda world, n: world.houses[n].settle(),
    "half": lambda world, n: world.houses[n].settle(1),
    "send": lambda world, n: world.send(n),
    "bring": lambda world, n: world.bring(n),
    "double": lambda world, n: world.bring(n, is_kept=True),
    "lose": lambda world, n: world.sent[n].clear(),
    "fall": lambda world, n: world.houses[n].fall(),
    "back": lambda world, n: world.houses[n].take_back(),
    "grant": lambda world, n: world.houses[n].consent(True),
    "refuse": lambda world, n: world.houses[n].consent(False),
    "offer": lambda world, n: world.houses[n].offer(),
    "resign": lambda world, n: world.houses[n].resign(),
}
QUIET = [name for name in DEEDS if name not in ("back", "grant", "refuse", "resign")]


def steps(names: list[str]) -> st.SearchStrategy[list[tuple[str, int]]]:
    return st.lists(st.tuples(st.sampled_from(names), st.integers(0, 1)), max_size=120)


@given(st.randoms(use_true_random=False), steps(QUIET))
@settings(deadline=None)
def test_no_ply_is_lost_or_doubled_whatever_the_line_does(rng: Random, deeds: list[tuple[str, int]]) -> None:
    world = World(rng)
    for name, n in deeds:
        DEEDS[name](world, n)
    world.calm(consents=True)
    one, other = world.houses
    assert one.at.plies == other.at.plies == one.kept.plies == other.kept.plies
    for house in world.houses:
        own = [ply for ply in one.at.plies if player_of(ply) == house.here]
        assert own == [f"{house.here} {n}" for n in range(1, house.count + 1)]
    assert one.at.offers == other.at.offers[::-1]


@given(st.randoms(use_true_random=False), steps(list(DEEDS)), st.booleans())
@settings(deadline=None)
def test_both_come_to_the_same_with_takebacks_and_endings(
    rng: Random, deeds: list[tuple[str, int]], consents: bool
) -> None:
    world = World(rng)
    for name, n in deeds:
        DEEDS[name](world, n)
    world.calm(consents)
    one, other = world.houses
    assert one.kept == other.kept
    for house in world.houses:
        assert (house.at.plies, house.at.ending) == (house.kept.plies, house.kept.ending)
    assert len(set(one.at.plies)) == len(one.at.plies)
    assert bool(one.at.ending) is (one.has_resigned or other.has_resigned)
