"""A bad line between a virtual device and its reader."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class LineNoise:
    """Spoils frames: the chance for each byte to be changed, and for each frame to be lost."""

    flip: float = 0.0
    drop: float = 0.0
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    def __call__(self, frame: bytes) -> bytes:
        if self.rng.random() < self.drop:
            return b""
        return bytes(b ^ self.rng.randrange(256) if self.rng.random() < self.flip else b for b in frame)
