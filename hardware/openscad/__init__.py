"""Sources of the parts that are printed, for OpenSCAD, and what exports them with a board's measures."""
