"""Parts of `python -m benchmarks hall`."""
