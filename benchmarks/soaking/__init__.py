"""A long evening at one table, for `python -m benchmarks soak`: the table, its players, and the displays."""
