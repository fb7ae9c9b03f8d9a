"""The log of a long-running command: an entry is a line on standard error, where a journal takes it.

Words of strangers come into it: the path of a request, a letter of a board. So a character that is not
printable is written as an escape, and the lines of a traceback are indented: nobody forges an entry, or
colours a terminal.
"""

from __future__ import annotations

import logging

MARGIN = "    "
"""What stands before each further line of an entry."""


def keep_journal() -> None:
    """Writes warnings, and what is worse, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Escaped("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


class _Escaped(logging.Formatter):
    """Writes entries in which nothing but a traceback begins a line."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (the name is logging's)
        return _escaped(super().formatMessage(record))

    def formatException(self, ei: logging._SysExcInfoType) -> str:  # noqa: N802
        return "\n".join(MARGIN + _escaped(line) for line in super().formatException(ei).split("\n"))


def _escaped(text: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
