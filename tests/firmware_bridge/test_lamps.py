"""The lamps under the board: what they show, and that they show it again after a loss."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.games.text import read_game
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.present import present
from companion.table.table import Table
from companion.wire.state import Choice, GuideStep, Ply, Question, Told, ToldGame, Verdict
from firmware_bridge.sensing.grid_source import VirtualGridSource
from firmware_bridge.sensing.lamps import ASKED, DARK, LAST, PUT, TAKE, lamps_of, light
from tests.stores import open_store
from web.runtime.runtime import Runtime

SITES = tuple(read_game("triune").board.sites)
LOOKS = 2000


def refused(*steps: GuideStep) -> Verdict:
    return Verdict("refused", steps=steps)


ASKS = Question(1, choices=(Choice("a2-c4", sites=("a2", "c4")), Choice("")))


@pytest.mark.parametrize(("state", "lit"), [
    (Told(), {}),
    (ToldGame(), {}),
    (ToldGame(last=Ply(sites=("a2", "a3"))), {"a2": LAST, "a3": LAST}),
    (ToldGame(last=Ply(sites=("a2",)), verdict=refused(GuideStep("a5", "a2"), GuideStep(end="b1"))),
     {"a5": TAKE, "a2": PUT}),
    (ToldGame(verdict=refused(GuideStep(None, "h8"))), {"h8": PUT}),
    (ToldGame(verdict=refused(), last=Ply(sites=("a2",))), {}),
    (ToldGame(question=ASKS), {"c4": ASKED}),
    (ToldGame(last=Ply(sites=("b2nw", "z9"))), {"b2": LAST}),
])  # fmt: skip
def test_they_show_what_the_page_shows(state: Told, lit: dict[str, object]) -> None:
    assert lamps_of(state, SITES) == lit


def test_the_page_s_own_words_are_understood() -> None:
    desk = Desk(open_store())
    desk.handle(m.NewGame("triune a2-a3"))
    assert lamps_of(present(desk.snapshot, None), SITES) == {"a2": LAST, "a3": LAST}


def test_all_lamps_are_set_and_the_last_message_shows_them() -> None:
    parts = list(light({"a1": PUT}, SITES))
    assert [(part.first, part.show) for part in parts] == [(0, 0), (20, 0), (40, 0), (60, 1)]
    colours = b"".join(part.colours for part in parts)
    assert len(colours) == 3 * 64
    at = 3 * SITES.index("a1")
    assert tuple(colours[at : at + 3]) == PUT
    assert sum(colours) == sum(PUT) + 63 * sum(DARK)


def test_a_grid_shows_the_last_action_and_again_when_it_comes_back(tmp_path: Path) -> None:
    with Table(Desk(open_store())) as table:
        runtime = Runtime(table, ("serial:virtual",), tmp_path, random.Random(1))
        source = runtime.grid
        assert isinstance(source, VirtualGridSource)
        with runtime:
            assert table.ask(m.NewGame("triune a2-a3")).ok
            wait_for_lamps(table, source, "a2", "a3")
            source.device.lamps[:] = bytes(3 * 64)
            source.pull()
            wait_for_lamps(table, source, "a2", "a3")


def wait_for_lamps(table: Table, source: VirtualGridSource, *lit: str) -> None:
    """Until these lamps are lit and no others."""
    for _ in range(LOOKS):
        if {s for i, s in enumerate(SITES) if any(source.device.lamps[3 * i : 3 * i + 3])} == set(lit):
            return
        table.wait(table.snapshot.id, 0.05)
    raise AssertionError(f"never lit: {lit}")
