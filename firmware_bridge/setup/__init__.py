"""Setting a grid up: commissioning, from the empty board to the sheet, and a test later."""
