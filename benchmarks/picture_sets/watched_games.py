"""Scores whole made games as a user would: `companion calibrate` from the first picture alone, then
`companion watch` of the folder.

    python -m benchmarks eyes games [--sets NAME…] [--games N] [--seed N] [--plies N] [--shake PX] [--out DIR]
        [--jobs N] [--shared DIR] [--json FILE]

`--games` makes so many games of each set, of the seeds from `--seed` on; `--shake` shifts each picture by at
most so many pixels each way; `--out` keeps the pictures, as DIR/SET/SEED/. The same seeds make the same
games.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import cv2
from click.testing import CliRunner

from benchmarks.picture_sets import SHARED
from benchmarks.picture_sets.accuracy_page import table
from benchmarks.picture_sets.cutouts import SOURCES, Table
from benchmarks.picture_sets.cutouts import table as table_of
from benchmarks.picture_sets.made_games import PLIES, make
from benchmarks.picture_sets.reaching_hands import ReachingHand, reaching_hands
from companion.cli.watch import referee, with_troubles_reported
from companion.games.text import replay, split
from companion.sensing.observation import Sighting
from companion.sensing.sources import Learner, open_sightings
from companion.store.store import Store
from companion.table import messages
from companion.table.desk import Desk
from companion.wire.events import RecordTold
from vision.cli import calibrate

GAMES = 4
PER = 500
"""The plies by which false refusals are counted."""
HEADS = [
    "set",
    "games transcribed whole",
    "plies before the first error",
    f"false refusals in {PER} plies",
    "mistakes refused",
    "questions",
    "seconds a picture (median, 95th)",
]


@dataclass
class GameScore:
    """The course of one made game, as it was followed."""

    set: str
    seed: int
    plies: int = 0
    right: int = 0
    """Plies of the record before its first error."""
    is_whole: bool = False
    refused: list[str] = field(default_factory=list)
    """The pictures at which something was refused that was allowed."""
    mistakes: int = 0
    noticed: int = 0
    asked: int = 0
    seconds: list[float] = field(default_factory=list)
    trouble: str = ""
    first_error: str = ""
    """What was recorded first otherwise than it was played, and after which picture."""


def watched(folder: Path) -> GameScore:
    """Calibrates by the first picture of a made game, watches all of them, and scores what was said."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    score = GameScore(truth["set"], truth["seed"], len(truth["moves"]))
    rows = truth["pictures"]
    score.mistakes = sum(row["mistake"] for row in rows)
    with TemporaryDirectory() as kept:
        profile = Path(kept) / "profile.json"
        corners = " ".join(f"{x},{y}" for x, y in rows[0]["corners"])
        first = f"{folder / rows[0]['file']}@0"
        options = ["--game", "chess", "--image", first, "--corners", corners, "-o", str(profile)]
        told = CliRunner().invoke(calibrate, options)
        if told.exit_code:
            score.trouble = f"calibrate: {told.output.strip()[-200:] or told.exception}"
            return score
        record = _follow(folder, profile, rows, score)
    wanted = truth["moves"]
    same = next((n for n, (a, b) in enumerate(zip(record, wanted, strict=False)) if a != b), None)
    score.right = min(len(record), len(wanted)) if same is None else same
    score.is_whole = list(record) == wanted
    if not score.is_whole:
        n = score.right
        said, played = (text[n] if n < len(text) else "nothing" for text in (record, wanted))
        score.first_error = f"ply {n + 1}: {said} for {played}"
    return score


def _follow(
    folder: Path, profile: Path, rows: Sequence[Mapping[str, Any]], score: GameScore
) -> tuple[str, ...]:
    """Watches a folder as `companion watch` does, and returns the actions of the record."""
    at, noticed, before = 0, set(), perf_counter()

    def timed(seen: Iterator[Sighting]) -> Iterator[Sighting]:
        nonlocal at, before
        for index, sighting in enumerate(seen):
            at = index
            yield sighting
            score.seconds.append(perf_counter() - before)
            before = perf_counter()

    record = "chess"
    with ExitStack() as stack:
        desk = Desk(stack.enter_context(Store(":memory:")))
        desk.handle(messages.NewGame("chess"))
        board = replay("chess")[0].board
        source = stack.enter_context(open_sightings(f"folder:{folder}", board, profile))
        learners = [source] if isinstance(source, Learner) else []
        before = perf_counter()
        for event in referee(desk, with_troubles_reported(timed(source.sightings())), learners):
            row = rows[min(at, len(rows) - 1)]
            if event.event == "refused":
                wrong = next((n for n in (at, at - 1) if 0 <= n < len(rows) and rows[n]["mistake"]), None)
                if wrong is None or wrong in noticed:
                    score.refused.append(str(row["file"]))
                else:
                    noticed.add(wrong)
            elif event.event == "ask":
                score.asked += 1
            elif isinstance(event, RecordTold):
                record = event.text
    score.noticed = len(noticed)
    return split(record)[1]


