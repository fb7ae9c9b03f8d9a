"""The addresses of the wall, by subject."""
