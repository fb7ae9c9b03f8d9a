"""Occlusion: what a frame would show without a hand, and where it shows something else."""
