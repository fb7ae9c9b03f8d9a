"""TRID: three kinds of pawns on a hexagon of triangles, and the controlling triangles that they make."""
