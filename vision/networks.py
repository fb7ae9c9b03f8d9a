"""Trained networks, run by OpenCV.

What OpenCV loads is not for several threads at once, and a camera is read in one thread while a page asks in
another: so each thread has its own, loaded when it first asks.
"""

from __future__ import annotations

from pathlib import Path
from threading import local

import cv2
import numpy as np
import numpy.typing as npt

Singles = npt.NDArray[np.float32]


class Network:
    """The network of a file (ONNX); any number of threads may run it."""

    def __init__(self, file: Path) -> None:
        self._file, self._thread = file, local()

    def run(self, planes: Singles) -> Singles:
        """What the network makes of a batch (n, …)."""
        network = self._network()
        network.setInput(planes)
        return np.asarray(network.forward(), np.float32)

    def _network(self) -> cv2.dnn.Net:
        """That of this thread."""
        if not hasattr(self._thread, "network"):
            self._thread.network = cv2.dnn.readNetFromONNX(str(self._file))
        network: cv2.dnn.Net = self._thread.network
        return network
