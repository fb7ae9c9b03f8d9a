"""The base of the errors that are told to a person.

A command prints such an error as one line and ends; the page shows it where it was caused. All other
exceptions are faults of the program, or of the system it runs on.
"""

from __future__ import annotations


class CompanionError(Exception):
    """Something that cannot be done. Its text is one line, which says what is wrong or what to do."""
