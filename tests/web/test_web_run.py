"""`companion run` as it is started, with a recording for its camera: what is played appears on the page."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import pytest
from web_pages import expect, leave, visit

from companion.table.desk import Desk
from companion.table.table import Table
from tests.stores import open_store
from web.cli import _begin

MATE = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
WRITTEN = ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]
PATIENCE = 240_000
"""Milliseconds for a recording of 40 seconds, which plays slower on a busy machine."""


def companion(*arguments: str) -> list[str]:
    return [str(Path(sys.executable).with_name("companion")), *arguments]


@contextmanager
def running(*arguments: str) -> Iterator[str]:
    """The address of a `companion run` on a free port."""
    command = companion("run", "--port", "0", *arguments)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            greeting = process.stdout.readline()
            found = re.search(r"http://\S+/", greeting)
            assert found, greeting
            yield found[0]
        finally:
            process.terminate()


@pytest.mark.browser
@pytest.mark.parametrize(("plies", "frame"), [(5, 187), pytest.param(0, 0, marks=pytest.mark.soak)])
def test_a_recorded_game_appears_while_it_is_played(
    browser: Any, shared: Path, tmp_path: Path, plies: int, frame: int
) -> None:
    """Its end, from the frame at which so many plies had been played; the whole of it in the soak."""
    whole = cv2.VideoCapture(str(shared / "photos" / "webcam-chess" / "scholarsmate.avi"))
    quiet, profile, rest = (str(tmp_path / name) for name in ("quiet.png", "profile.json", "rest.avi"))
    cv2.imwrite(quiet, whole.read()[1])
    subprocess.run(
        companion("calibrate", "--game", "chess", "--image", quiet, "-o", profile),
        check=True, capture_output=True,
    )  # fmt: skip
    whole.set(cv2.CAP_PROP_POS_FRAMES, frame)
    video = cv2.VideoWriter(rest, cv2.VideoWriter.fourcc(*"MJPG"), whole.get(cv2.CAP_PROP_FPS), (640, 480))
    while (read := whole.read())[0]:
        video.write(read[1])
    video.release()
    told = ("--game", " ".join(["chess", *MATE[:plies]]), "--source", f"video:{rest}", "--profile", profile)
    with running(*told, "--data", str(tmp_path / "data")) as address:
        page = visit(browser, address, "tablet")
        expect(page.locator("#moves .move .action")).to_have_text(WRITTEN, timeout=PATIENCE)
        expect(page.locator(".turn .name")).to_have_text("White wins")
        expect(page.locator(".turn .prompt")).to_have_text("Checkmate")
        leave(page)


def test_a_game_that_cannot_be_gone_on_with_keeps_nobody_from_playing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store(tmp_path / "games.sqlite")
    number = store.begin("triune", {"clock": "5 elephants"}, 1.0)
    with Table(Desk(store)) as table:
        _begin(table, store, None)
        assert table.snapshot.session is None
        assert f"game {number} cannot be gone on with: '5 elephants'" in capsys.readouterr().err
