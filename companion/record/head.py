"""The head of a game: names, event, place, round. A change while the game is on is a line of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.comments import tidy_line
from companion.core.game import Player
from companion.record.opponents import COMPANION

HEAD = "head"
"""The kind of an entry by which the arbiter changes the head: `round=3`; `round=` takes it away."""
EVENT_KEYS = ("event", "place", "round", "board")
"""What a head tells of the event: its name, its place, the round, and the board's number there."""
PAIRING = "pairing"
"""The key of a head under which a game names the pairing of a round that it was begun for."""
LONGEST = 80


def keys_of(players: Sequence[Player]) -> tuple[str, ...]:
    """Returns what may be changed of a head while the game goes on."""
    return (*players, *EVENT_KEYS, COMPANION)


def write_change(key: str, value: str) -> str:
    """Returns a change as the text of an entry, tidy and of a length that any display has room for."""
    return f"{key}={tidy_line(value)[:LONGEST].rstrip()}"


def change_head(head: Mapping[str, str], text: str) -> dict[str, str]:
    """Returns a head after a change, which is the text of an entry."""
    key, _, value = text.partition("=")
    kept = {name: told for name, told in head.items() if name != key}
    return {**kept, key: value} if value else kept
