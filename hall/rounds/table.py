"""Pairings as a table (CSV): a row for each board, with columns that its first row names.

    round,board,white,black,result
    3,1,"Lasker, Emanuel","Marshall, Frank",
    3,2,"Menchik, Vera",bye,

Read are tables of many programs. Columns stand in any order, under headings in English, German, French,
Spanish or Italian, between commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252; columns that say
something else, and lines above the headings, are passed over. A pairing list has the same heading twice, once
for each player (Name … Name). `result` may be empty or left out; so may `round`, in a list of one round.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from companion.core.comments import tidy_line
from companion.core.whole_files import decoded
from companion.games.portable import DASHES
from companion.language import say
from companion.record.clock import ClockError, parse_controls
from hall.rounds.pairs import LineFault, Pair, Pairings, RoundError, Score

COLUMNS = ("round", "board", "white", "black", "result", "event", "clock")
"""The columns that are written; those after `black` may be missing in a table that is read."""
HEADINGS = {
    "round": "round rd rnd runde rde ronde ronda rodada turno",
    "board": "board bo bd table brett br tisch echiquier ech mesa tablero tabuleiro scacchiera bord",
    "white": "white whites whitename whiteplayer weiss blancs blanc blancas brancas bianco wit first heim "
    "home",
    "black": "black blacks blackname blackplayer schwarz noirs noir negras pretas nero zwart second gast "
    "away",
    "result": "result res score ergebnis erg resultat resultado risultato uitslag",
    "event": "event tournament turnier tournoi torneo",
    "clock": "clock timecontrol uhr bedenkzeit cadence ritmo",
    "name": "name player teilnehmer spieler joueur nom jugador nombre giocatore naam speler jogador nome",
}
"""The headings of each column, without marks and capital letters. Of the last one the first is White's."""
BYES = """
    bye byes pab nobody tba tbd vacant free notpaired unpaired absent withdrawn
    pairingallocatedbye requestedbye
    fullpointbye halfpointbye zeropointbye fullbye halfbye fbye hbye zbye
    freilos spielfrei frei nichtausgelost nichtgelost nichtgepaart abwesend zuruckgezogen
    exempt exempte nonapparie nonappariee absente retire retiree
    libre descansa descanso noemparejado noemparejada sinemparejar ausente retirado retirada
    riposo riposa nonabbinato vrij nietingedeeld fri volny pauza
"""
"""What stands in the place of an opponent, in the languages of pairing programs, as `_plain` has it."""
SEPARATORS = ";\t,|"
MOST_ABOVE = 20
"""The lines above the headings in which a list may bear its title."""
LONGEST_NAME = 80
MOST_BOARDS = 9999
HALF = {
    **dict.fromkeys(("½", "0.5", "0,5", ".5", ",5", "="), "1/2"),
    "1.0": "1", "0.0": "0", "1,0": "1", "0,0": "0",
}  # fmt: skip
UNPLAYED = ("", "*", "-", ":", "?", "?-?", "_-_", ".-.", "VS", "V", "X")
UNEQUAL = ("1/2-0", "0-1/2", "1-1/2", "1/2-1")
"""Scores that an arbiter gives, and no game."""
OF_TWO_POINTS = {"2-0": "1-0", "1-1": "1/2-1/2", "0-2": "0-1"}
"""Scores where a game won counts two points, as in draughts."""
QUOTED = re.compile(r'="(.*)"')
"""A cell by which a program keeps a spreadsheet from making a date of it: `="1-0"`."""
FORMULA = tuple("=+-@")
"""What a spreadsheet would take for the begin of a formula."""


