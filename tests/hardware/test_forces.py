"""Forces between magnets, and whether pieces stay where they are put: the numbers of magnets.md."""

from __future__ import annotations

from math import pi
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.board import bundled_boards, load_board
from hardware import magnets
from hardware.discs import REMANENCE_MT, Disc, axial_field, reach
from hardware.forces import FELT, Stand, lightest, pull_above, pull_beside, weight_of, weight_of_magnet

GUIDE = Path(magnets.__file__).with_name("magnets.md").read_text(encoding="utf-8")
DISCS = st.sampled_from(magnets.MAGNETS)
BOARDS = bundled_boards()


def dipole_pull(magnet: Disc, distance: float) -> float:
    """Returns the force between two point dipoles side by side, in gf."""
    volume = pi * (magnet.diameter / 2) ** 2 * magnet.thickness * 1e-9
    moment = REMANENCE_MT[magnet.grade] * 1e-3 * volume / (4e-7 * pi)
    return 3e-7 * moment**2 / (distance * 1e-3) ** 4 / 9.80665 * 1000


def bessel(order: int, x: np.ndarray) -> np.ndarray:
    angles = (np.arange(400) + 0.5) * pi / 400
    return np.cos(order * angles[:, None] - x[None, :] * np.sin(angles)[:, None]).mean(axis=0)


def integral_pull(magnet: Disc, distance: float) -> float:
    """Returns the same force by the integral over wave numbers of Vokoun and others, equation (9)."""
    radius, thickness = magnet.diameter / 2e3, magnet.thickness / 1e3
    waves = (np.arange(20000) + 0.5) * 0.4 / radius * 1e-2
    shape = bessel(1, waves * radius) ** 2 * bessel(1, waves * distance / 1e3)
    total = (shape / waves * (1 - np.exp(-waves * thickness))).sum() * (waves[1] - waves[0])
    magnetisation = REMANENCE_MT[magnet.grade] * 1e-3 / (4e-7 * pi)
    return float(2 * pi * 4e-7 * pi * magnetisation**2 * radius**2 * total / 9.80665 * 1000)


@pytest.mark.parametrize(("magnet", "distance", "gf"), [
    (Disc(8, 3), 23, 2.7),
    (Disc(10, 5), 23, 18.3),
    (Disc(10, 5), 30, 6.3),
])  # fmt: skip
def test_the_pull_is_somewhat_more_than_that_of_dipoles(magnet: Disc, distance: float, gf: float) -> None:
    assert dipole_pull(magnet, distance) == pytest.approx(gf, rel=0.02)
    assert gf < pull_beside(magnet, distance) < 1.15 * gf


@pytest.mark.parametrize("magnet", magnets.MAGNETS)
def test_the_sum_over_faces_is_the_integral_over_wave_numbers(magnet: Disc) -> None:
    assert pull_beside(magnet, 20.0) == pytest.approx(integral_pull(magnet, 20.0), rel=0.01)


@given(DISCS, st.floats(80, 200))
def test_far_away_discs_pull_as_dipoles(magnet: Disc, distance: float) -> None:
    assert pull_beside(magnet, distance) == pytest.approx(dipole_pull(magnet, distance), rel=0.02)


@given(DISCS, st.floats(12, 100))
def test_the_pull_sinks_with_distance(magnet: Disc, distance: float) -> None:
    assert pull_beside(magnet, distance) > pull_beside(magnet, distance + 1) > 0
    assert pull_above(magnet, distance) > pull_above(magnet, distance + 1) > 0


@given(DISCS, st.floats(80, 200))
def test_far_away_a_disc_above_pulls_twice_as_strongly_as_one_beside(magnet: Disc, distance: float) -> None:
    above = pull_above(magnet, distance - magnet.thickness)
    assert above == pytest.approx(2 * pull_beside(magnet, distance), rel=0.03)


def test_what_a_strong_magnet_does_under_light_pieces_is_warned_of() -> None:
    def warnings(magnet: Disc, pitch: float, weight: float, height: float) -> list[str]:
        return [*Stand(magnet, pitch, weight).warnings(height)]

    assert warnings(Disc(6, 2), 50, 8, 45) == []
    assert warnings(Disc(10, 5), 23, 5, 45) == ["slide"]
    assert warnings(Disc(10, 5), 42, 8, 45) == ["snap"]
    assert warnings(Disc(8, 3), 50, 9, 11) == ["lift"]
    assert warnings(Disc(10, 5), 23, 5, 8) == ["slide", "lift"]


