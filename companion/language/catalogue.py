"""The catalogues: one gettext file for each language, `LANGUAGE.po` in this folder.

A further language is one more file there. It holds the words of the whole program: rules, refusals, the page.
A catalogue is read when somebody first asks for its language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path

FOLDER = Path(__file__).parent
ENGLISH = "en"
LANGUAGES: tuple[str, ...] = (ENGLISH, *sorted(file.stem for file in FOLDER.glob("*.po")))
"""The languages that the program speaks, by their codes."""
PAGE = "web/static/js/"
"""The folder of the page's own code, as the catalogues name it."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The words of one language."""

    texts: Mapping[tuple[str, str], tuple[str, ...]]
    """For each context, as the file has it, and English text the language's words: of a pair for one and many
    as many as it knows."""
    plural: Callable[[int], int]
    """Returns which of the words for a number of things is the right one."""
    page: Mapping[str, tuple[str, ...]]
    """The templates that the page's own code says."""
    point: str
    """What stands before the decimals of a number."""

    def find(self, text: str, form: str = "", count: int = 1, context: str = "") -> str | None:
        """Returns the words for an English text in a form (else the plain ones), as they are said in a
        context (else anywhere); None where it has none."""
        contexts = (f"{context} {form}".strip(), context, form, "")
        words = next((self.texts[key] for key in ((c, text) for c in contexts) if key in self.texts), None)
        if not words:
            return None
        return words[self.plural(count)] if len(words) > 1 else words[0]


def catalogue(language: str) -> Catalogue:
    """Returns the catalogue of a language. KeyError for one that has none."""
    if language == ENGLISH or language not in LANGUAGES:
        raise KeyError(language)
    return _read(FOLDER, language)


@cache
def _read(folder: Path, language: str) -> Catalogue:
    # Babel is imported late: a companion that speaks English needs no catalogue.
    from babel.messages.pofile import read_po
    from babel.numbers import get_decimal_symbol

    with (folder / f"{language}.po").open("rb") as file:
        entries = read_po(file)
    texts: dict[tuple[str, str], tuple[str, ...]] = {}
    page: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        text = entry.id if isinstance(entry.id, str) else entry.id[0]
        words = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
        if not text or entry.fuzzy or not words or not all(words):
            continue
        texts[entry.context or "", text] = words
        if any(place.startswith(PAGE) for place, _ in entry.locations):
            page[text] = words
    return Catalogue(texts, c2py(entries.plural_expr), page, get_decimal_symbol(language))


def page_words(language: str) -> Mapping[str, tuple[str, ...]]:
    """Returns the words of the page's own code in a language, by the English ones; none for English."""
    return {} if language == ENGLISH else catalogue(language).page
