"""Chess, joined to the contract of a game. The `chess` library (GPL-3, an optional extra) knows its rules."""
