"""What is exchanged or silent, named by what answered at each site."""

from __future__ import annotations

from cmath import rect
from collections.abc import Callable, Mapping
from functools import partial
from math import pi
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.board import load_board
from companion.core.game import Site
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import (
    MEGA,
    PICO,
    UNO,
    Address,
    Wiring,
    WiringError,
    known_boards,
    lamp_sites,
    rewire,
    wire,
)
from firmware_bridge.setup.exchanges import Answers, name_exchanges, name_silent, soldered_wires

REED = wire(load_board("chess"), Sensor.REED, MEGA)
DIGITAL = wire(load_board("chess"), Sensor.DIGITAL, MEGA)
ANALOGUE = wire(load_board("chess"), Sensor.ANALOGUE, UNO)
PICO_GRID = wire(load_board("trid"), Sensor.ANALOGUE, PICO)
ODD = wire(load_board("draughts_international"), Sensor.REED, MEGA)


def ring(*sites: Site) -> dict[Site, Site]:
    return dict(zip(sites, (*sites[1:], sites[0]), strict=True))


def moved(wiring: Wiring, to: Mapping[Address, Address]) -> dict[Site, Site]:
    """Wires by where they end, for addresses that are read at others."""
    at = dict(zip(wiring.addresses, wiring.sites, strict=True))
    return {at[a]: at[b] for a, b in to.items() if a != b and a in at and b in at}


def rows(wiring: Wiring, a: int, b: int) -> dict[Site, Site]:
    other = {a: b, b: a}
    return moved(wiring, {x: Address(other.get(x.row, x.row), x.column) for x in wiring.addresses})


def columns(wiring: Wiring, *others: int) -> dict[Site, Site]:
    other = dict(enumerate(others))
    return moved(wiring, {x: Address(x.row, other.get(x.column, x.column)) for x in wiring.addresses})


def heard(wiring: Wiring, wires: Mapping[Site, Site], *dead: Site) -> Answers:
    """What a walk hears over a board with these wires, where some sensors are dead."""
    wire_of = {end: wire for wire, end in wires.items()}
    return {site: None if site in dead else wire_of.get(site, site) for site in wiring.sites}


@pytest.mark.parametrize(
    ("wiring", "wires", "words"),
    [
        (REED, {}, []),
        (REED, ring("a1", "b1"), ["The wires of a1 and b1 are exchanged."]),
        (
            REED,
            ring("a1", "b1", "c3"),
            ["The wires of a1, c3 and b1 are exchanged in a ring: a1 has that of c3, and so on."],
        ),
        (
            REED,
            ring("a1", "b1") | ring("h7", "h8"),
            ["The wires of a1 and b1 are exchanged.", "The wires of h7 and h8 are exchanged."],
        ),
        (REED, rows(REED, 2, 3), ["Exchanged: row 2 (pin D47) and row 3 (pin D46)."]),
        (
            REED,
            rows(REED, 2, 3) | ring("a1", "a2"),
            ["Exchanged: row 2 (pin D47) and row 3 (pin D46).", "The wires of a1 and a2 are exchanged."],
        ),
        (
            REED,
            moved(REED, {a: Address({1: 2, 2: 3, 3: 1}.get(a.row, a.row), a.column) for a in REED.addresses}),
            [
                "Exchanged: row 1 (pin D48) and row 2 (pin D47).",
                "Exchanged: row 1 (pin D48) and row 3 (pin D46).",
            ],
        ),
        (REED, columns(REED, 1, 0), ["Exchanged: column 0 (pin D22) and column 1 (pin D23)."]),
        (ODD, rows(ODD, 6, 7), ["Exchanged: row 6 (pin D43) and row 7 (pin D42)."]),
        (DIGITAL, rows(DIGITAL, 0, 7), ["Exchanged: register 0 and register 7."]),
        (DIGITAL, columns(DIGITAL, 0, 2, 1), ["Exchanged: input B and input C."]),
        (ANALOGUE, rows(ANALOGUE, 1, 2), ["Exchanged: multiplexer 1 (pin A1) and multiplexer 2 (pin A2)."]),
        (
            PICO_GRID,
            rows(PICO_GRID, 7, 8),
            ["Exchanged: multiplexer 7 (pin GP11) and multiplexer 8 (pin GP12)."],
        ),
        (
            ANALOGUE,
            columns(ANALOGUE, 0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15),
            ["Exchanged: select line S0 (pin D2) and select line S1 (pin D3)."],
        ),
        (ANALOGUE, columns(ANALOGUE, 0, 4, 2, 3, 1), ["Exchanged: input C1 and input C4."]),
    ],
)
def test_what_is_exchanged_is_named_by_its_largest_part(
    wiring: Wiring, wires: dict[Site, Site], words: list[str]
) -> None:
    answers = heard(wiring, wires)
    assert [fault.words for fault in name_exchanges(wiring, answers)] == words
    assert soldered_wires(answers, wiring.sites) == wires


