"""Calibration: from pictures of known positions to a profile, and its file."""
