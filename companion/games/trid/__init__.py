"""TRID: three kinds of pawns on a hexagon of triangles, and the controlling triangles that they make."""

from companion.games.trid.rules import Trid

__all__ = ["Trid"]
