"""Messages in English and in other languages, and the catalogues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.core.players import say_player
from companion.language import catalogue as catalogues
from companion.language import listed, page_words, say, say_count, say_in, say_text, sentences, translated
from companion.language.message import Message

KING = "white king"
PO = r"""
msgid ""
msgstr ""
"Language: de\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"Content-Type: text/plain; charset=utf-8\n"

#: companion/x.py
msgid "white king"
msgstr "weißer König"

msgctxt "den"
msgid "white king"
msgstr "den weißen König"

msgctxt "draughts"
msgid "white king"
msgstr "weiße Dame"

msgctxt "draughts den"
msgid "white king"
msgstr "die weiße Dame"

msgid "Put {piece:the} back on {place}."
msgstr "Stelle {piece:den} auf {place} zurück."

msgid "{items} and {last}"
msgstr "{items} und {last}"

#: web/static/js/display/x.js
msgid "{n} move"
msgid_plural "{n} moves"
msgstr[0] "{n} Zug"
msgstr[1] "{n} Züge"

msgid "{seconds:.1f} s late"
msgstr "{seconds:.1f} s zu spät"

msgid "board {name}: {volts:g} V"
msgstr "Brett {name}: {volts:g} V"

msgid "not yet"
msgstr ""
"""


@pytest.fixture(autouse=True)
def small_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small German catalogue in place of the product's."""
    (tmp_path / "de.po").write_text(PO, encoding="utf-8")
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    monkeypatch.setattr(catalogues, "LANGUAGES", ("en", "de"))


def put_back() -> Message:
    return say("Put {piece:the} back on {place}.", piece=say(KING), place="e1")


@pytest.mark.parametrize(
    ("message", "english", "german"),
    [
        (say(KING), "white king", "weißer König"),
        (say_in("draughts", KING), "white king", "weiße Dame"),
        (say_in("chess", KING), "white king", "weißer König"),
        (put_back(), "Put the white king back on e1.", "Stelle den weißen König auf e1 zurück."),
        (
            say("Put {piece:the} back on {place}.", piece=say_in("draughts", KING), place="e1"),
            "Put the white king back on e1.",
            "Stelle die weiße Dame auf e1 zurück.",
        ),
        (say("{piece:a} is there", piece=say("ore")), "an ore is there", "an ore is there"),
        (say_count("{n} move", "{n} moves", 1), "1 move", "1 Zug"),
        (say_count("{n} move", "{n} moves", 3), "3 moves", "3 Züge"),
        (listed(["a1", "b1", say(KING)]), "a1, b1 and white king", "a1, b1 und weißer König"),
        (listed(["a1"]), "a1", "a1"),
        (sentences(put_back(), "", "2."), "Put the white king back on e1. 2.", None),
        (say("not yet"), "not yet", "not yet"),
        (say("{seconds:.1f} s", seconds=1.25), "1.2 s", "1.2 s"),
        (say("{seconds:.1f} s late", seconds=1.25), "1.2 s late", "1,2 s zu spät"),
        (say("board {name}: {volts:g} V", name="2.0", volts=3.3), "board 2.0: 3.3 V", "Brett 2.0: 3,3 V"),
        (
            say("board {name}: {volts:g} V", name=ValueError(say(KING)), volts=1),
            "board white king: 1 V",
            "Brett weißer König: 1 V",
        ),
    ],
)
def test_a_message_is_said_in_each_language(message: Message, english: str, german: str | None) -> None:
    assert message == english
    assert translated(message, "en") == english
    if german is not None:
        assert translated(message, "de") == german


def test_a_sentence_that_is_not_translated_stays_wholly_english() -> None:
    message = say("Take {piece:the} off.", piece=say(KING))
    assert translated(message, "de") == "Take the white king off."


def test_a_message_survives_as_text_and_in_errors() -> None:
    message = put_back()
    for kept in (str(message), f"{message}", str(ValueError(message))):
        assert translated(kept, "de") == "Stelle den weißen König auf e1 zurück."
    assert json.loads(json.dumps([message])) == ["Put the white king back on e1."]


def test_all_messages_in_data_are_translated() -> None:
    data = {"words": [put_back(), "e1"], "n": 3, "none": None, "pair": (say(KING), True)}
    assert translated(data, "de") == {
        "words": ["Stelle den weißen König auf e1 zurück.", "e1"],
        "n": 3,
        "none": None,
        "pair": ["weißer König", True],
    }


def test_the_page_gets_the_words_of_its_own_code() -> None:
    assert page_words("de") == {"{n} move": ("{n} Zug", "{n} Züge")}
    assert page_words("en") == {}


def test_a_language_without_a_catalogue_is_none() -> None:
    with pytest.raises(KeyError):
        catalogues.catalogue("it")


@pytest.mark.parametrize("text", ["{white}", "{", "}", "{0}", "{:>9999999999}", "a {b!x} c", "{{", ""])
def test_a_text_from_outside_is_no_template(text: str) -> None:
    assert say_text(text) == text
    assert translated(say_text(text), "de") == text
    assert translated(say("{who} plays", who=say_text(text)), "de") == f"{text} plays"
    assert say_player(text) == text.capitalize()


def test_a_text_from_outside_is_said_where_a_catalogue_knows_it() -> None:
    assert translated(say_text(KING), "de") == "weißer König"
    assert translated(say_text(KING, "draughts"), "de") == "weiße Dame"
    assert translated(say_text("{n} move"), "de") == "{n} move"
