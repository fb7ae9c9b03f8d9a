"""The wall, which shows all boards of a hall, and the arbiter's desk; see docs/wall.md."""
