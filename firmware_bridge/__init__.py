"""The bridge to the sensor grid: sightings come out of it.

- `line` speaks with the device: frames and messages, the serial port, and how a board's sensors are wired;
- `sensing` reads a grid in play, by its calibration; a virtual grid stands in for one;
- `setup` commissions a grid, which makes the calibration, and tests it.

A room imports those before it. `cli` has the commands.
"""
