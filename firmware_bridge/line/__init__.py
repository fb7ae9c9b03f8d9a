"""The line to a grid: frames, messages, the serial port, and the table of a board's wiring."""