WIRINGS = [wire(board, Sensor.REED, MEGA) for board in known_boards() if len(board.sites) <= 150]


def turned(wiring: Wiring, turn: Callable[[complex], complex]) -> dict[Site, Site] | None:
    """Wires by where they end, of a grid that lies otherwise; None where the board has another form then."""
    points = {site: complex(*spot) for site, spot in zip(wiring.sites, wiring.spots, strict=True)}
    middle = sum(points.values()) / len(points)
    ends = {site: turn(point - middle) + middle for site, point in points.items()}
    found = {s: next((t for t, p in points.items() if abs(p - end) < 0.02), None) for s, end in ends.items()}
    return {s: t for s, t in found.items() if t and s != t} if all(found.values()) else None


@pytest.mark.parametrize("wiring", WIRINGS, ids=lambda wiring: wiring.board)
def test_a_grid_that_lies_turned_or_mirrored_is_named_as_such_on_all_boards(wiring: Wiring) -> None:
    turns: dict[str, Callable[[complex], complex]] = {
        "turned by 60°": lambda p: p * rect(1, pi / 3),
        "turned by 90°": lambda p: p * 1j,
        "turned by 180°": lambda p: -p,
        "mirrored": lambda p: p.conjugate(),
    }
    tried = 0
    for words, turn in turns.items():
        if wires := turned(wiring, turn):
            tried += 1
            answers = heard(wiring, wires)
            (fault,) = name_exchanges(wiring, answers)
            assert words in fault.words
            assert set(fault.sites) == set(wires)
            (same,) = name_exchanges(wiring, heard(wiring, wires, wiring.sites[0]))
            assert words in same.words
    assert tried


@pytest.mark.parametrize("wiring", WIRINGS, ids=lambda wiring: wiring.board)
def test_lamps_lie_as_the_grid_does_and_not_as_single_wires_do(wiring: Wiring) -> None:
    for angle in (pi / 3, pi / 2, pi):
        wires = turned(wiring, partial(mul, rect(1, angle)))
        if wires is None:
            continue
        lies = tuple(wires.get(site, site) for site in wiring.sites)
        assert lamp_sites(rewire(wiring, wires)) == lies
        wires[wiring.sites[0]], wires[wiring.sites[1]] = lies[1], lies[0]
        assert lamp_sites(rewire(wiring, wires)) == lies
    for moved in ring(*wiring.sites[:2]), turned(wiring, complex.conjugate) or {}:
        assert lamp_sites(rewire(wiring, moved)) == wiring.sites


def test_wires_that_are_exchanged_besides_are_named_beside_a_grid_that_lies_turned() -> None:
    wires = turned(REED, lambda p: -p)
    assert wires
    wires["a1"], wires["b1"] = wires["b1"], wires["a1"]
    assert [fault.words for fault in name_exchanges(REED, heard(REED, wires))] == [
        "The grid lies turned by 180°: a1 has the wire of h8, and so on.",
        "The wires of g8 and h8 are exchanged.",
    ]


