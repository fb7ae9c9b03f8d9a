"""Reads JSON that somebody else may have written."""

from __future__ import annotations

import json
import re
from typing import Any

HALVES = re.compile("[\ud800-\udfff]")
"""Half characters (surrogates): JSON can spell them, and no file and no terminal can hold them."""


def parse_json(text: str | bytes) -> Any:
    """Returns what JSON says. ValueError for a text that is none, and for one with half a character.

    RecursionError for one that is nested too deep.
    """
    data = json.loads(text)
    if HALVES.search(json.dumps(data, ensure_ascii=False)):
        raise ValueError("half a character is spelled in it (\\ud800 to \\udfff)")
    return data
