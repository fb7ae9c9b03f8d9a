"""The archive of a hall: all lines of all games in PostgreSQL or SQLite; see docs/archive.md."""
