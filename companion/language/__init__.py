"""Words for people, in the language of whoever reads them.

The program writes in English: `say("{player} moves from {start} to {end}.", …)` returns a `Message`, which is
that text and remembers how it was made. Where words leave for a display, `translated` puts every message of
them into the display's language, from the catalogues `*.po` in this folder. What a catalogue lacks stays
English.
"""

from companion.language.catalogue import ENGLISH, LANGUAGES, page_words
from companion.language.message import (
    Message,
    NamedPhrases,
    Phrases,
    listed,
    say,
    say_count,
    say_in,
    say_text,
    sentences,
)
from companion.language.translation import translated

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "Message",
    "NamedPhrases",
    "Phrases",
    "listed",
    "page_words",
    "say",
    "say_count",
    "say_in",
    "say_text",
    "sentences",
    "translated",
]
