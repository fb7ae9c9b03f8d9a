"""A hall of boards: archive, wall, arbiter's desk and rounds, on what boards tell a broker; see docs/hall.md."""
