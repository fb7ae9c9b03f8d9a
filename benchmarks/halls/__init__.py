"""The parts of `python -m benchmarks hall`: a hall's programs, boards that play, and who watches them."""