@cache
def _table(photos: Path, name: str) -> Table:
    return table_of(photos, next(source for source in SOURCES if source.name == name))


@cache
def _hands(photos: Path) -> list[ReachingHand]:
    return reaching_hands(photos)


def made_and_watched(
    photos: Path, name: str, seeds: Sequence[int], plies: int, out: Path, shake: float
) -> list[GameScore]:
    """Makes games of one set and follows them; the pictures are left in `out`."""
    cv2.setNumThreads(1)
    scores = []
    for seed in seeds:
        folder = out / name / str(seed)
        make(_table(photos, name), _hands(photos), seed, plies, folder, shake)
        scores.append(watched(folder))
        print(_line(scores[-1]), file=sys.stderr, flush=True)
    return scores


def _line(score: GameScore) -> str:
    return (
        f"{score.set} {score.seed}: {score.right}/{score.plies} plies,"
        f" refused {score.noticed}/{score.mistakes} and falsely {' '.join(score.refused) or 'none'},"
        f" asked {score.asked}; {score.first_error} {score.trouble}"
    ).strip()


def row(name: str, scores: Sequence[GameScore]) -> list[str]:
    """Returns the row of the table for some games."""
    plies = sum(score.plies for score in scores)
    seconds = sorted(s for score in scores for s in score.seconds) or [0.0]
    before = sum(score.right for score in scores) / len(scores)
    return [
        name,
        f"{sum(score.is_whole for score in scores)}/{len(scores)}",
        f"{before:.1f} of {plies / len(scores):.0f}",
        f"{PER * sum(len(score.refused) for score in scores) / max(1, plies):.1f}",
        f"{sum(score.noticed for score in scores)}/{sum(score.mistakes for score in scores)}",
        str(sum(score.asked for score in scores)),
        f"{seconds[len(seconds) // 2]:.2f}, {seconds[int(0.95 * (len(seconds) - 1))]:.2f}",
    ]


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks eyes games")
    parser.add_argument("--sets", nargs="+", metavar="NAME", help="only sets whose names begin so")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help="games of each set")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the first game")
    parser.add_argument("--plies", type=int, default=PLIES, metavar="N", help="plies of a game")
    parser.add_argument(
        "--shake", type=float, default=0.0, metavar="PX", help="the most by which each picture is shifted"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="keeps the pictures: DIR/SET/SEED/")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many sets at once")
    parser.add_argument("--shared", type=Path, default=SHARED, metavar="DIR", help="has photos/")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures, as JSON")
    asked = parser.parse_args(args)
    photos = asked.shared / "photos"
    sources = [s for s in SOURCES if (photos / s.name).is_dir()]
    wanted = [s for s in sources if not asked.sets or s.name.startswith(tuple(asked.sets))]
    if not wanted:
        names = "; ".join(s.name for s in sources) or "none: name a folder with --shared"
        print(f"eyes games: no such set; there are {names}", file=sys.stderr)
        return 2
    seeds = range(asked.seed, asked.seed + asked.games)
    with ExitStack() as stack:
        out = asked.out or Path(stack.enter_context(TemporaryDirectory()))
        if asked.jobs > 1:
            pool = stack.enter_context(ProcessPoolExecutor(asked.jobs))
            coming = [
                pool.submit(made_and_watched, photos, s.name, seeds, asked.plies, out, asked.shake)
                for s in wanted
            ]
            scores = [score for one in coming for score in one.result()]
        else:
            scores = [
                score
                for s in wanted
                for score in made_and_watched(photos, s.name, seeds, asked.plies, out, asked.shake)
            ]
    rows = [row(s.name, [one for one in scores if one.set == s.name]) for s in wanted]
    print(table(HEADS, [*rows, row("all", scores)]))
    if asked.json:
        asked.json.write_text(json.dumps([vars(one) for one in scores], indent=1) + "\n", encoding="utf-8")
    return 0
