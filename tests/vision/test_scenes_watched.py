"""Whole sequences through `companion watch`: what was played comes out, what was not allowed is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.picture_sets.rendered_scenes import RenderedScene
from companion.cli.watch import watch

soak = pytest.mark.soak


@pytest.mark.parametrize(
    "game",
    [
        "teleporters",
        *(
            pytest.param(g, marks=soak)
            for g in ("trid", "ternion_spaces", "triune", "ternion_factor", "magnet")
        ),
    ],
)
def test_a_sequence_is_transcribed(shared: Path, tmp_path: Path, game: str) -> None:
    scene = RenderedScene.load(shared / "scenes" / game / "truth.json")
    images = scene.truth["images"][1:]
    profile, pictures = tmp_path / "profile.json", tmp_path / "pictures"
    scene.series.profile().save(profile)
    pictures.mkdir()
    for image in images:
        shutil.copy(shared / "scenes" / game / image["file"], pictures)
    words = scene.truth["text"].split()
    head = 1 + sum("=" in word and word.partition("=")[0].isalpha() for word in words[1:])
    first, last = images[0]["ply"], max(image["ply"] for image in images)
    text = " ".join(words[: head + first])
    options = ["--game", text, "--source", f"folder:{pictures}", "--profile", str(profile)]
    told = CliRunner().invoke(watch, options, catch_exceptions=False).output
    events = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    played = [event["action"].rstrip("+") for event in events if event["event"] == "action"]
    assert played == [word.rstrip("+") for word in words[head + first : head + last]]
    assert sum(event["event"] == "refused" for event in events) == sum(i["illegal"] for i in images)
