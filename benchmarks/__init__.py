"""Measurements, printed as ratios and percentiles: `python -m benchmarks NAME`."""

import vision  # noqa: F401  (before numpy, as in the product: products of matrices in one thread)
