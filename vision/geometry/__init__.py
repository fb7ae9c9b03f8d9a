"""Geometry: where the points of a board lie in a camera's pictures."""
