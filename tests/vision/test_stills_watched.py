"""Folders of stills with hands in some of them, watched from end to end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from companion.cli.watch import watch
from tests.vision.stills import FILMED, DrawnGame, Profile, filmed, filmed_profile
from vision.arrays import Image

SPANISH = "chess e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7"


def watched(folder: Path, stills: Sequence[Image], profile: Profile) -> list[dict[str, str]]:
    """All events that are told."""
    pictures, learned = folder / "pictures", folder / "profile.json"
    pictures.mkdir()
    for n, still in enumerate(stills):
        cv2.imwrite(str(pictures / f"{n:03d}.png"), still)
    profile.save(learned)
    options = ["--game", "chess", "--source", f"folder:{pictures}", "--profile", str(learned)]
    told = CliRunner().invoke(watch, options, catch_exceptions=False).stdout
    return [json.loads(line) for line in told.splitlines()]


@pytest.mark.parametrize("seed", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_a_drawn_game_is_transcribed(tmp_path: Path, seed: int) -> None:
    drawn = DrawnGame(SPANISH, seed)
    stills = list(drawn.stills())
    assert any(still.hand for still in stills)
    events = watched(tmp_path, [still.image for still in stills], drawn.profile)
    assert not [event for event in events if event["event"] == "refused"]
    # the order of what both players did between two pictures is not seen
    assert sorted(events[-1]["text"].split()) == sorted(SPANISH.split())


@pytest.mark.parametrize(("first", "every"), [(0, 8), pytest.param(4, 8, marks=pytest.mark.soak)])
def test_stills_of_a_real_game_are_transcribed(shared: Path, tmp_path: Path, first: int, every: int) -> None:
    frames = filmed(shared)
    events = watched(tmp_path, frames[first::every], filmed_profile(frames[0]))
    assert not [event for event in events if event["event"] == "refused"]
    assert events[-1] == {"event": "record", "text": f"chess {FILMED}"}
