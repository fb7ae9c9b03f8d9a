"""Comments on games as plain values, and the tidying of what people write.

A comment is kept with tidy lines, so that it can be written and shown anywhere.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from companion.core.game import GameError
from companion.language import say

LONGEST_COMMENT = 2000
LIKE = str.maketrans("łøđı’‘‐–", "lodi''--")
"""Letters without a mark of their own, and what keyboards of tablets put for other signs."""


class CommentError(GameError):
    """A comment that is too long."""


class Comment(NamedTuple):
    """The text of a comment, and who made it: a player, the arbiter, or '' for nobody known."""

    text: str
    by: str = ""


def folded(text: str) -> str:
    """Returns a text as it is compared by whoever looks for it: without capitals and marks."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold().translate(LIKE))
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def tidy_comment(text: str) -> str:
    """Returns a comment as it is kept: tidy lines. CommentError when it is too long."""
    tidy = tidy_lines(text)
    if len(tidy) > LONGEST_COMMENT:
        raise CommentError(
            say("a comment has at most {most} characters, not {n}", most=LONGEST_COMMENT, n=len(tidy))
        )
    return tidy


def tidy_lines(text: str) -> str:
    """Returns the text of a comment with tidy lines, however long it is."""
    return "\n".join(map(tidy_line, text.splitlines())).strip()


def tidy_line(text: str) -> str:
    """Returns words as they can be kept and shown anywhere: single blanks, and only what can be printed."""
    tidy = " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())
    return text if tidy == text else tidy  # a message that is tidy stays one
