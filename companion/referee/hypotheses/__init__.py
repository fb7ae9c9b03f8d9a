"""Hypotheses of what may have happened: sessions that would explain the board, and how they differ.

A `belief` is the accepted session with its rivals; a candidate is a session that may join them. `choices`
asks players where rivals part. `hidden_alternatives` yields what would have looked the same, `histories`
compares sessions, and `paths` says where actions take hands.
"""
