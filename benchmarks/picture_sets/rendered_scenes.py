"""Rendered scenes: sequences of pictures of games, with what stands where in each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from benchmarks.picture_sets.series import Series, Shot, homography, picture
from companion.games.text import replay, split
from vision.arrays import Floats, Image
from vision.reading.reader import Reader
from vision.training.truth import Entry, rendered_looks, truth_of


@dataclass(frozen=True, eq=False)
class RenderedScene:
    """One sequence; `truth` is what its truth.json says."""

    folder: Path
    truth: Entry

    @classmethod
    def load(cls, path: Path) -> RenderedScene:
        """Reads a scene from its truth.json."""
        return cls(path.parent, truth_of(path.parent))

    @property
    def game(self) -> str:
        return str(self.truth["game"])

    @property
    def entries(self) -> list[Entry]:
        """All pictures but that of the empty board."""
        return list(self.truth["images"][1:])

    def picture(self, entry: Entry) -> Image:
        return picture(self.folder / entry["file"])

    def looks(self, entry: Entry) -> dict[str, str]:
        """Returns the look of each place that is not empty, as the games spell it."""
        return rendered_looks(self.truth, entry)

    @property
    def lessons(self) -> list[Entry]:
        """The start, and at most two later pictures with looks that are new."""
        entries: list[Entry] = []
        known: set[str] = set()
        for entry in self.entries:
            new = set(self.looks(entry).values()) - known
            if not (entry["hand"] or entry["illegal"]) and (not entries or (new and len(entries) <= 2)):
                entries.append(entry)
                known |= new
        return entries

    @cached_property
    def series(self) -> Series:
        """Learned from the empty board and the lessons; all other pictures are read, the lessons too."""
        head, actions = split(self.truth["text"])
        played, position, _ = replay(head.text(actions))
        lessons = []
        for entry in self.lessons:
            game, then, _ = replay(head.text(actions[: entry["ply"]]))
            lessons.append(replace(self._shot(entry), looks=dict(game.rules.look(then))))
        return Series(
            f"{self.folder.parent.name}/{self.game}",
            played.board,
            played.head,
            tuple(played.rules.looks(position)),
            tuple(lessons),
            tuple(self._shot(entry) for entry in self.entries),
            empty=self._shot(self.truth["images"][0]),
            south=not self.truth["has_markers"],
        )

    def learned(self) -> Reader:
        return Reader(self.series.profile(), self.series.board)

    def _shot(self, entry: Entry) -> Shot:
        return Shot(
            entry["file"],
            lambda: self.picture(entry),
            self.looks(entry),
            bool(entry["hand"]),
            self._matrices[entry["view"]],
            entry["view"],
        )

    @cached_property
    def _matrices(self) -> list[Floats]:
        """The homography of each view, from steps to pixels; the bend of the lens is left out."""
        board = replay(self.truth["text"])[0].board
        views = [view["sites"] for view in self.truth["views"]]
        return [homography([board.sites[s] for s in sites], list(sites.values())) for sites in views]


def scenes(folder: Path) -> list[RenderedScene]:
    """Returns all below a folder: GAME/truth.json, or SEED/GAME/truth.json."""
    return [RenderedScene.load(path) for path in sorted(folder.rglob("truth.json"))]
