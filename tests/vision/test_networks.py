"""Networks are run by several threads at once, each with its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from vision.reading.crops import HEIGHT, WIDTH
from vision.reading.network import VECTOR, Embedding, embed


def planes(seed: int) -> np.ndarray:
    """Those of as many places as the seed says, made by chance."""
    return np.random.default_rng(seed).random((seed, 7, HEIGHT, WIDTH), dtype=np.float32)


def test_threads_do_not_disturb_each_other() -> None:
    alone = [embed(planes(n)) for n in range(1, 9)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda n: embed(planes(n)), [*range(1, 9)] * 4))
    for n, seen in enumerate(together):
        assert np.allclose(seen.vectors, alone[n % 8].vectors, atol=1e-4)


def test_no_places_are_nothing() -> None:
    seen = embed(np.empty((0, 7, HEIGHT, WIDTH), np.float32))
    assert isinstance(seen, Embedding)
    assert seen.vectors.shape == (0, VECTOR)
    assert not len(seen.novel)
