"""Sheets to print: where to drill a board for its sensors."""
