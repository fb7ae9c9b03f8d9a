"""Tables of random wood, lamps, cameras and pieces: hands over them are noticed, and pieces are no hands."""

from __future__ import annotations

import pytest

from benchmarks.tables import Play
from vision.virtual.tabletop import Tabletop

soak = pytest.mark.soak


@pytest.mark.parametrize(("game", "number"), [("ternion_spaces", 0), pytest.param("escape", 2, marks=soak)])
def test_hands_of_nearly_the_woods_colour(game: str, number: int) -> None:
    play = Play(game, number, seed=1)
    empty, moments = play.picture(Tabletop(play.setting.board)), list(play.moments())
    reader = play.learned(moments, empty)
    assert not [n for n, (image, _) in enumerate(moments) if reader.read(image).sighting.hand]
    assert all(reader.read(image).sighting.hand for image in play.hands())


@pytest.mark.parametrize(("game", "number"), [("triune", 0), pytest.param("ternion_factor", 0, marks=soak)])
def test_marks_and_markers_on_tables_never_seen(game: str, number: int) -> None:
    play = Play(game, number, seed=1)
    empty, moments = play.picture(Tabletop(play.setting.board)), list(play.moments())
    reader = play.learned(moments, empty)
    for image, looks in moments:
        assert {p: look for p, look in reader.read(image).looks.items() if look != "empty"} == looks
