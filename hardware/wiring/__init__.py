"""Wiring of a grid, as drawings for people and as a header for the firmware."""
