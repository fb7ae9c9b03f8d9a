"""The gallery: examples of each look, given by calibration and by the game so far.

A place is compared with all of them. A look's log-likelihood is that of a mixture of round Gaussians, one
around each of its examples. A look of which none was seen is put together from those that share its owner,
its face or its marker, where each of these was seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.core import EMPTY, Look
from vision.reading.network import Embedding

Singles = npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]

MOST = 48
"""Examples of a look that are kept: more cost time and tell little."""
RIDGE = 0.3
"""Examples' worth by which a part of a look is held to do nothing."""
SAME = 1e-3
"""Nats within which a place is its own example."""
AGAIN, FADES = 30.0, 20.0
"""So many times likelier an example is that is seen again just as it was: about as many as there
are examples of a look. And how much faster that fades with distance than likeness does."""
FARTHEST = -60.0
"""Nats of an example that says nothing."""
COMPOSED = 0.51
"""What is added to a look that was put together; nats, learned with the network's weights."""


@dataclass(frozen=True, eq=False)
class Gallery:
    """`given` from the calibration, `lessons` from the game, newest last; (n, VECTOR) for each look."""

    given: Mapping[Look, Singles]
    lessons: Mapping[Look, Singles]
    looks: tuple[Look, ...]
    """The looks that the game knows."""

    @classmethod
    def of(cls, looks: Sequence[Look], examples: Iterable[tuple[Singles, Sequence[Look]]]) -> Gallery:
        """From vectors (n, VECTOR) and what they show."""
        found: dict[Look, list[Singles]] = {}
        for vectors, names in examples:
            for look in dict.fromkeys(names):
                found.setdefault(look, []).append(vectors[np.array([name == look for name in names])])
        return cls({look: spread(np.concatenate(v)) for look, v in found.items()}, {}, tuple(looks))

    def taught(self, vectors: Singles, names: Sequence[Look], most: int = 4) -> Gallery:
        """With a lesson of the game: at most so many examples of each look, the oldest lessons forgotten."""
        lessons = dict(self.lessons)
        for look in dict.fromkeys(names):
            new = spread(vectors[np.array([name == look for name in names])], most)
            old = lessons.get(look)
            lessons[look] = new if old is None else np.concatenate((old, new))[-MOST:]
        return replace(self, lessons=lessons)

    def examples(self, look: Look) -> Singles | None:
        """(n, VECTOR) of a look; None where none was seen."""
        seen = [g[look] for g in (self.given, self.lessons) if look in g]
        return np.concatenate(seen) if seen else None

    def compare(self, seen: Embedding, unprompted: bool = False) -> dict[Look, Singles]:
        """Log-likelihoods (n) of every look that is known or can be put together; EMPTY always. `unprompted`
        leaves each place's own example out."""
        out: dict[Look, Singles] = {}
        for look in dict.fromkeys((EMPTY, *self.looks)):
            examples = self.examples(look)
            bias = 0.0
            if examples is None and look != EMPTY:
                examples, bias = self._composed(look), COMPOSED
            if examples is None:
                if look == EMPTY:
                    raise ValueError("no example of an empty place was given")
                continue
            score = closeness(seen.vectors, examples, SAME if unprompted else -1.0)
            out[look] = score if look == EMPTY else score + seen.piece + np.float32(bias)
        return out

    def _composed(self, look: Look) -> Singles | None:
        """(1, VECTOR): where a look's vector should lie, as a sum of its parts; None where one of them was
        never seen."""
        known = [(name, e) for name in self.looks if name != EMPTY and (e := self.examples(name)) is not None]
        parts = sorted({part for name, _ in known for part in parts_of(name)})
        if not set(parts_of(look)) <= set(parts):
            return None
        vectors = np.concatenate([e for _, e in known])
        design = np.array([[p in parts_of(name) for p in parts] for name, e in known for _ in e], float)
        wanted = np.array([p in parts_of(look) for p in parts], float)
        mean = vectors.mean(axis=0)
        normal = design.T @ design + RIDGE * np.eye(len(parts))
        composed = mean + wanted @ np.linalg.solve(normal, design.T @ (vectors - mean))
        return np.asarray(composed[None], np.float32)


def parts_of(look: Look) -> tuple[tuple[str, str], ...]:
    """Owner, face and marker of a look."""
    piece, _, marker = look.partition("+")
    owner, _, face = piece.partition("/")
    return ("owner", owner), ("face", face), ("marker", marker)


def closeness(vectors: Singles, examples: Singles, same: float = -1.0) -> Singles:
    """(n): how close vectors lie to some examples, but for those nearer than `same`; nats."""
    squares = (vectors**2).sum(axis=1)[:, None] + (examples**2).sum(axis=1)
    near = np.minimum(2 * vectors @ examples.T - squares, 0)
    near = np.where(near > -same, FARTHEST, near)
    near = near + np.log1p(AGAIN * np.exp(FADES * near))
    top = near.max(axis=1)
    mean = np.exp(near - top[:, None]).mean(axis=1)
    return np.asarray(top + np.log(mean), np.float32)


def spread(vectors: Singles, most: int = MOST) -> Singles:
    """At most so many of them, taken evenly."""
    return np.asarray(vectors[evenly(len(vectors), most)])


def evenly(count: int, most: int) -> Indices:
    """At most so many of the numbers up to count, taken evenly."""
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(np.intp)
