"""`companion watch`: several sources as one, what is told of them, and what cannot be watched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.watch import profiles_by_source, sightings, with_troubles_reported
from companion.sensing.observation import Sighting
from companion.sensing.sources import SourceError


class Seen:
    """A source that has these times to tell, and then breaks where it is to."""

    def __init__(self, name: str, times: tuple[float, ...], live: bool = False, broken: str = "") -> None:
        self.name, self.times, self.live, self.broken = name, times, live, broken

    def sightings(self) -> Iterator[Sighting]:
        for time in self.times:
            yield Sighting(time, self.name, None)
        if self.broken:
            raise SourceError(self.broken)


def test_files_are_told_in_the_order_of_time() -> None:
    seen = sightings([Seen("a", (0.0, 2.0, 5.0)), Seen("b", (1.0, 3.0))])
    assert [(s.time, s.source) for s in seen] == [(0, "a"), (1, "b"), (2, "a"), (3, "b"), (5, "a")]


def test_devices_are_told_as_they_come_until_all_have_ended() -> None:
    seen = list(sightings([Seen("a", (0.0, 2.0), live=True), Seen("b", (9.0,), live=True), Seen("c", ())]))
    assert [s.time for s in seen if s.source == "a"] == [0, 2]
    assert [s.time for s in seen if s.source == "b"] == [9]


@pytest.mark.parametrize("live", [False, True])
def test_what_breaks_a_source_is_raised_after_what_it_saw(live: bool) -> None:
    seen = sightings([Seen("a", (0.0,), live, "the file ends in the middle")])
    assert next(seen).time == 0
    with pytest.raises(SourceError, match="in the middle"):
        next(seen)


def test_what_troubles_a_source_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    troubles = ("", "cable", "cable", "", "cable", "power")
    seen = [Sighting(float(n), "serial:", None, trouble=words) for n, words in enumerate(troubles)]
    assert list(with_troubles_reported(seen)) == seen
    assert capsys.readouterr().err.splitlines() == ["serial: cable", "serial: power"]


@pytest.mark.parametrize(
    ("sources", "profiles", "expected"),
    [
        ("camera:0", "", {}),
        ("camera:0", "p", {"camera:0": "p"}),
        ("serial: camera:0", "p", {"camera:0": "p"}),
        ("camera:0 camera:1", "p", {"camera:0": "p", "camera:1": "p"}),
        ("camera:0 serial: camera:1", "p q", {"camera:0": "p", "camera:1": "q"}),
    ],
)
def test_profiles_go_to_the_cameras_in_their_order(
    sources: str, profiles: str, expected: dict[str, str]
) -> None:
    assert profiles_by_source(sources.split(), profiles.split()) == expected


@pytest.mark.parametrize(
    ("source", "profile", "words"),
    [
        ("telescope:3", None, "there is no source 'telescope:3'"),
        ("serial:/dev/ttyACM0@x", None, "write serial:PORT[@BAUD]"),
        ("trace:", None, "write trace:FILE"),
        ("trace:none", None, "cannot read trace 'none'"),
        ("folder:pictures", None, "needs a profile"),
        ("folder:pictures", "none.json", "none.json"),
        ("folder:none", None, "there is no such folder"),
        ("folder:pictures", "pictures/1.png", "pictures/1.png"),
    ],
)
def test_what_cannot_be_watched_is_refused_in_one_line(
    source: str,
    profile: str | None,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pictures").mkdir()
    Path("pictures/1.png").write_bytes(b"no picture, no profile")
    options = ["--profile", profile] if profile else []
    with pytest.raises(SystemExit) as ended:
        main(["watch", "--game", "triune", "--source", source, *options])
    said = capsys.readouterr()
    assert (ended.value.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert words in said.err
