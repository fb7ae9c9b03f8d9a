"""Escape! in words: the intersections that an action names, sentences for events, labels and prompts.

A jump or a whole chain of jumps is `e5>h8`, a sneak `e5~e3`. An action that ends out of bounds also names
where its owner puts the pawn, `b6>a8=d1`. A player without a move plays `pass`.
"""

from __future__ import annotations

from companion.core.game import Action, Place
from companion.games.escape.judge import JUMP, judge_landings
from companion.games.escape.moves import can_move, sites_of
from companion.games.escape.position import Position, winner
from companion.language import NamedPhrases, say

LABELS: NamedPhrases = {
    "(?P<start>.*)>(?P<end>[^=]*)": "{start} jumps to {end}",
    "(?P<start>.*)~(?P<end>[^=]*)": "{start} sneaks to {end}",
    "(?P<start>.*)>(?P<end>.*)=(?P<back>.*)": "{start} jumps to {end}, returned to {back}",
    "(?P<start>.*)~(?P<end>.*)=(?P<back>.*)": "{start} sneaks to {end}, returned to {back}",
    "pass": "pass",
}
SENTENCES: NamedPhrases = {
    "jumped": "{player} jumps from {start} to {end}.",
    "sneaked": "{player} sneaks from {start} to {end}.",
    "escaped": "The pawn on {sites} escapes: {player} has {left} left.",
    "returned": "{end} is out of bounds: the pawn is returned to {start}.",
    "passed": "{player} has no move and passes.",
    "won": "{player} wins: all pawns have escaped.",
}
ACTION_KINDS: NamedPhrases = {
    "[^=]*>[^=]*": "jump",
    ".*>.*=.*": "jump out of bounds",
    "[^=]*~[^=]*": "sneak",
    ".*~.*=.*": "sneak out of bounds",
    "pass": "pass",
}


def path(action: Action) -> tuple[Place, ...]:
    return tuple(sites_of(action))


def read(position: Position, text: str) -> Action:
    """Returns the canonical spelling of a chain written in full, if each of its jumps is legal.

    `e5>g6>h8` is the jump from its start to its last landing, `e5>h8`. Any other text is returned as it is.
    """
    match = JUMP.fullmatch(text)
    if not match or any(site not in position.net.index for site in sites_of(text)):
        return text
    chain = sites_of(text.partition("=")[0])
    if len(chain) == 2 or any(judge_landings(position, chain)):
        return text
    back = f"={match[1]}" if match[1] else ""
    return f"{chain[0]}>{chain[-1]}{back}"


def prompt(position: Position) -> str:
    if winner(position):
        return ""
    return say("jump or sneak with one pawn") if can_move(position) else say("no pawn can move: pass")
