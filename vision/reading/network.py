"""The network that turns a place into numbers which can be compared.

It was trained to put places with the same look close together and others far apart, on tables it had never
seen (`vision.training.places`; docs/model.md has its data, figures and limits). OpenCV runs it: no other
library is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.arrays import Singles
from vision.networks import Network

VECTOR = 64
"""Numbers of a place's vector; squared distances between vectors are nats."""
NETWORK = Network(Path(__file__).with_name("places.onnx"))


@dataclass(frozen=True, eq=False)
class Embedding:
    """Places as the network sees them.

    `vectors` (n, VECTOR); how much likelier than an empty place it finds each one, whatever the board, to
    hold a piece (`piece`), a piece unlike all that are known (`novel`), or to be covered by something else
    (`covered`); (n), nats.
    """

    vectors: Singles
    piece: Singles
    novel: Singles
    covered: Singles


def embed(planes: Singles) -> Embedding:
    """Returns the embedding of n places, from their planes (`vision.reading.sight`)."""
    if not len(planes):
        none = np.empty(0, np.float32)
        return Embedding(np.empty((0, VECTOR), np.float32), none, none, none)
    out = NETWORK.run(planes)
    return Embedding(out[:, :VECTOR], out[:, VECTOR], out[:, VECTOR + 1], out[:, VECTOR + 2])
