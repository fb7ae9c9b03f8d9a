"""Triune in words: the squares that an action names, sentences for events, and labels.

Actions are `a2-a3` (a move), `a2xa3` (a capture), `a7-a8=T` (either, to become a Triune) and `a2~` (a flip).
"""

from __future__ import annotations

import re

from companion.core.game import Action, Place
from companion.language import NamedPhrases

SITE = re.compile(r"[a-h][1-8]")
PIECE_NAMES: NamedPhrases = {"solid": "solid piece", "marked": "marked piece", "triune": "Triune"}
SENTENCES: NamedPhrases = {
    "moved": "{player} moves {piece:a} from {start} to {end}.",
    "captured": "{player} captures {piece:a} on {sites}.",
    "flipped": "{player} flips the piece on {sites}: it is now {piece:a}.",
    "crowned": "{player} has a new Triune on {sites}.",
    "won": "{player} wins: one opposing piece is left.",
}
ACTION_KINDS: NamedPhrases = {
    ".*-..": "move",
    ".*x..": "capture",
    ".*-..=T": "move, become a Triune",
    ".*x..=T": "capture, become a Triune",
    ".*~": "flip",
}
LABELS: NamedPhrases = {"(?P<place>.*)~": "flip {place}"}


def path(action: Action) -> tuple[Place, ...]:
    return tuple(SITE.findall(action))
