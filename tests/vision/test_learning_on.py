"""What was never seen when the board was learned: told as something new, and learned once it is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.picture_sets.rendered_scenes import RenderedScene
from companion.sensing.observation import Reading
from vision.calibration.profile import Profile
from vision.reading.reader import Reader
from vision.sighting_streams import AdaptiveReader, read_frame
from vision.sources.source import CameraFrame


def scene(shared: Path, game: str) -> RenderedScene:
    return RenderedScene.load(shared / "scenes" / game / "truth.json")


def entry(scene: RenderedScene, file: str) -> Any:
    return next(e for e in scene.entries if e["file"] == file)


def readings(reader: Reader, scene: RenderedScene, file: str) -> dict[str, Reading]:
    observation = reader.read(scene.picture(entry(scene, file))).sighting.observation
    assert observation
    return dict(observation.readings)


def test_a_piece_of_a_paint_never_seen_is_something_new(shared: Path) -> None:
    escape = scene(shared, "escape")
    full = escape.learned()
    models = tuple(model for model in full.profile.models if model.look != "south")
    unknown = tuple(e for e in full.profile.examples if "south" not in e.looks.values())
    reader = Reader(replace(full.profile, models=models, examples=unknown), full.board)
    reader.gallery = full.gallery
    others = {look: v for look, v in reader.gallery.given.items() if look != "south"}
    reader.gallery = replace(reader.gallery, given=others)
    looks = escape.looks(entry(escape, "003.jpg"))
    south = {place for place, look in looks.items() if look == "south"}
    seen = readings(reader, escape, "003.jpg")
    new = {place for place, reading in seen.items() if reading.best() is None}
    assert new <= south
    assert len(new) > 0.8 * len(south)


@pytest.fixture(scope="module")
def ternion(shared: Path) -> RenderedScene:
    return scene(shared, "ternion_factor")


@pytest.fixture(scope="module")
def profile(ternion: RenderedScene) -> Profile:
    """Of the empty board and the start position only."""
    return replace(ternion.series, lessons=ternion.series.lessons[:1]).profile()


@pytest.fixture
def reader(ternion: RenderedScene, profile: Profile) -> Reader:
    return Reader(profile, ternion.series.board)


def lead(reading: Reading, look: str) -> float:
    return reading.of(look) - max(v for name, v in reading.looks.items() if name != look)


def test_a_marker_is_learned_once_it_is_known(ternion: RenderedScene, reader: Reader) -> None:
    before = lead(readings(reader, ternion, "008.jpg")["j6"], "black+A")
    frame = CameraFrame(0.0, ternion.picture(entry(ternion, "007.jpg")), 0, still=True)
    AdaptiveReader(reader).learn(
        frame, read_frame(reader, frame, "test"), ternion.looks(entry(ternion, "007.jpg"))
    )
    assert "black+A" in reader.gallery.lessons
    assert lead(readings(reader, ternion, "008.jpg")["j6"], "black+A") > max(before, 0)


def test_nothing_is_learned_from_a_hand_or_a_board_that_differs(
    ternion: RenderedScene, reader: Reader
) -> None:
    gallery = reader.gallery
    looks = ternion.looks(entry(ternion, "007.jpg"))
    frame = CameraFrame(0.0, ternion.picture(entry(ternion, "007.jpg")), 0, still=True)
    sighting = read_frame(reader, frame, "test")
    AdaptiveReader(reader).learn(frame, replace(sighting, hand=True), looks)
    AdaptiveReader(reader).learn(frame, sighting, dict.fromkeys(looks, "white"))
    assert reader.gallery is gallery
