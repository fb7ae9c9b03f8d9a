"""Films a real game with the page beside it: `python -m benchmarks film [FILE] [--shared DIR]`.

The recorded game lies beside the repository (`shared/photos/webcam-chess`, by Wolfgang Fahl, Apache-2.0). Its
board is learned from one frame, every frame is refereed as `companion run` does it, and four times a second
the page is photographed as a browser shows it at that moment.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
from PIL import Image
from playwright.sync_api import sync_playwright

from benchmarks.picture_sets import SHARED
from benchmarks.picture_sets.photographs import PLAIN
from benchmarks.picture_sets.series import frames
from benchmarks.pictures import OUT, PageScene, laid
from companion.games.text import split
from companion.sensing.sources import Learner, open_sightings
from companion.table.messages import SightingArrived
from companion.table.table import Table
from vision.calibration.calibrate import calibrate
from vision.known.example import Example

FILM = OUT.parent / "real-game.webp"
VIDEO = Path("photos/webcam-chess/scholarsmate.avi")
CORNERS = [(507.0, 377.0), (506.0, 10.0), (140.0, 5.0), (137.0, 374.0)]
"""South-west, south-east, north-east and north-west of the recorded board."""
HEAD = {"white": "Ann", "black": "Ben"}
EVERY, RATE = 5, 20.0
"""One frame of so many is shown; frames a second."""
BOARD = (100, 0, 540, 400)
"""The part of a frame that is shown: left, top, right, bottom."""
WHITE_BELOW = Image.Transpose.ROTATE_270
PAGE = (800, 480)
HEIGHT = 400
END_MS = 4000
"""So long the last picture stays."""
QUALITY = 55
REFRESHED = 150
"""Milliseconds until a page shows what its table knows."""


def learn(video: Path, profile: Path) -> None:
    """Learns the board and the pieces from one frame of the start position."""
    game = split("chess")[0]
    start = game.start()
    frame = list(frames(video))[PLAIN]
    looks, example = game.rules.looks(start), Example(frame, game.rules.look(start))
    calibrate(game.board, "chess", looks, [example], [], CORNERS).save(profile)


def beside(frame: Any, page: bytes) -> Image.Image:
    """Returns the board as the camera saw it, and to its right the page."""
    seen = Image.fromarray(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)).crop(BOARD).transpose(WHITE_BELOW)
    shown = Image.open(io.BytesIO(page)).convert("RGB")
    shown = shown.resize((shown.width * HEIGHT // shown.height, HEIGHT), Image.Resampling.LANCZOS)
    seen = seen.resize((seen.width * HEIGHT // seen.height, HEIGHT), Image.Resampling.LANCZOS)
    both = Image.new("RGB", (seen.width + shown.width, HEIGHT))
    both.paste(seen, (0, 0))
    both.paste(shown, (seen.width, 0))
    return both


def film(video: Path, chromium: str) -> list[Image.Image]:
    """Referees the recorded game, and returns a picture of every moment that is shown."""
    taken: list[Image.Image] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        learn(video, folder / "profile.json")
        tables: list[Table] = []
        scene = PageScene("film", "chess", prepare=tables.append, head=HEAD)
        address = stack.enter_context(laid(scene))
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        stack.callback(browser.close)
        page = browser.new_page(viewport={"width": PAGE[0], "height": PAGE[1]})
        page.goto(address)
        page.locator("#board [data-place=e2]").first.wait_for(state="attached")
        board = split("chess")[0].board
        source = stack.enter_context(open_sightings(f"video:{video}", board, folder / "profile.json"))
        for index, (frame, sighting) in enumerate(zip(frames(video), source.sightings(), strict=False)):
            tables[0].ask(SightingArrived(sighting))
            session = tables[0].snapshot.session
            if isinstance(source, Learner) and session:
                source.learn(sighting, session.look, ())
            if index % EVERY == 0:
                page.wait_for_timeout(REFRESHED)
                taken.append(beside(frame, page.screenshot()))
        print(tables[0].snapshot.session.text if tables[0].snapshot.session else "no game")
    return taken


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks film")
    parser.add_argument("file", nargs="?", type=Path, default=FILM)
    parser.add_argument("--shared", type=Path, default=SHARED, metavar="DIR", help="has photos/")
    asked = parser.parse_args(args)
    video, chromium = asked.shared / VIDEO, shutil.which("chromium")
    if not video.is_file() or chromium is None:
        print(f"film needs Chromium, and {video}: name its folder with --shared", file=sys.stderr)
        return 2
    taken = film(video, chromium)
    times = [int(1000 * EVERY / RATE)] * (len(taken) - 1) + [END_MS]
    taken[0].save(
        asked.file, "webp", save_all=True, append_images=taken[1:], duration=times, loop=0,
        quality=QUALITY, method=6, minimize_size=True,
    )  # fmt: skip
    print(f"{len(taken)} pictures, {asked.file.stat().st_size / 1e6:.2f} MB in {asked.file}")
    return 0
