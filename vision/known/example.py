"""Pictures of known positions, from which readers learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.game import Look, Place
from vision.arrays import Image


@dataclass(frozen=True, eq=False)
class Example:
    """A picture (h, w, 3) of a known position; places left out are empty."""

    image: Image
    looks: Mapping[Place, Look]
