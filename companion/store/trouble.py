"""Says in words why the games cannot be written, and what to do about it."""

from __future__ import annotations

import sqlite3

from companion.language import say

UNTIL = say("Nothing is recorded until then; play is watched on.")
ADVICE = (
    ("full", say("the disk is full: make room on it.")),
    (
        "readonly",
        say("the disk cannot be written: restart the machine; if that does not help, change its card."),
    ),
    ("i/o", say("the disk fails: copy the games to another one, and change it.")),
    ("locked", say("another program holds the file of the games: end it.")),
)
"""A word of SQLite's message, and what it means for a person."""


def say_trouble(error: sqlite3.Error) -> str:
    """Returns why the games cannot be written, and what to do."""
    message = str(error)
    for sign, words in ADVICE:
        if sign in message.lower():
            return f"{words} {UNTIL}"
    return say(
        "the games cannot be written ({message}): see 'companion doctor'. {until}",
        message=message,
        until=UNTIL,
    )
