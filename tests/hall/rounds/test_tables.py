"""Pairings as tables (CSV): as programs of many countries write them, what is wrong in them, and laws."""

from __future__ import annotations

import codecs
import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.comments import tidy_line
from hall.rounds.pairs import LineFault, Pair, RoundError, Score
from hall.rounds.table import LONGEST_NAME, is_bye, read_score, read_table, write_table

PLAIN = "round,board,white,black\n3,1,Ann,Bo\n3,2,Cy,Di\n"
PAIRS = (Pair(1, "Ann", "Bo", 3), Pair(2, "Cy", "Di", 3))
OF_ONE_ROUND = tuple(Pair(pair.board, pair.first, pair.second) for pair in PAIRS)
TABLES = {
    "plain": (PLAIN.encode(), PAIRS),
    "columns in another order": (b"black,board,white,round\nBo,1,Ann,3\nDi,2,Cy,3\n", PAIRS),
    "semicolons": (PLAIN.replace(",", ";").encode(), PAIRS),
    "tabs and CRLF": (PLAIN.replace(",", "\t").replace("\n", "\r\n").encode(), PAIRS),
    "a byte order mark": (codecs.BOM_UTF8 + PLAIN.encode(), PAIRS),
    "UTF-16, as spreadsheets save it": (PLAIN.encode("utf-16"), PAIRS),
    "German": ("Runde;Brett;Weiß;Schwarz\n3;1;Ann;Bo\n3;2;Cy;Di\n".encode("cp1252"), PAIRS),
    "French": ("Ronde;Éch.;Blancs;Noirs\n3;1;Ann;Bo\n3;2;Cy;Di\n".encode(), PAIRS),
    "Spanish": (b"Ronda,Mesa,Blancas,Negras\n3,1,Ann,Bo\n3,2,Cy,Di\n", PAIRS),
    "a title above": (b"Club evening;;;\nPairings\n\nRd.;Bo.;White;Black\n3;1.;Ann;Bo\n3;2.;Cy;Di\n", PAIRS),
    "columns of other things": (b"Bo;No;White;Pts;Black;Club\n1;4;Ann;1;Bo;X\n2;5;Cy;1;Di;Y", OF_ONE_ROUND),
    "one heading for both": (b"Tisch;Nr;Name;-;Nr;Name;Erg.\n1;4;Ann;-;7;Bo;\n2;5;Cy;;8;Di;", OF_ONE_ROUND),
    "no column of boards": (b"white,black\nAnn,Bo\nCy,Di\n", OF_ONE_ROUND),
    "boards as a spreadsheet's numbers": (b"round,board,white,black\n3.0,1.0,Ann,Bo\n3.0,2.0,Cy,Di\n", PAIRS),
    "words below": (b"Bo,White Name,Black Name\n1,Ann,Bo\n2,Cy,Di\nTotal,,\nBy X at 8,,\n", OF_ONE_ROUND),
    "blank lines": (b"white,black\n\nAnn,Bo\n,\nCy,Di\n\n", OF_ONE_ROUND),
}  # fmt: skip


@pytest.mark.parametrize(("content", "pairs"), TABLES.values(), ids=TABLES)
def test_tables_are_read(content: bytes, pairs: tuple[Pair, ...]) -> None:
    found = read_table(content)
    assert (found.pairs, found.faults) == (pairs, ())


def test_a_game_has_players_of_its_own() -> None:
    assert read_table(b"board,red,blue\n1,Ann,Bo\n", ("red", "blue")).pairs == (Pair(1, "Ann", "Bo"),)


