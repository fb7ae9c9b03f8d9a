"""Attacks on the companion: each module here is one, run by `python -m benchmarks attack NAME`.

Each prints what it did and what it measured, and returns 1 where a mark is missed. Their traffic goes to
127.0.0.0/8 alone, and is bounded in number and time.
"""
