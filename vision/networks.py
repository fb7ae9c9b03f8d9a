"""Runs trained networks (ONNX files) with OpenCV.

A network that OpenCV has loaded cannot serve several threads at once, and a camera is read in one thread
while the page asks in another. So each thread has its own, loaded when it first asks.
"""

from __future__ import annotations

from pathlib import Path
from threading import local

import cv2
import numpy as np

from vision.arrays import Singles

MOST_INPUTS = 16
"""Inputs that are run at once: OpenCV keeps what its layers told of each, and is no faster with more."""


class Network:
    """The network of a file (ONNX); any number of threads may run it."""

    def __init__(self, file: Path) -> None:
        self.file, self._thread = file, local()

    def run(self, planes: Singles) -> Singles:
        """Returns the network's answers to a batch (n, …); their shape is the network's."""
        network, told = self._network(), []
        for start in range(0, len(planes), MOST_INPUTS):
            network.setInput(planes[start : start + MOST_INPUTS])
            told.append(np.array(network.forward(), np.float32))
        return np.concatenate(told)

    def _network(self) -> cv2.dnn.Net:
        """Returns this thread's network, loaded when it is first asked for."""
        if not hasattr(self._thread, "network"):
            self._thread.network = cv2.dnn.readNetFromONNX(str(self.file))
        network: cv2.dnn.Net = self._thread.network
        return network