@given(DISCS, st.floats(1, 30))
def test_a_piece_is_lifted_at_its_weight(magnet: Disc, weight: float) -> None:
    assert pull_above(magnet, Stand(magnet, 40, weight).lift_gap) == pytest.approx(weight, rel=0.05)


@pytest.mark.parametrize("board", BOARDS)
def test_the_advised_magnet_is_the_strongest_that_lets_pieces_stand(board: str) -> None:
    advised = magnets.advised(load_board(board))
    stands = {magnet: magnets.stand(load_board(board), magnet) for magnet in magnets.MAGNETS}
    assert not stands[advised].slides
    assert stands[advised].snaps is (board == "trid")
    stronger = magnets.MAGNETS[magnets.MAGNETS.index(advised) + 1 :]
    assert all(stands[magnet].snaps for magnet in stronger)
    assert f"{advised.diameter:g} × {advised.thickness:g}" in GUIDE


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("part", magnets.MOUNTED, ids=lambda part: part.name)
def test_each_kind_of_sensor_feels_the_advised_magnet_through_some_wood(
    board: str, part: magnets.SensorPart
) -> None:
    magnet = magnets.advised(load_board(board))
    span = magnets.woods(part, magnet, magnets.pitch_of(load_board(board)))
    assert span is not None
    thinnest, thickest = span
    assert thinnest <= 4
    assert thickest >= 3
    assert axial_field(magnet, FELT + thickest + part.below) > max(part.operate, part.calibrated)


def test_the_guide_has_the_tables_of_today() -> None:
    for table in (magnets.pull_table(), magnets.wood_table(), magnets.field_table()):
        assert table in GUIDE, "put the tables of python -m hardware.magnets there"
    for part in magnets.PARTS:
        reaches = " | ".join(f"{reach(m, part.operate):.0f} mm" for m in magnets.MAGNETS)
        assert f"| {part.name} | {part.operate:g} mT | {reaches} |" in GUIDE
    linear = magnets.PARTS[-1]
    reaches = " | ".join(f"{reach(m, linear.calibrated):.0f} mm" for m in magnets.MAGNETS)
    assert f"| the same, to be calibrated | {linear.calibrated:.1f} mT | {reaches} |" in GUIDE


def test_the_guides_figures_are_those_of_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert f"pull with {pull_beside(Disc(10, 5), 23):.0f} gf" in GUIDE
    trid = load_board("trid")
    bare = weight_of(lightest(trid), trid.pitch_mm)
    assert magnets.stand(trid, Disc(5, 2)).weight == pytest.approx(bare + weight_of_magnet(Disc(5, 2)))
    assert "unless a piece weighs 2.5 g and more" in GUIDE
    assert magnets.main(["trid", "--weight", "2.5"]) == 0
    assert (
        "  5 × 2 mm: pull 0.19 gf, 0.61 gf off the middle; held by 0.70 gf; good\n" in capsys.readouterr().out
    )


def test_all_boards_are_printed_or_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert magnets.main([]) == 0
    assert capsys.readouterr().out.count("\n\n") == 2
    assert magnets.main(["chess"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("chess: 50.0 mm from site to site\n")
    assert "take 10 × 3 mm; then the wood over the sensor may be" in said


@pytest.mark.parametrize(("args", "words"), [
    (["nosuch"], "there is no board 'nosuch'"),
    (["chess", "--weight", "x"], "argument --weight: invalid number value: 'x'; write: python -m hardware.m"),
    (["chess", "--weight", "-3"], "-3 is not from 0.1 to 1000"),
    (["chess", "--friction", "nan"], "nan is not from 0.01 to 2"),
    (["--weight", "3"], "--weight and --friction go with a board"),
    (["chess", "triune"], "unrecognized arguments: triune"),
])  # fmt: skip
def test_what_cannot_be_computed_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], args: list[str], words: str
) -> None:
    assert magnets.main(args) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)
