"""Measurements, printed as ratios and percentiles: `python -m benchmarks NAME`.

Each module here is one measurement; its head says what is measured, how it is run and what it prints.
`running`, `simulation` and `picture_sets` hold what several of them, and some tests, share.
"""

import vision  # noqa: F401  (before numpy, as in the product: products of matrices in one thread)
