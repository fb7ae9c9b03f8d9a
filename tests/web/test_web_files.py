"""The files that are drawn: diagrams, moving pictures and score sheets of every game, as others read them."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import numpy as np
import pypdf
import pytest
import reportlab
from PIL import Image

from companion import games
from companion.core.game import GameError
from companion.games.text import read_game
from companion.language import LANGUAGES
from companion.record import exports
from companion.record.record import Note, Record
from companion.record.session import ARBITER, Entry
from tests.companion.test_exports import random_game
from tests.samples import first_few
from web.drawing import diagrams, score_sheet
from web.drawing import raster_board as stage
from web.drawing.board import frame


def chess(*moves: str, **head: str) -> Record:
    log = tuple(Entry("action", move, time=1_700_000_000.0 + n) for n, move in enumerate(moves))
    return Record(read_game("chess"), log, head)


def write(record: Record, form: str, step: int | None = None) -> bytes:
    return exports.formats()[form].write(record, step)


def pixels(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def text_of(data: bytes) -> str:
    reader = pypdf.PdfReader(io.BytesIO(data))
    return "\n".join(page.extract_text() for page in reader.pages)


@pytest.mark.parametrize("name", games.GAMES)
def test_a_diagram_shows_the_whole_board_and_its_pieces(name: str) -> None:
    record = random_game(name, 6)
    _, _, width, height = frame(record.game.board)
    first, last = (pixels(write(record, "png", step)) for step in (0, None))
    assert first.shape[1] / first.shape[0] == pytest.approx(width / height, abs=0.01)
    assert max(first.shape[:2]) == 1000
    assert (first != last).any()
    edges = np.concatenate([last[5, 100:-100], last[-5, 100:-100], last[100:-100, 5], last[100:-100, -5]])
    assert np.abs(edges - edges[0]).max() < 90  # nothing is cut off: the frame goes all around


@pytest.mark.parametrize("form", ["gif", "webp"])
@pytest.mark.parametrize("name", ["triune", "magnet", "teleporters", "rooks"])
def test_a_moving_picture_has_a_scene_for_each_step(name: str, form: str) -> None:
    record = random_game(name, 6)
    with Image.open(io.BytesIO(write(record, form))) as film:
        assert film.n_frames == len(record.session().plies) + 1  # type: ignore[attr-defined]
        assert film.size[0] == diagrams.WIDTH
        assert film.info.get("loop") == 0


def test_a_diagram_without_a_step_shows_the_end() -> None:
    record = chess("e2e4", "e7e5")
    assert write(record, "png") == write(record, "png", 2)


def test_scenes_show_the_board_of_their_step() -> None:
    record = chess("e2e4", "e7e5")
    with Image.open(io.BytesIO(write(record, "gif"))) as film:
        shown = []
        for n in range(3):
            film.seek(n)
            shown.append(np.asarray(film.convert("RGB"), dtype=int))
    still = stage.RasterBoard(record.game.board, diagrams.WIDTH)
    rules, positions = record.game.rules, record.session().positions()
    for n, position in enumerate(positions):
        plain = np.asarray(still.show(rules.pieces(position)), dtype=int)
        differs = np.abs(shown[n][: plain.shape[0]] - plain).max(axis=2) > 60
        assert differs.mean() < 0.03  # but for the marks of the last action
        other = np.asarray(still.show(rules.pieces(positions[n - 1])), dtype=int)
        assert (np.abs(shown[n][: plain.shape[0]] - other).max(axis=2) > 60).mean() > differs.mean()


def test_a_long_game_is_smaller_and_loses_no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagrams, "MANY", 20)
    record = random_game("triune", 30)
    with Image.open(io.BytesIO(write(record, "gif"))) as film:
        assert film.n_frames == len(record.log) + 1 > diagrams.MANY  # type: ignore[attr-defined]
        assert diagrams.NARROWEST <= film.size[0] < diagrams.WIDTH


@pytest.mark.parametrize("name", games.GAMES)
def test_a_score_sheet_names_every_action(name: str) -> None:
    record = random_game(name, 30)
    told = text_of(write(record, "pdf")).replace("\n", " ").replace(" ", "")
    assert record.game.rules.title.replace(" ", "") in told
    assert all(ply.written.replace(" ", "") in told for ply in record.session().plies)


@pytest.mark.parametrize("name", first_few(3, games.GAMES))
def test_a_score_sheet_is_wholly_in_its_language(name: str) -> None:
    record = random_game(name, 30)
    authors = (ARBITER, *record.session().players)
    record = replace(record, notes=tuple(Note(f"{n}?", n, by) for n, by in enumerate(authors)))
    english, *others = (text_of(score_sheet.pdf(record, code)).splitlines() for code in LANGUAGES)
    for told in others:
        same = {line for line in english if line in told and re.search(r"[^\W\d]{3}", line)}
        words = {line for line in same if not re.search(r"[\d=]", line)}  # the others are moves and options
        assert words <= {record.game.rules.title, "Options"}  # as it is in French too


def test_a_score_sheet_says_who_played_what_came_of_it_and_what_was_said() -> None:
    head = {"white": "Žofie <Ång> & Co", "black": "Борис", "event": "Cup", "place": "Linz"}
    mate = chess("f2f3", "e7e5", "g2g4", "d8h4", **head)
    notes = (Note("A short game", 0, ARBITER), Note("The <end>\nof it", 4, "white"))
    told = text_of(write(replace(mate, notes=notes), "pdf"))
    day = datetime.fromtimestamp(1_700_000_000).strftime("%-d %B %Y")
    for words in (
        "Žofie <Ång> & Co", "Борис", "Black wins: checkmate.", "Cup", "Linz", day, "A short game",
        "The game (Arbiter): A short game", "2… Qh4# (White): The <end>", "of it",
    ):  # fmt: skip
        assert words in told, words


def test_a_score_sheet_has_hebrew_and_arabic_names_from_right_to_left() -> None:
    """What reads a PDF turns the letters of such a script round, which are drawn from left to right."""
    told = text_of(write(chess("f2f3", white="שרה כהן", black="Ann"), "pdf"))
    assert "שרה כהן" in told


def test_a_score_sheet_leaves_symbols_out_that_no_font_has() -> None:
    told = text_of(write(chess("f2f3", white="Zoë 🦊 Ångström", black="Bo ☺ ㈱"), "pdf"))
    assert "Zoë Ångström" in told
    assert "Bo ☺ ㈱" in told


def test_a_score_sheet_has_letters_of_the_east() -> None:
    reader = pypdf.PdfReader(io.BytesIO(write(chess("f2f3", white="李小龙 と Bo", black="김 <철>"), "pdf")))
    fonts = reader.pages[0]["/Resources"]["/Font"].values()  # type: ignore[index]
    assert {"/STSong-Light", "/HYSMyeongJo-Medium"} <= {font.get_object()["/BaseFont"][:19] for font in fonts}


@pytest.mark.parametrize("letter", ["x", "x ", "Ж"])
def test_a_score_sheet_cuts_names_that_no_page_has_room_for(letter: str) -> None:
    keys = ("white", "black", "event", "place", "clock")
    told = text_of(write(chess("f2f3", **dict.fromkeys(keys, letter * 3000)), "pdf"))
    assert "…" in told
    assert "f3" in told


def test_rounds_are_numbered_and_go_over_pages() -> None:
    record = random_game("triune", 240)
    actions = record.session().actions
    assert len(actions) == 240
    reader = pypdf.PdfReader(io.BytesIO(write(record, "pdf")))
    assert len(reader.pages) == 2
    told = [page.extract_text() for page in reader.pages]
    assert "\n".join(("1.", *actions[:2])) in told[0]
    assert "\n".join(("120.", *actions[-2:])) in told[1]


def test_a_corrected_game_has_every_drawn_form() -> None:
    record = chess("e2e4")
    entry = Entry("correction", "turn=black;e7=empty", ARBITER)
    corrected = replace(record, log=(*record.log, entry))
    forms = exports.forms_of(corrected)
    assert forms == ("record", "pgn", "svg", "png", "gif", "webp", "pdf")
    assert all(write(corrected, form) for form in forms)
    assert "Arbiter: position corrected (1 place)" in text_of(write(corrected, "pdf"))


def test_without_fonts_the_one_that_comes_along_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "exists", lambda self: False)
    stage.of_many_scripts.cache_clear()
    try:
        regular, bold = stage.fonts("Владимир")
    finally:
        stage.of_many_scripts.cache_clear()
    own = Path(reportlab.__file__).parent / "fonts"
    assert (regular, bold) == (own / "Vera.ttf", own / "VeraBd.ttf")
    monkeypatch.undo()
    assert regular.exists()
    assert bold.exists()


@pytest.mark.parametrize("step", [-1, 2, 10**9])
def test_a_step_that_is_not_there(step: int) -> None:
    with pytest.raises(GameError, match="there is no step"):
        write(chess("e2e4"), "png", step)


def test_the_title_of_a_sheet_stands_above_its_labels_beside_a_large_diagram() -> None:
    at: dict[str, float] = {}

    def note(words: str, page: list[float], line: list[float], *_: object) -> None:
        at.setdefault(words.strip(), page[4] + line[4])

    page = pypdf.PdfReader(io.BytesIO(write(chess("e2e4", white="Ann"), "pdf"))).pages[0]
    page.extract_text(visitor_text=note)
    assert at["Chess"] == pytest.approx(at["White"], abs=0.5)
    widths = [float(words[0]) for words in page_matrices(page) if len(words) == 6]
    assert max(widths) > 80 / 25.4 * 72


def page_matrices(page: pypdf.PageObject) -> list[list[str]]:
    """The arguments of every change of the page's coordinates."""
    content = page.get_contents()
    assert content is not None
    lines = content.get_data().decode("latin-1").split("\n")
    return [line.split()[:-1] for line in lines if line.endswith(" cm")]


@pytest.mark.parametrize("form", ["gif", "webp"])
def test_the_corners_of_a_moving_picture_are_paper(form: str) -> None:
    picture = pixels(write(chess("e2e4"), form))
    paper = np.array([0xF4, 0xF1, 0xEA])
    assert np.abs(picture[0, 0] - paper).max() < 12
    assert np.abs(picture[0, -1] - paper).max() < 12
