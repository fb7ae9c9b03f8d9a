"""A grid in play: its calibration, what its sensors say, which of them go bad, its lamps; a virtual one."""
