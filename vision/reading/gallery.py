"""The gallery: examples of each look, given by calibration and by the game so far.

A place is compared with all of them. The log-likelihood of a look is that of a mixture of round Gaussians,
one around each of its examples. A look that was never seen is put together from those that share its owner,
its face or its marker, where each of these was seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.game import EMPTY, Look
from companion.language import say
from vision.arrays import Floats, Indices, Singles
from vision.reading.network import Embedding

MOST_EXAMPLES = 48
"""Examples of a look that are kept: more cost time and tell little."""
RIDGE = 0.3
"""Examples' worth by which a part of a look is held to do nothing."""
SELF_DISTANCE = 1e-3
"""Nats within which a place is its own example."""
EXACT_AGAIN, FADES = 30.0, 20.0
"""So many times likelier an example is that is seen again just as it was: about as many as there
are examples of a look. And how much faster that fades with distance than likeness does."""
USUAL, FAR = 1.0, 4.0
"""The distance of a frame's places from the nearest examples, on average, up to which a frame is usual; and
what farther ones count at the most, such as pieces never seen; nats."""
FARTHEST = -60.0
"""Nats of an example that says nothing."""
COMPOSED = 0.48
"""The bonus of a look that was put together; nats, learned with the network's weights."""


@dataclass(frozen=True, eq=False)
class Gallery:
    """`given` from the calibration, `lessons` from the game, newest last; (n, VECTOR) for each look."""

    given: Mapping[Look, Singles]
    lessons: Mapping[Look, Singles]
    looks: tuple[Look, ...]
    """The looks that the game knows."""

    @classmethod
    def of(cls, looks: Sequence[Look], examples: Iterable[tuple[Singles, Sequence[Look]]]) -> Gallery:
        """Makes a gallery of vectors (n, VECTOR) and the looks that they show."""
        found: dict[Look, list[Singles]] = {}
        for vectors, names in examples:
            for look in dict.fromkeys(names):
                found.setdefault(look, []).append(vectors[np.array([name == look for name in names])])
        return cls({look: spread(np.concatenate(v)) for look, v in found.items()}, {}, tuple(looks))

    def taught(self, vectors: Singles, names: Sequence[Look], most: int = 4) -> Gallery:
        """Adds a lesson of the game: at most so many examples of each look. The oldest lessons are
        forgotten."""
        lessons = dict(self.lessons)
        for look in dict.fromkeys(names):
            new = spread(vectors[np.array([name == look for name in names])], most)
            old = lessons.get(look)
            lessons[look] = new if old is None else np.concatenate((old, new))[-MOST_EXAMPLES:]
        return replace(self, lessons=lessons)

    def examples(self, look: Look) -> Singles | None:
        """Returns (n, VECTOR) of a look; None where none was seen."""
        seen = [g[look] for g in (self.given, self.lessons) if look in g]
        return np.concatenate(seen) if seen else None

    def compare(self, seen: Embedding, unprompted: bool = False) -> dict[Look, Singles]:
        """Returns the log-likelihoods (n) of EMPTY and of every look that is known or can be put together.

        `unprompted` leaves each place's own example out. ValueError where no example is of an empty place.
        """
        out: dict[Look, Singles] = {}
        for look in dict.fromkeys((EMPTY, *self.looks)):
            examples = self.examples(look)
            bias = 0.0
            if examples is None and look != EMPTY:
                examples, bias = self.composed(look), COMPOSED
            if examples is None:
                if look == EMPTY:
                    raise ValueError(say("no example of an empty place was given"))
                continue
            score = closeness(seen.vectors, examples, SELF_DISTANCE if unprompted else -1.0)
            out[look] = score if look == EMPTY else score + seen.piece + np.float32(bias)
        return out

    def strangeness(self, vectors: Singles) -> float:
        """Returns how many times farther than usual the places (n, VECTOR) of a frame lie from what they are
        most like; 1 at the least.

        In a light, or by a camera, that no example shows all places are strange, and what examples say of
        them is worth as much less.
        """
        known = [e for look in dict.fromkeys((EMPTY, *self.looks)) if (e := self.examples(look)) is not None]
        if not len(vectors) or not known:
            return 1.0
        nearest = squared_distances(vectors, np.concatenate(known)).min(axis=1)
        return max(1.0, float(np.minimum(nearest, FAR).mean()) / USUAL)

    def composed(self, look: Look) -> Singles | None:
        """Returns the vector (1, VECTOR) that a look should have, as a sum of its parts.

        The parts' shares are fitted to all examples. None where a part was never seen.
        """
        names: list[Look] = []
        vectors: list[Singles] = []
        for name in self.looks:
            examples = None if name == EMPTY else self.examples(name)
            if examples is not None:
                names += [name] * len(examples)
                vectors.append(examples)
        parts = sorted({part for name in names for part in look_parts(name)})
        if not set(look_parts(look)) <= set(parts):
            return None
        known = np.concatenate(vectors)
        mean = known.mean(axis=0)
        design, wanted = part_matrix(names, parts), part_matrix([look], parts)[0]
        normal = design.T @ design + RIDGE * np.eye(len(parts))
        vector = mean + wanted @ np.linalg.solve(normal, design.T @ (known - mean))
        return np.asarray(vector[None], np.float32)


Part = tuple[str, str]
"""A part of a look: which kind of part it is (`owner`), and its name (`red`)."""


def look_parts(look: Look) -> tuple[Part, ...]:
    """Returns the owner, the face and the marker of a look, each with its kind."""
    piece, _, marker = look.partition("+")
    owner, _, face = piece.partition("/")
    return ("owner", owner), ("face", face), ("marker", marker)


def part_matrix(names: Sequence[Look], parts: Sequence[Part]) -> Floats:
    """Returns which looks have which parts: (looks, parts), 1 or 0."""
    rows = [look_parts(name) for name in names]
    return np.array([[part in row for part in parts] for row in rows], float)


def closeness(vectors: Singles, examples: Singles, same: float = -1.0) -> Singles:
    """Returns how close vectors (n) lie to some examples, without those nearer than `same`; nats."""
    near = -squared_distances(vectors, examples)
    near = np.where(near > -same, FARTHEST, near)
    near = near + np.log1p(EXACT_AGAIN * np.exp(FADES * near))
    top = near.max(axis=1)
    mean = np.exp(near - top[:, None]).mean(axis=1)
    return np.asarray(top + np.log(mean), np.float32)


def squared_distances(vectors: Singles, examples: Singles) -> Singles:
    """Returns the squares of the distances (n, m) of vectors and examples; nats."""
    squares = (vectors**2).sum(axis=1)[:, None] + (examples**2).sum(axis=1)
    return np.asarray(np.maximum(squares - 2 * vectors @ examples.T, 0), np.float32)


def spread(vectors: Singles, most: int = MOST_EXAMPLES) -> Singles:
    """Returns at most so many of some vectors (n, VECTOR), taken evenly."""
    return np.asarray(vectors[evenly(len(vectors), most)])


def evenly(count: int, most: int) -> Indices:
    """Returns at most so many of the numbers up to a count, taken evenly."""
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(np.intp)
