"""Defines what is fuzzed: a target makes inputs, and hands them to the product under its laws."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Protocol


class BrokenLawError(Exception):
    """A law that an input broke, in words."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of an input: how many parts of it were accepted, and the words that refused the
    others."""

    accepted: int
    refusals: tuple[str, ...] = ()


ACCEPTED = Outcome(1)


def refused(words: str) -> Outcome:
    """Returns the outcome of an input that is refused as a whole."""
    return Outcome(0, (words,))


def demand(holds: bool, law: str) -> None:
    """Raises a BrokenLawError with the words of a law that does not hold."""
    if not holds:
        raise BrokenLawError(law)


class Target(Protocol):
    """A part of the product that takes something in. An input is the content of a file."""

    suffix: str
    """The ending of a file that holds an input."""

    def make(self, chance: Random) -> bytes:
        """Returns an input. The same chance makes the same one, whatever was made before."""

    def attempt(self, content: bytes) -> Outcome:
        """Hands an input to the product. Raises a BrokenLawError, or whatever the product let out."""

    def close(self) -> None:
        """Removes what the target keeps."""
