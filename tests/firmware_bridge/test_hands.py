"""Whole games with realistic hands: from switches through bytes to the board and the order of hands."""

from __future__ import annotations

import random

import pytest

from companion.observation import Touch
from companion.text import Game, read_game
from firmware_bridge.grid import Grid
from firmware_bridge.hands import Carry, Contact, Habits, act_out, false_contacts
from firmware_bridge.link import Link, LinkEvent
from firmware_bridge.messages import Sensor, State
from firmware_bridge.touches import Slide, slides
from firmware_bridge.virtual import VirtualDevice, VirtualPort
from firmware_bridge.wiring import MEGA, wire

SCAN_S = 0.01
DEBOUNCE_S = 0.008
HABITS = Habits()


class Stage:
    """A simulated grid, the companion's side of it, and hands: time moves only here.

    The virtual device tells each change at once, so what the firmware's debouncing takes away is taken
    away here: contacts that last less than it does.
    """

    def __init__(self, game: Game) -> None:
        self.now = 0.0
        self.wiring = wire(game.board, Sensor.REED, MEGA)
        self.device = VirtualDevice(self.wiring, random.Random(1))
        self.grid = Grid(self.wiring)
        self.touches: list[Touch] = []
        self.link = Link(lambda: VirtualPort(self.device, lambda: self.now), self._take, lambda: self.now)

    def _take(self, event: LinkEvent, now: float) -> None:
        sighting = self.grid.receive(event, now)
        if sighting is not None:
            self.touches += sighting.touches

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.link.step()
            self.now += SCAN_S

    def play(self, contacts: list[Contact]) -> list[Touch]:
        """The touches that these contacts were understood as, once all is quiet."""
        self.touches.clear()
        for contact in debounced(contacts):
            self.wait(max(0.0, contact.time - self.now))
            self.device.set(contact.site, State(int(contact.closed)))
        self.wait(0.6)
        return list(self.touches)


def debounced(contacts: list[Contact]) -> list[Contact]:
    """Contacts that hold until the next one on their site, for as long as the firmware wants."""
    kept = []
    for i, contact in enumerate(contacts):
        later = next((c.time for c in contacts[i + 1 :] if c.site == contact.site), 1e9)
        if later - contact.time >= DEBOUNCE_S:
            kept.append(contact)
    return kept


def carries(before: dict[str, str], after: dict[str, str], path: tuple[str, ...]) -> list[Carry]:
    """What a hand has to do, as a player sees it: off with what is taken, then the piece along its path."""
    left = [s for s in before if s not in after]
    came = [s for s in after if s not in before]
    swapped = [s for s in path if s in before and s in after and before[s] != after[s]]
    if len(path) >= 2 and swapped and left:
        return [Carry(swapped[-1], None), Carry(left[0], swapped[-1])]
    return [Carry(a, b) for a, b in zip(left, came, strict=False)]


def random_game(stage: Stage, game: Game, rng: random.Random, plies: int) -> None:
    position = game.start()
    stage.device.arrange(dict.fromkeys(game.rules.look(position), State.NORTH))
    stage.wait(1.0)
    for _ in range(plies):
        actions = [a for a in game.rules.legal(position) if not a.endswith("~")]
        if not actions or game.rules.outcome(position):
            return
        action = rng.choice(actions)
        before = dict(game.rules.look(position))
        position = game.rules.play(position, action).position
        after = dict(game.rules.look(position))
        todo = carries(before, after, game.rules.path(action))
        contacts = act_out(todo, stage.now, rng, HABITS)
        at_rest = [s for s in stage.wiring.sites if s not in {c.site for c in contacts}]
        wrong = false_contacts(at_rest, frozenset(before), stage.now, rng, HABITS)
        told = slides(stage.play(sorted(contacts + wrong)))
        assert {s for s, state in stage.grid.states.items() if state} == set(after), action
        if not wrong:
            check_order(told, todo)


def check_order(told: list[Touch | Slide], todo: list[Carry]) -> None:
    """Each lift and placing once; the piece that moves comes down last, and after it rose."""
    lifted = [t.place for t in told if isinstance(t, Touch) and t.lifted]
    placed = [t.place for t in told if isinstance(t, Touch) and not t.lifted]
    assert sorted(lifted) == sorted(c.start for c in todo if c.start)
    assert placed == [c.end for c in todo if c.end]
    if len(todo) == 2 and todo[0].end is None:
        assert isinstance(told[-1], Touch)
        assert told[-1].place == todo[1].end


@pytest.mark.parametrize("head", ["triune", "chess"])
@pytest.mark.parametrize("games", [2, pytest.param(100, marks=pytest.mark.soak)])
def test_games_are_felt_as_they_are_played(head: str, games: int) -> None:
    if head == "chess":
        pytest.importorskip("chess")
    game = read_game(head)
    for seed in range(games):
        random_game(Stage(game), game, random.Random(seed), plies=25)


def test_a_slide_is_told_as_one() -> None:
    stage = Stage(read_game("triune"))
    stage.device.arrange({"a2": State.NORTH})
    stage.wait(1.0)
    hands = act_out([Carry("a2", "a5", ("a3", "a4"))], stage.now, random.Random(1), Habits(slide=1.0))
    (slide,) = slides(stage.play(hands))
    assert isinstance(slide, Slide)
    assert slide.way == ("a2", "a3", "a4", "a5")