@pytest.mark.parametrize("bye", [
    "bye", "", "spielfrei", "Freilos", "exempt", "-", "not paired", "NOT PAIRED", "(bye)", "½ bye", "1/2-bye",
    "F-Bye", "nicht ausgelost", "zurückgezogen", "non apparié", "exempté", "no emparejado", "Descansa",
    "Riposa", "vrij", "Pairing-allocated bye", "half point bye", "unpaired", "– – –",
    "bye (1)", "bye 1/2", "0", "???", "TBA", "spielfrei 2",
])  # fmt: skip
def test_a_bye_has_one_player(bye: str) -> None:
    (pair,) = read_table(f"round,board,white,black\n3,,Ann,{bye}\n".encode()).pairs
    assert pair.is_bye
    assert not pair.is_due


@pytest.mark.parametrize("name", ["Bye, Ann", "Libre, Cy", "Frei, Flo", "Free, Bo", "Nota Paired"])
def test_a_person_is_no_bye(name: str) -> None:
    (pair,) = read_table(f"round,board;white;black\n3;1;Ann;{name}\n".replace("d,b", "d;b").encode()).pairs
    assert pair.second == name


@pytest.mark.parametrize("number", ["000000001999999", "1999999", "10000", "0", "-1", "²", "9" * 5000])
def test_a_number_beyond_all_boards_is_none(number: str) -> None:
    (fault,) = read_table(f"board,white,black\n{number},Ann,Bo\n".encode()).faults
    assert "the board is a number from 1 to 9999" in fault.words


@pytest.mark.parametrize("name", ["=1+1", " =1+1", "\t=1+1", "\n@x", "'=1", "-2"])
def test_no_name_is_a_formula_of_a_spreadsheet(name: str) -> None:
    written = write_table([Pair(1, name, "Bo")])
    cell = next(csv.reader(written.decode().splitlines()[1:]))[2] if "\n" not in name else "'"
    assert cell.startswith("'")


@pytest.mark.parametrize("number", ["7", "007", "7.0", "#7", "Bd. 7", "Tisch 7", "7. Brett", '"=""7"""'])
def test_a_number_is_read_as_lists_have_it(number: str) -> None:
    table = f"Bord,Wit,Zwart\n{number},Ann,Bo\nBord,Wit,Zwart\n"
    assert [pair.board for pair in read_table(table.encode()).pairs] == [7]


def test_lines_in_other_encodings_keep_their_letters() -> None:
    lines = ("board,white,black\n1,Jörg,".encode(), "Zoë\n".encode(), "2,Ján,Ída\n".encode("cp1252"))
    pairs = read_table(b"".join(lines)).pairs
    assert [(pair.first, pair.second) for pair in pairs] == [("Jörg", "Zoë"), ("Ján", "Ída")]


SCORES = {
    "": Score.OPEN, "*": Score.OPEN, " - ": Score.OPEN,
    "1-0": Score.WIN, "1:0": Score.WIN, "1 – 0": Score.WIN, "1.0-0.0": Score.WIN,
    "0-1": Score.LOSS, "1/2-1/2": Score.DRAW, "½-½": Score.DRAW, "½": Score.DRAW, "0.5:0.5": Score.DRAW,
    "0,5": Score.DRAW, ".5-.5": Score.DRAW,
    "0,5-0,5": Score.DRAW, "=": Score.DRAW, "0-0": Score.BOTH_LOST,
    "+ - -": Score.FORFEIT_WIN, "+/-": Score.FORFEIT_WIN, "1-0F": Score.FORFEIT_WIN,
    "1-0K": Score.FORFEIT_WIN,
    "- - +": Score.FORFEIT_LOSS, "-:+": Score.FORFEIT_LOSS, "0F-1F": Score.FORFEIT_LOSS,
    "1—0": Score.WIN, "vs": Score.OPEN, "_-_": Score.OPEN, "1F-0": Score.FORFEIT_WIN, "½-0": Score.OTHER,
    "0,5 - 0": Score.OTHER, "2-0": Score.WIN, "1-1": Score.DRAW,
    "--": Score.BOTH_FORFEIT, "0-0F": Score.BOTH_FORFEIT, "1-0U": Score.SHORT_WIN,
}  # fmt: skip


