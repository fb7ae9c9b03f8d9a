"""Says in words why the games, or another file, cannot be written, and what to do about it."""

from __future__ import annotations

from companion.language import say, sentences

UNTIL = say("Nothing is recorded until then; play is watched on.")
ADVICE = (
    (("full", "no space", "quota"), say("the disk is full: make room on it.")),
    (
        ("readonly", "read-only"),
        say("the disk cannot be written: restart the machine; if that does not help, change its card."),
    ),
    (("i/o", "input/output"), say("the disk fails: copy the games to another one, and change it.")),
    (("locked",), say("another program holds the file of the games: end it.")),
)
"""Words of SQLite's message or the system's, and what they mean for a person."""


def is_trouble(error: Exception) -> bool:
    """Returns whether an error is a disk's, which a person can do something about, and no fault of ours."""
    return bool(_advice(error))


def say_trouble(error: Exception) -> str:
    """Returns why the games cannot be written, and what to do."""
    return _advice(error) or say(
        "the games cannot be written ({message}): see 'companion doctor'. {until}",
        message=str(error),
        until=UNTIL,
    )


def _advice(error: Exception) -> str:
    """Returns what an error means for a person; '' where that is not known."""
    message = str(getattr(error, "strerror", None) or error).lower()  # a file's name says nothing
    found = (words for signs, words in ADVICE if any(sign in message for sign in signs))
    return next((sentences(words, UNTIL) for words in found), "")
