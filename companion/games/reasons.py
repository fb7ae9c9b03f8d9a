"""The parts that judges of games share: breaches gathered by their rules, and sentences for refusals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from companion.core.game import Breach, Place, Player
from companion.core.players import say_player
from companion.core.rules import Rules
from companion.language import listed, say, say_count
from companion.language.message import Message, Template


def by_rule(breaches: Iterable[Breach]) -> tuple[Breach, ...]:
    """Returns one breach for each rule, in the order found, with all of its places."""
    found: dict[str, dict[Place, None]] = {}
    words: dict[str, str] = {}
    for breach in breaches:
        found.setdefault(breach.rule, {}).update(dict.fromkeys(breach.sites))
        words.setdefault(breach.rule, breach.words)
    return tuple(Breach(rule, tuple(places), words[rule]) for rule, places in found.items())


def explained(
    rules: Rules[Any], position: Any, action: str, breaches: Iterable[Breach]
) -> tuple[Breach, ...]:
    """Returns the breaches that a judge found, those of all games with a sentence too.

    Where nothing of the player's own was moved, that is all that is said: further rules would help nobody.
    """
    spelled = rules.read(position, action)
    found = tuple(
        breach if breach.words else replace(breach, words=_general(rules, position, spelled, breach.rule))
        for breach in breaches
    )
    return tuple(breach for breach in found if _tells_whose(breach))[:1] or found


def _tells_whose(breach: Breach) -> bool:
    """Returns whether a breach is told by `say_whose`."""
    return isinstance(breach.words, Template) and breach.words.one in _TELL_WHOSE


def _general(rules: Rules[Any], position: Any, action: str, rule: str) -> str:
    """Returns the sentence for a rule of all games; '' for another one."""
    match rule:
        case "GEN-1":
            return say("{game} has no action '{action}' on this board.", game=rules.title, action=action)
        case "GEN-2":
            return say("It is {player}'s turn.", player=say_player(position.to_act))
        case "GEN-3":
            return say("This game has ended already.")
        case "GEN-4":
            return say("What was done here is no action of {game}.", game=rules.title)
    return ""


def say_whose(place: Place, owner: Player, turn: Player) -> Template:
    """Says that nothing stands on a place ('' for its owner), or another player's piece."""
    if not owner:
        return say("There is no piece on {place}.", place=place)
    return say(
        "The piece on {place} belongs to {owner}, and it is {player}'s turn.",
        place=place,
        owner=say_player(owner),
        player=say_player(turn),
    )


_TELL_WHOSE = [say_whose("", owner, "").one for owner in ("", "red")]


def say_blocked(places: Sequence[Place]) -> Message:
    """Says that pieces are in the way."""
    return say_count(
        "The piece on {places} is in the way.",
        "The pieces on {places} are in the way.",
        len(places),
        places=listed(places),
    )


def say_occupied(place: Place) -> Message:
    return say("{place} is occupied.", place=place)