ROW_3 = [site for site, a in zip(REED.sites, REED.addresses, strict=True) if a.row == 3]
COLUMN_5 = [site for site, a in zip(REED.sites, REED.addresses, strict=True) if a.column == 5]
MUX_3 = [site for site, a in zip(ANALOGUE.sites, ANALOGUE.addresses, strict=True) if a.row == 3]
ODD_INPUTS = [site for site, a in zip(ANALOGUE.sites, ANALOGUE.addresses, strict=True) if a.column & 1]


@pytest.mark.parametrize(
    ("wiring", "dead", "words"),
    [
        (REED, [], []),
        (REED, ["a1", "h8"], ["a1 does not answer.", "h8 does not answer."]),
        (REED, ROW_3, ["Silent: row 3 (pin D46). None of its 8 sites answers."]),
        (
            REED,
            [*ROW_3, "a1"],
            ["Silent: row 3 (pin D46). None of its 8 sites answers.", "a1 does not answer."],
        ),
        (REED, COLUMN_5, ["Silent: column 5 (pin D27). None of its 8 sites answers."]),
        (REED, ROW_3[1:], [f"{site} does not answer." for site in ROW_3[1:]]),
        (ANALOGUE, MUX_3, ["Silent: multiplexer 3 (pin A3). None of its 16 sites answers."]),
        (
            ANALOGUE,
            ODD_INPUTS,
            ["Silent: select line S0 (pin D2). None of its 32 sites answers."],
        ),
    ],
)
def test_what_is_silent_is_named_by_its_largest_part(
    wiring: Wiring, dead: list[Site], words: list[str]
) -> None:
    assert [fault.words for fault in name_silent(wiring, heard(wiring, {}, *dead))] == words


def test_a_row_that_was_not_tried_as_a_whole_is_not_named() -> None:
    answers: dict[Site, Site | None] = dict.fromkeys(ROW_3[:4])
    assert [fault.sites for fault in name_silent(REED, answers)] == [(site,) for site in ROW_3[:4]]


def test_a_dead_sensor_s_wire_is_known_by_elimination() -> None:
    wires = ring("a1", "b1", "c3")
    answers = heard(REED, wires, "c3")
    assert soldered_wires(answers, REED.sites) == wires
    assert {site for fault in name_exchanges(REED, answers) for site in fault.sites} == {"a1", "b1", "c3"}


@st.composite
def exchanges(draw: st.DrawFn) -> dict[Site, Site]:
    """Any permutation of a few sites."""
    sites = draw(st.lists(st.sampled_from(REED.sites), min_size=0, max_size=7, unique=True))
    ends = draw(st.permutations(sites))
    return {wire: end for wire, end in zip(sites, ends, strict=True) if wire != end}


@given(exchanges(), st.sampled_from([REED, DIGITAL, ANALOGUE]))
def test_every_exchange_is_found_and_names_its_sites_alone(wires: dict[Site, Site], wiring: Wiring) -> None:
    answers = heard(wiring, wires)
    assert soldered_wires(answers, wiring.sites) == wires
    named = [site for fault in name_exchanges(wiring, answers) for site in fault.sites]
    assert sorted(named) == sorted(wires)


@given(exchanges())
def test_a_rewired_grid_has_each_sensor_at_its_own_site(wires: dict[Site, Site]) -> None:
    mapped = rewire(REED, wires)
    assert [wires.get(wire, wire) for wire in REED.sites] == list(mapped.numbered)
    at = dict(zip(REED.sites, REED.addresses, strict=True))
    mapped_at = dict(zip(mapped.sites, mapped.addresses, strict=True))
    assert all(mapped_at[wires.get(wire, wire)] == at[wire] for wire in REED.sites)
    assert rewire(mapped, {}) == REED
    assert mapped.check == REED.check


@pytest.mark.parametrize(
    ("wires", "words"),
    [
        ({"a1": "z9", "z9": "a1"}, "no site of the board"),
        ({"a1": "b1"}, "no exchange"),
        ({"a1": "b1", "b1": "b1"}, "no exchange"),
    ],
)
def test_what_is_no_exchange_is_refused(wires: dict[Site, Site], words: str) -> None:
    with pytest.raises(WiringError, match=words):
        rewire(REED, wires)
