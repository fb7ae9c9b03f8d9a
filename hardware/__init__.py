"""Hardware beside camera and grid: the panel, the watchdog, the doctor, and the drawings to build from."""
