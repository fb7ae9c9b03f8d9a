"""Sensing: sources, the observations that they report, and the tracker of boards that hold in time."""
