"""Reading: from one frame of a camera to how likely each look is on each place (`reader` is the chain)."""