def read_table(content: bytes, players: Sequence[str] = ("white", "black")) -> Pairings:
    """Reads a table of pairings. `players` are names that columns may have instead of white and black.

    RoundError where no line names the columns.
    """
    text, _ = decoded(content)
    lines = text.splitlines(keepends=True)
    above, columns, separator = _find_headings(lines, players)
    pairs: list[tuple[int, Pair]] = []
    faults: list[LineFault] = []
    headings = next(csv.reader([lines[above - 1]], delimiter=separator))
    rows = csv.reader(lines[above:], delimiter=separator)
    line = above + 1
    try:
        for row in rows:
            if any(cell.strip() for cell in row) and row != headings:  # each page of a list has them again
                try:
                    if pair := _read_row(row, columns, len(pairs) + 1, players):
                        pairs.append((line, pair))
                except ValueError as error:
                    faults.append(LineFault(line, str(error)))
            line = above + rows.line_num + 1
    except csv.Error as error:
        faults.append(LineFault(line, str(error)))
    faults += _boards_given_twice(pairs)
    return Pairings(tuple(pair for _, pair in pairs), tuple(sorted(faults, key=lambda fault: fault.line)))


def write_table(pairs: Iterable[Pair]) -> bytes:
    """Returns pairs as a table, which `read_table` reads again.

    A name that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    for pair in pairs:
        names = (_guarded(pair.first), _guarded(pair.second))
        rows.writerow(
            (pair.round, pair.board or "", *names, pair.score.value, _guarded(pair.event), pair.clock)
        )
    return out.getvalue().encode()


def read_score(text: str) -> Score:
    """Reads a score as pairing programs write it: `1-0`, `½:½`, `+ - -`, `1-0F`. ValueError for others."""
    bare = "".join(text.split()).upper().translate(DASHES)
    if bare in UNPLAYED:
        return Score.OPEN
    if bare in FORFEITS:
        return FORFEITS[bare]
    mark = "".join(sign for sign in "FUK" if sign in bare)[:1]
    halves = re.split("[-:]", bare.replace("F", "").replace("U", "").replace("K", ""))
    halves = [HALF.get(half, half) for half in halves]
    shown = "-".join(halves * 2 if halves == ["1/2"] else halves)
    shown = OF_TWO_POINTS.get(shown, shown)
    if shown in UNEQUAL:
        return Score.OTHER
    try:
        return Score(shown + mark.replace("K", "F"))  # German programs mark a forfeit with K
    except ValueError:
        raise ValueError(say("'{text}' is no result: write 1-0, 1/2-1/2 or 0-1", text=text[:20])) from None


FORFEITS = {
    **dict.fromkeys(("+--", "+:-", "+/-", "+-"), Score.FORFEIT_WIN),
    **dict.fromkeys(("--+", "-:+", "-/+", "-+"), Score.FORFEIT_LOSS),
    **dict.fromkeys(("---", "-:-", "-/-", "--"), Score.BOTH_FORFEIT),
}


@dataclass(frozen=True, slots=True)
class _Columns:
    """The index of each column; None where the table has none such."""

    white: int
    black: int
    board: int | None = None
    round: int | None = None
    result: int | None = None
    event: int | None = None
    clock: int | None = None


def _find_headings(lines: Sequence[str], players: Sequence[str]) -> tuple[int, _Columns, str]:
    """Returns the number of the line that names the columns, the columns, and what stands between them."""
    for number, line in enumerate(lines[:MOST_ABOVE], 1):
        separator = max(SEPARATORS, key=line.count)
        cells = next(csv.reader([line], delimiter=separator), [])
        if columns := _columns([_plain(cell) for cell in cells], [_plain(player) for player in players]):
            return number, columns, separator
    raise RoundError(
        say("no line names the columns: the first line has to be round,board,white,black,result")
    )


def _columns(headings: Sequence[str], players: Sequence[str]) -> _Columns | None:
    """Returns which column is which; None where the players have none."""
    found: dict[str, list[int]] = {
        name: [n for n, heading in enumerate(headings) if heading in words.split()]
        for name, words in HEADINGS.items()
    }
    for name, player in zip(("white", "black"), players, strict=False):
        found[name] += [n for n, heading in enumerate(headings) if heading == player]
    if len(found["name"]) == 2:
        found["white"], found["black"] = (
            found["white"] or found["name"][:1],
            found["black"] or found["name"][1:],
        )
    if not found["white"] or not found["black"]:
        return None
    known = {field.name for field in fields(_Columns)}
    return _Columns(**{name: where[0] for name, where in found.items() if where and name in known})


def _plain(heading: str) -> str:
    """Returns a heading without capital letters, marks and points: `Weiß` as weiss, `Éch.` as ech."""
    parts = unicodedata.normalize("NFKD", heading.casefold())
    return "".join(sign for sign in parts if sign.isalnum())


def _read_row(row: Sequence[str], columns: _Columns, count: int, players: Sequence[str]) -> Pair | None:
    """Reads a row, the `count`th; None for words below the pairs. ValueError says what is wrong in it."""

    def cell(index: int | None) -> str:
        text = tidy_line(row[index]) if index is not None and index < len(row) else ""
        return QUOTED.sub(r"\1", text)

    if any(re.search(rf"\n.*[{SEPARATORS}]", text) for text in row):
        raise ValueError(say("a quotation mark has no end: the lines after it are taken for one text"))
    first, second = _name(cell(columns.white)), _name(cell(columns.black))
    number, board = cell(columns.round), cell(columns.board)
    if not first and not second:
        if not NUMBER.fullmatch(board):
            return None
        raise ValueError(say("nobody is paired here: both names are missing"))
    if first == second:
        raise ValueError(say("'{name}' is named on both sides", name=first))
    has_bye = not first or not second
    if clock := cell(columns.clock):
        _check_clock(clock, players)
    return Pair(
        board=_board(board, has_bye) if columns.board is not None else 0 if has_bye else count,
        first=first or second,
        second=second if first else "",
        round=_number(number, say("round")) if number else None,
        score=Score.OPEN if has_bye else read_score(cell(columns.result)),
        event=_unguarded(cell(columns.event)),
        clock=clock,
    )


def _board(text: str, has_bye: bool) -> int:
    """Reads the number of a board; a bye needs none."""
    return 0 if has_bye and not text else _number(text, say("board"))


def _check_clock(clock: str, players: Sequence[str]) -> None:
    try:
        parse_controls(clock, players)
    except ClockError as error:
        raise ValueError(str(error)) from error


def _name(text: str) -> str:
    name = _unguarded(text)
    if len(name) > LONGEST_NAME:
        raise ValueError(say("a name has {most} letters at most", most=LONGEST_NAME))
    return "" if is_bye(text) else name


def is_bye(text: str) -> bool:
    """Tells whether a text in the place of a name says that nobody is played."""
    words = "".join(filter(str.isalpha, _plain(text)))  # `bye (1)`, `bye ½`
    return not words or words in BYES.split()


NUMBER = re.compile(r"(?:[^\W\d]{2,}\.?|#)?\s*0*([1-9][0-9]{0,3})(?:[.,]0*)?(?:\s*[^\W\d]+)?")
"""A number as lists have it: `7`, `#7`, `Bd. 7`, `7. Runde`; a spreadsheet writes 7 as 7.0."""


def _number(text: str, what: str) -> int:
    if not (found := NUMBER.fullmatch(text)):
        raise ValueError(
            say(
                "the {what} is a number from 1 to {most}, not '{text}'",
                what=what,
                most=MOST_BOARDS,
                text=text[:20],
            )
        )
    return int(found[1])


def _boards_given_twice(pairs: Sequence[tuple[int, Pair]]) -> list[LineFault]:
    """Finds boards that a round gives to two pairs: the later line is the one that is told."""
    faults, taken = [], set()
    for line, pair in pairs:
        if (pair.round, pair.board) in taken and not pair.is_bye:
            faults.append(
                LineFault(line, say("board {board} is given twice in this round", board=pair.board))
            )
        if not pair.is_bye:
            taken.add((pair.round, pair.board))
    return faults


def _guarded(text: str) -> str:
    return f"'{text}" if text.lstrip().startswith((*FORMULA, "'")) else text


def _unguarded(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].lstrip().startswith((*FORMULA, "'")) else text
