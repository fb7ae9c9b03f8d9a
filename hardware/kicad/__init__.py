"""A printed circuit board for square boards, as a KiCad project that is made from the wiring's table."""
