"""Breaches found one by one, gathered into a verdict."""

from collections.abc import Iterable

from companion.core import Breach, Place


def by_rule(breaches: Iterable[Breach]) -> tuple[Breach, ...]:
    """One breach for each rule, in the order found, with all of its places."""
    found: dict[str, dict[Place, None]] = {}
    for breach in breaches:
        found.setdefault(breach.rule, {}).update(dict.fromkeys(breach.sites))
    return tuple(Breach(rule, tuple(places)) for rule, places in found.items())
