"""The table of sources: what it names is there, and opens what is written."""

from __future__ import annotations

import inspect
from contextlib import AbstractContextManager
from pathlib import Path
from pkgutil import resolve_name

import pytest

from companion.core.board import Board, load_board
from companion.sensing.sources import SOURCES, Scheme, SightingSource, SourceError, is_sensor, open_sightings
from tests.traces import TraceWriter

TRIUNE = load_board("triune")


@pytest.mark.parametrize("scheme", SOURCES)
def test_what_the_table_names_is_there(scheme: str) -> None:
    named = SOURCES[scheme]
    for opener in (named.sightings, named.replay):
        inspect.signature(resolve_name(opener)).bind(
            f"{scheme}:", TRIUNE, Path("profile.json"), Path("folder")
        )
    if named.frames:
        inspect.signature(resolve_name(named.frames)).bind("argument")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("serial:", True),
        ("serial:virtual", True),
        ("serial", True),
        ("camera:0", False),
        ("trace:serial", False),
        ("telescope:3", False),
        ("", False),
    ],
)
def test_a_sensor_delivers_no_frames(text: str, expected: bool) -> None:
    assert is_sensor(text) is expected


@pytest.mark.parametrize("text", ["telescope:3", "", "virtual", ":0"])
def test_a_source_that_nobody_opens_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_sightings(text, TRIUNE)
    assert str(caught.value) == (
        f"there is no source '{text}': write one of camera[:N or URL], chessnut[:PATH], folder:DIR, "
        "millennium:PORT, picamera, serial:PORT[@BAUD], trace:FILE, video:FILE"
    )


def live(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> AbstractContextManager[SightingSource]:
    raise SourceError(f"live: {text} {board.name} {profile} {folder}")


def replayed(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> AbstractContextManager[SightingSource]:
    raise SourceError(f"replayed: {text} {board.name} {profile} {folder}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("radar:north:1", "live: radar:north:1 triune p.json data"),
        ("trace:{tmp}", "replayed: trace:{tmp} triune p.json data"),
    ],
)
def test_a_source_and_its_trace_are_opened_by_what_the_table_names(
    text: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    radar = Scheme("radar:SIDE", f"{__name__}:live", replay=f"{__name__}:replayed")
    monkeypatch.setitem(SOURCES, "radar", radar)
    TraceWriter(tmp_path, "radar:north:1").close()
    with pytest.raises(SourceError) as caught:
        open_sightings(text.format(tmp=tmp_path), TRIUNE, "p.json", Path("data"))
    assert str(caught.value) == words.format(tmp=tmp_path)


@pytest.mark.parametrize("source", ["camera:0", "virtual", "video", "x"])
def test_a_trace_of_pictures_needs_a_profile_as_its_camera_did(source: str, tmp_path: Path) -> None:
    TraceWriter(tmp_path, source).close()
    with pytest.raises(SourceError, match="needs a profile"):
        open_sightings(f"trace:{tmp_path}", TRIUNE)
