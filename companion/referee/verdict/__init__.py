"""The verdict: the meaning of an observation for the game.

The `referee` collects candidates, in this order: what may have been taken back (`takeback`), played
(`continuation`), or played instead of what was misread (`misreading`). The likeliest of them makes a
`finding`. Where none explains the board, a `refusal` names the rule that was broken (`offence`) and the steps
that put the board right (`guide`).
"""
