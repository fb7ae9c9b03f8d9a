"""Measurements, printed as ratios and percentiles: `python -m benchmarks NAME`."""
