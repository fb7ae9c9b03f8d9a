"""The language for tests marks what a catalogue gave, and finds what none did."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.core.board import FORMAT, BoardError, parse_board
from companion.games.text import read_game
from companion.language import say, say_count, translated
from companion.language.catalogue import FOLDER
from companion.referee.verdict.guide import say_look
from tests.languages import load_extractor, marked, untranslated
from vision.calibration.profile import FORMAT as PROFILE_FORMAT
from vision.calibration.profile import ProfileError, parse_profile

ROOT = Path(__file__).resolve().parents[1]


def test_all_that_is_said_is_marked(pseudo_language: str) -> None:
    inner = say("{items} or {last}", items="a1", last="b1")
    words = translated(say("{items} and {last}", items="e4", last=inner), pseudo_language)
    assert words == "⟦⟪e4⟫ and ⟪⟦⟪a1⟫ or ⟪b1⟫⟧⟫⟧"
    assert translated(say_count("no such {n}", "no such {n}", 2), pseudo_language) == "no such 2"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("⟦Pass the tablet to ⟪Bo⟫⟧", []),
        ("⟦⟪⟦white king⟧⟫ on ⟪e1⟫⟧", []),
        ("e2>e4 · 10+5, ⟦drawn⟧ (O-O)", []),
        ("⟦To move:⟧ red", ["red"]),
        ("⟦⟪red⟫ moves⟧", ["red"]),
        ("Undo", ["Undo"]),
    ],
)
def test_what_no_catalogue_gave_is_found(text: str, found: list[str]) -> None:
    assert untranslated(text, data=("Bo",)) == found


def test_the_terms_that_are_told_are_those_of_the_catalogues() -> None:
    table = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8").partition("## Terms")[2]
    heads, _, *rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("|")]
    codes = {"German": "de", "French": "fr", "Spanish": "es"}
    for language, *terms in list(zip(heads, *rows, strict=True))[1:]:
        catalogue = (FOLDER / f"{codes[language.strip()]}.po").read_text(encoding="utf-8").lower()
        told = [word.strip().lower() for term in terms for word in re.split(r"[;,]|\(.*?\)", term)]
        assert [word for word in told if word not in catalogue] == []


def test_fields_keep_their_forms() -> None:
    assert marked("{piece:the} after {s:.1f} s") == "⟦⟪{piece:the}⟫ after ⟪{s:.1f}⟫ s⟧"


@pytest.mark.parametrize(
    ("game", "look", "words"),
    [
        ("chess", "white/king", ("white king", "weißer König", "roi blanc", "rey blanco")),
        ("draughts", "white/king", ("white king", "weiße Dame", "dame blanche", "dama blanca")),
        ("draughts", "black/man", ("black man", "schwarzer Stein", "pion noir", "peón negro")),
        ("chess", "white", ("white piece", "weiße Figur", "pièce blanche", "pieza blanca")),
        ("ternion_factor", "white", ("white pawn", "weißer Stein", "pion blanc", "peón blanco")),
        ("ternion_spaces", "red", ("red pawn", "roter Stein", "pion rouge", "peón rojo")),
        ("escape", "south", ("pawn of South", "Stein von Süd", "pion de Sud", "peón de Sur")),
        ("no_overlap", "solver", ("pawn", "Stein", "pion", "peón")),
        ("teleporters", "south/pole", ("Pole of South", "Pol von Süd", "Pôle de Sud", "Polo de Sur")),
        ("rooks", "solver/teleport", ("Teleport", "Teleport", "Téléport", "Teleport")),
    ],
)
def test_a_piece_is_called_as_its_game_calls_it(game: str, look: str, words: tuple[str, ...]) -> None:
    said = say_look(read_game(game).board.pieces, look)
    assert tuple(translated(said, language) for language in ("en", "de", "fr", "es")) == words


def test_what_is_wrong_with_a_file_is_said_in_each_language() -> None:
    with pytest.raises(BoardError) as board:
        parse_board({"format": FORMAT, "corners": [], "outline": []})
    with pytest.raises(ProfileError) as profile:
        parse_profile({"format": PROFILE_FORMAT, "board": 7}, "oak")
    assert translated(str(board.value), "de") == "corners muss 4 Werte haben"
    assert translated(str(profile.value), "fr").startswith("le profil « oak » est endommagé (")
    assert " doit être " in translated(str(profile.value), "fr")


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ('t("one")', [("one", "")]),
        ('t("a long " +\n  "text", { a: 3 })', [("a long text", "")]),
        ('tn("one {n}", "{n} of them", n)', [("one {n}", "{n} of them")]),
        ('`${t("in {a}", { a: 3 })} and ${t("two")}`', [("in {a}", ""), ("two", "")]),
        (
            '`${all.map((v) => { return `${t("within")} ${v}`; })} ${t("after")}`',
            [("within", ""), ("after", "")],
        ),
        ('t("out: {a}", { a: t("in") })', [("out: {a}", ""), ("in", "")]),
        ("// a phone's `\nt('it\\'s')", [("it's", "")]),
        ('x.replace(/[`"]/g, ""); t("one")', [("one", "")]),
        ('function t(text) {} route.t("none"); "t(" + `t("words")`', []),
    ],
)
def test_texts_are_found_wherever_the_page_says_them(code: str, texts: list[tuple[str, str]]) -> None:
    assert [text[:2] for text in load_extractor()._in_javascript(code)] == texts
