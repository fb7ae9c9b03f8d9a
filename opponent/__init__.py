"""Plays and judges every game of the companion: an opponent, hints, and a look back at what was played.

`mind` answers a `Question` by a `Choice`; `thinker` does that in a process of its own.
"""
