"""Breaches: gathers those that a judge found one by one, so that each broken rule is named once."""

from collections.abc import Iterable

from companion.core.game import Breach, Place


def by_rule(breaches: Iterable[Breach]) -> tuple[Breach, ...]:
    """Returns one breach for each rule, in the order found, with all of its places."""
    found: dict[str, dict[Place, None]] = {}
    words: dict[str, str] = {}
    for breach in breaches:
        found.setdefault(breach.rule, {}).update(dict.fromkeys(breach.sites))
        words.setdefault(breach.rule, breach.words)
    return tuple(Breach(rule, tuple(places), words[rule]) for rule, places in found.items())
