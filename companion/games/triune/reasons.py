"""Triune's refusals in words: for each broken rule the one thing that is wrong here."""

from __future__ import annotations

from companion.core.game import Breach
from companion.core.players import say_player
from companion.games.reasons import say_blocked, say_whose
from companion.games.triune.board import INDEX, TARGETS
from companion.games.triune.judge import SPELLING
from companion.games.triune.position import PLAYERS, TRIUNE, Position
from companion.language import Message, NamedPhrases, say

LENGTHS: NamedPhrases = {
    "TR-3": "A solid piece moves exactly one square; {start} to {end} is {steps}.",
    "TR-4": "A marked piece moves exactly three squares; {start} to {end} is {steps}.",
    "TR-5": "A marked piece moves exactly three squares; {start} to {end} is {steps}.",
    "TR-11": "A Triune moves one square or three; {start} to {end} is {steps}.",
}


def explain(position: Position, action: str, breach: Breach) -> Message:
    match = SPELLING.fullmatch(action)
    if not match:
        return say("{player} cannot pass: a flip is always possible.", player=say_player(position.turn))
    start, _, end, _, _ = match.groups()
    match breach.rule:
        case "TR-1":
            return say_whose(start, _owner(position, start), position.turn)
        case "TR-2":
            return say("{start} to {end} is no straight line.", start=start, end=end)
        case "TR-6":
            return say_blocked(breach.sites)
        case "TR-7":
            return say(
                "{player} has a piece on {end} already.", player=say_player(_owner(position, end)), end=end
            )
        case "TR-8":
            return _say_capture(position, end)
        case "TR-10":
            return _say_crown(position, start, end)
    if not end:
        return say("The piece on {start} is a Triune, which has no other side to show.", start=start)
    return _say_length(position, breach.rule, start, end)


def _owner(position: Position, square: str) -> str:
    piece = position.squares[INDEX[square]]
    return PLAYERS[piece >> 2] if piece else ""


def _say_capture(position: Position, end: str) -> Message:
    if position.squares[INDEX[end]]:
        return say(
            "{player} has a piece on {end}: this move captures it.",
            player=say_player(_owner(position, end)),
            end=end,
        )
    return say("There is nothing to capture on {end}.", end=end)


def _say_crown(position: Position, start: str, end: str) -> Message:
    if position.squares[INDEX[start]] & 3 == TRIUNE:
        return say("The piece on {start} is a Triune already.", start=start)
    if INDEX[end] in TARGETS[position.squares[INDEX[start]] >> 2]:
        return say("A piece that reaches {end} becomes a Triune.", end=end)
    return say(
        "No piece of {player} becomes a Triune on {end}.", player=say_player(_owner(position, start)), end=end
    )


def _say_length(position: Position, rule: str, start: str, end: str) -> Message:
    dx, dy = (abs(ord(a) - ord(b)) for a, b in zip(start, end, strict=True))
    steps = max(dx, dy)
    if rule == "TR-5" and position.squares[INDEX[end]]:
        return say("A marked piece that stops at the edge captures nothing; {end} is occupied.", end=end)
    return say(LENGTHS[rule], start=start, end=end, steps=steps)
