"""The head of a game: names, event, place, round. A change while the game is on is a line of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.comments import tidy_line
from companion.core.game import GameError, Player
from companion.language import say
from companion.record.opponents import COMPANION

HEAD = "head"
"""The kind of an entry by which the arbiter changes the head: `round=3`; `round=` takes it away."""
EVENT_KEYS = ("event", "place", "round", "board")
"""What a head tells of the event: its name, its place, the round, and the board's number there."""
PAIRING = "pairing"
"""The key of a head under which a game names the pairing of a round that it was begun for."""
LAID = "laid"
"""The head's `markers` where the players lay markers; else the companion keeps them alone."""
LONGEST = 80


def keys_of(players: Sequence[Player]) -> tuple[str, ...]:
    """Returns what may be changed of a head while the game goes on."""
    return (*players, *EVENT_KEYS, COMPANION)


def tidy_names(told: Mapping[str, str]) -> dict[str, str]:
    """Returns what a head is told, tidy. GameError for words that are longer than displays have room for."""
    tidy = {key: tidy_line(value) for key, value in told.items()}
    if any(len(value) > LONGEST for value in tidy.values()):
        raise GameError(say("a name has {most} letters at most", most=LONGEST))
    return tidy


def change_head(head: Mapping[str, str], text: str) -> dict[str, str]:
    """Returns a head after a change, which is the text of an entry."""
    key, _, value = text.partition("=")
    kept = {name: told for name, told in head.items() if name != key}
    return {**kept, key: value} if value else kept
