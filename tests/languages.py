"""A language for tests, in which everything that a catalogue gave is marked: ⟦Pass the tablet to ⟪Bo⟫⟧.

It stands in the place of German. In ⟦…⟧ are the words of a catalogue, in ⟪…⟫ the values that were filled in,
which are translated themselves or are data: names, places, moves, numbers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from companion.language import catalogue as catalogues

PSEUDO = "de"
EXTRACTOR = Path(__file__).parents[1] / ".ci" / "catalogues.py"
HEADER = r"""msgid ""
msgstr ""
"Language: de\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"Content-Type: text/plain; charset=utf-8\n"

"""
FIELD = re.compile(r"\{\w[^{}]*\}")
LETTERS = re.compile(r"[^\W\d_]{2,}")
BRACKETS = {"⟦": "⟧", "⟪": "⟫"}


@contextmanager
def speaking_pseudo(folder: Path) -> Iterator[str]:
    """Has the program speak the marked language, whose catalogue is in the folder."""
    with patch.object(catalogues, "FOLDER", folder):
        yield PSEUDO


def load_extractor() -> Any:
    """Returns the module that reads the texts of the program."""
    spec = spec_from_file_location("catalogues", EXTRACTOR)
    assert spec is not None
    assert spec.loader is not None
    extractor = module_from_spec(spec)
    spec.loader.exec_module(extractor)
    return extractor


def write_marked_catalogue(folder: Path) -> None:
    """Writes a catalogue of all texts that the program has now, whatever those in the repository have."""
    from babel.messages.pofile import write_po

    template = load_extractor()._template()
    for entry in template:
        one = isinstance(entry.id, str)
        entry.string = marked(entry.id) if one else tuple(marked(text) for text in entry.id)
    body = BytesIO()
    write_po(body, template, omit_header=True)
    (folder / f"{PSEUDO}.po").write_bytes(HEADER.encode() + body.getvalue())


def marked(text: str) -> str:
    """Returns a template in the marked language."""
    return "⟦" + FIELD.sub(r"⟪\g<0>⟫", text) + "⟧"


def untranslated(text: str, data: Collection[str] = ()) -> list[str]:
    """Returns the words of a text that no catalogue gave. Those in `data`, and all with a digit, are none."""
    return [word for part in _bare_parts(text) for word in part.split() if _says_something(word, data)]


def _bare_parts(text: str) -> Iterator[str]:
    """Yields the parts of a text that are not between ⟦ and ⟧, and those between ⟪ and ⟫ therein."""
    open_brackets: list[str] = []
    bare = ""
    for letter in text:
        if letter in BRACKETS or letter in BRACKETS.values():
            yield bare
            bare = ""
            if letter in BRACKETS:
                open_brackets.append(letter)
            elif open_brackets:
                open_brackets.pop()
        elif open_brackets[-1:] != ["⟦"]:
            bare += letter
    yield bare


def _says_something(word: str, data: Collection[str]) -> bool:
    return not any(letter.isdigit() for letter in word) and any(
        found not in data for found in LETTERS.findall(word)
    )
