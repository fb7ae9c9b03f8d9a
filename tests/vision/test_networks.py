"""Networks are run by several threads at once, each with its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision
from vision.networks import MOST_INPUTS, Network
from vision.occlusion.network import COARSE, NETWORK
from vision.reading.crops import HEIGHT, WIDTH
from vision.reading.network import VECTOR, Embedding, embed

NETWORKS = sorted(Path(vision.__file__).parent.rglob("*.onnx"))


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


def test_one_network_answers_pictures_of_all_sizes() -> None:
    for size in ((1, 8, 16, 32), (1, 8, 240, 320), (1, 8, 16, 32)):
        answer = NETWORK.run(np.zeros(size, np.float32))
        assert answer.shape == (1, 1, size[2] // COARSE, size[3] // COARSE)


@pytest.mark.parametrize("file", NETWORKS, ids=lambda file: file.name)
def test_opencv_4_loads_them_too(file: Path) -> None:
    """A Raspberry Pi's own cameras need NumPy 1, and with it OpenCV 4: nothing was read there."""
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)  # OpenCV 4's importer, in OpenCV 5
    cv2.dnn.readNetFromONNX(str(file), *([classic] if classic is not None else []))


def test_many_places_are_run_some_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Doubling:
        """A network whose answers are its inputs twice, in memory that it uses again."""

        def setInput(self, batch: np.ndarray) -> None:  # noqa: N802, OpenCV's name
            asked.append(len(batch))
            memory[: len(batch)] = 2 * batch

        def forward(self) -> np.ndarray:
            return memory[: asked[-1]]

    memory, many = np.zeros((MOST_INPUTS, 3), np.float32), np.arange(120, dtype=np.float32).reshape(40, 3)
    network = Network(Path())
    monkeypatch.setattr(network, "_network", Doubling)
    assert np.array_equal(network.run(many), 2 * many)
    assert asked == [16, 16, 8]
