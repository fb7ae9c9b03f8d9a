"""The identifiers that KiCad gives everything: made from names, so that the same tile is the same file."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from hardware.kicad.sexpr import Text


def identify(*names: str) -> Text:
    """Returns the identifier of what bears these names, from the project's name inwards."""
    return Text(uuid5(NAMESPACE_URL, "/".join(("board-companion", *names))))