@pytest.mark.parametrize(("text", "score"), SCORES.items(), ids=repr)
def test_scores_are_read(text: str, score: Score) -> None:
    assert read_score(text) is score


FAULTS = {
    "white,black,board\nAnn,Bo,one\n": (2, "the board is a number from 1 to 9999, not 'one'"),
    "white,black,board\nAnn,Bo,\n": (2, "the board is a number from 1 to 9999, not ''"),
    "board,white,black\n1,Ann,Ann\n": (2, "'Ann' is named on both sides"),
    'board,white,black\n1,"Ann,Bo\n2,Cy,Di\n': (2, "a quotation mark has no end"),
    "white,black,board\nAnn,Bo,1\n\nCy,Di,1\n": (4, "board 1 is given twice in this round"),
    "white,black,result\nAnn,Bo,2-1\n": (2, "'2-1' is no result: write 1-0, 1/2-1/2 or 0-1"),
    "white,black,board\n,bye,1\n": (2, "nobody is paired here: both names are missing"),
    "white,black,round\nAnn,Bo,R3\n": (2, "the round is a number from 1 to 9999, not 'R3'"),
    f"white,black\n{'A' * 81},Bo\n": (2, "a name has 80 letters at most"),
    "Open\nwhite,black,clock\nAnn,Bo,soon\n": (3, "'soon' is no time control"),
}


@pytest.mark.parametrize(("text", "fault"), FAULTS.items(), ids=[words for _, words in FAULTS.values()])
def test_a_line_that_is_wrong_is_told_with_its_number(text: str, fault: tuple[int, str]) -> None:
    (found,) = read_table(text.encode()).faults
    assert (found.line, found.words[: len(fault[1])]) == fault


def test_all_lines_that_are_wrong_are_told() -> None:
    text = 'board,white,black\nx,Ann,Bo\n2,Cy,Di\n"3\n",,\n4,Ed,Flo\n0,Gus,Hal\n'
    assert [fault.line for fault in read_table(text.encode()).faults] == [2, 4, 7]


@pytest.mark.parametrize("content", [b"", b"Ann,Bo\nCy,Di\n", b"\0\xff" * 40, b"white\nAnn\n"])
def test_a_table_without_headings_is_refused(content: bytes) -> None:
    with pytest.raises(RoundError, match="names the columns"):
        read_table(content)


NAMES = (
    st.text(st.characters(codec="utf-8"), max_size=LONGEST_NAME)
    .map(tidy_line)
    .filter(lambda name: not is_bye(name))
)
CLOCKS = st.sampled_from(["", "10+5", "40/90,30+30", "white=10 black=5+3"])
SCORED = st.sampled_from([score for score in Score if score is not Score.OTHER])


@given(
    st.lists(
        st.builds(Pair, st.integers(1, 99), NAMES, NAMES, st.integers(1, 20), SCORED, NAMES, CLOCKS).filter(
            lambda pair: pair.first != pair.second
        )
        | st.builds(Pair, st.just(0), NAMES, st.just(""), st.integers(1, 20)),
        unique_by=lambda pair: (pair.round, pair.board or pair),
        max_size=6,
    )
)
def test_what_is_written_is_read_again(pairs: list[Pair]) -> None:
    found = read_table(write_table(pairs))
    assert (list(found.pairs), found.faults) == (pairs, ())


def test_no_name_is_a_formula() -> None:
    content = write_table([Pair(1, "=HYPERLINK(1)", "@Bo", 3)]).decode()
    assert content.splitlines()[1] == "3,1,'=HYPERLINK(1),'@Bo,,,"


@given(st.binary(max_size=300), st.sampled_from([b"", b"white,black\n", b"Tisch;Name;Name\r\n"]))
def test_any_bytes_are_read_or_refused(content: bytes, head: bytes) -> None:
    try:
        found = read_table(head + content)
    except RoundError:
        return
    assert all(isinstance(fault, LineFault) for fault in found.faults)
