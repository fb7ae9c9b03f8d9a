"""A game as it is kept: its log, its clock, and the forms in which it is read and written."""
