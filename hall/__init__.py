"""A hall of boards: archive, wall, arbiter's desk and rounds, on what boards tell; see docs/hall.md."""
