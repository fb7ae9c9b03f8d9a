"""Pairings as FIDE's Tournament Report File (TRF16), as pairing programs write it during a tournament.

A line of the section `001` is a player; it has fixed columns, counted from 1 in the format and from 0 here. A
round takes ten of them: the opponent's number, the colour and the result, which is blank while the game has
still to be played. JaVaFo's `XXR`, and `142` of TRF26, say how many rounds there are, `XXS` what results are
worth. All other lines are passed over: teams, `XXC`, forbidden pairs, comments.

TRF holds no numbers of boards. They follow the order of FIDE's pairing rules: the pair in which the better
score is, then the higher sum of scores, then the player with the lowest number.

What is written is what was read, with results filled in: no other byte changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import product

from companion.core.comments import tidy_line
from companion.core.whole_files import encoding_of
from companion.language import say
from companion.record.clock import read_seconds
from hall.rounds.pairs import LineFault, Pair, Pairings, RoundError, Score

PLAYER, EVENT, CITY, CLOCK, WORTHS = "001", "012", "022", "222", "XXS"
ROUND_COUNTS = ("XXR", "142")
NUMBER, NAME, POINTS = slice(4, 8), slice(14, 47), slice(80, 84)
FIRST_ROUND, ROUND_WIDTH = 91, 10
COLOUR, RESULT = 5, 7
"""Where the colour and the result stand within the columns of a round, of which the first four are the
opponent's."""
WHITE, BLACK = "w", "b"
OPEN = " *?"
"""How programs write that a game has still to be played."""
BYES = ("H", "F", "U")
"""Byes with half a point, a full one, and the one that the pairing gave."""
SIGNS = {
    Score.WIN: "10",
    Score.DRAW: "==",
    Score.LOSS: "01",
    Score.BOTH_LOST: "00",
    Score.FORFEIT_WIN: "+-",
    Score.FORFEIT_LOSS: "-+",
    Score.BOTH_FORFEIT: "--",
    Score.SHORT_WIN: "WL",
    Score.SHORT_DRAW: "DD",
    Score.SHORT_LOSS: "LW",
}
"""The results of White and of Black for each score."""
SCORES = {signs: score for score, signs in SIGNS.items()}
KNOWN = f"{OPEN}10=+-WDLHFUZ"
CODES = {
    "W": tuple(product(("w", "b", ""), "1W")) + tuple(product(("w", "b", ""), "+F")),
    "D": tuple(product(("w", "b", ""), "=DH")),
    "WW": (("w", "1"), ("w", "W")),
    "BW": (("b", "1"), ("b", "W")),
    "WD": (("w", "="), ("w", "D")),
    "BD": (("b", "="), ("b", "D")),
    "WL": (("w", "0"), ("w", "L")),
    "BL": (("b", "0"), ("b", "L")),
    "FW": tuple(product(("w", "b", ""), "+")),
    "FL": tuple(product(("w", "b", ""), "-")),
    "HPB": (("", "H"),),
    "FPB": (("", "F"),),
    "PAB": (("", "U"),),
    "ZPB": (("", "Z"), ("", "")),
}
"""JaVaFo's codes for what a result is worth: the colours and results that each of them means."""
USUAL = {**dict.fromkeys("1W+FU", Decimal(1)), **dict.fromkeys("=DH", Decimal("0.5"))}
"""The points of each result where a tournament gives no others; 0 for those not named."""
LINE_END = "(\r\n|\r|\n)"
WORTH = re.compile(r"[0-9]{1,2}(\.[0-9])?|\.[0-9]")


@dataclass(frozen=True, slots=True)
class Cell:
    """The entry of a round in a player's line. `opponent` is a player's number, 0 where there is none."""

    opponent: int = 0
    colour: str = ""
    """`w`, `b`, or '' for none."""
    result: str = ""
    """As in the file, in capital letters; '' while a game has still to be played."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player of the tournament. `line` is the number of the line in the file, from 1."""

    number: int
    name: str
    line: int
    cells: tuple[Cell, ...]

    def cell(self, number: int) -> Cell:
        """Returns what the line says of a round."""
        return self.cells[number - 1] if number <= len(self.cells) else Cell()


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """A tournament report: its players by number, and the text that it was read from.

    `encoding` is what the bytes were decoded by: encoding the text again gives the same bytes; of UTF-16
    those in this machine's byte order.
    """

    text: str
    encoding: str
    players: Mapping[int, Player]
    event: str = ""
    city: str = ""
    clock: str = ""
    round_count: int = 0
    """0 where the file does not say."""
    worths: Mapping[tuple[str, str], Decimal] = field(default_factory=dict)
    """What results are worth, by colour and result, where that is not as usual."""
    faults: tuple[LineFault, ...] = ()

    def worth(self, cell: Cell) -> Decimal:
        """Returns the points of what a line says of a round."""
        usual = USUAL.get(cell.result, Decimal(0))
        return self.worths.get((cell.colour, cell.result), usual)


def read_report(content: bytes) -> TournamentReport:
    """Reads a report. What is wrong in its lines stands in `faults`.

    Some programs count the columns of UTF-8 in bytes: then each byte is taken for a letter.
    """
    text, encoding = _decode(content)
    report = _read_report(text, encoding)
    if report.faults and encoding == "utf-8" and not text.isascii():
        by_bytes = _read_report(content.decode("latin-1"), "latin-1", _recoded)
        return report if by_bytes.faults else by_bytes
    return report


def _recoded(words: str) -> str:
    """Returns words of UTF-8 that were read as Latin-1."""
    return words.encode("latin-1").decode("utf-8", "ignore")


def _read_report(text: str, encoding: str, words_of: Callable[[str], str] = str) -> TournamentReport:
    players: dict[int, Player] = {}
    faults: list[LineFault] = []
    heads: dict[str, str] = {}
    worths: list[str] = []
    for number, line in enumerate(re.split(LINE_END, text)[::2], 1):
        kind, words = line[:3], " ".join(words_of(line[3:]).split())
        if kind == PLAYER:
            try:
                player = _read_player(number, line, words_of(line[NAME]))
                if player.number in players:
                    raise ValueError(say("player {number} has two lines", number=player.number))
                players[player.number] = player
            except ValueError as error:
                faults.append(LineFault(number, str(error)))
        elif kind == WORTHS:
            worths.append(words)
        else:
            heads.setdefault(kind, words)
    count = next((heads[kind] for kind in ROUND_COUNTS if heads.get(kind, "").isdecimal()), "0")
    return TournamentReport(
        text=text,
        encoding=encoding,
        players=players,
        event=heads.get(EVENT, ""),
        city=heads.get(CITY, ""),
        clock=read_seconds(heads.get(CLOCK, "")),
        round_count=int(count[:4]),
        worths=_read_worths(worths),
        faults=tuple(faults),
    )


def pairings(report: TournamentReport, number: int) -> Pairings:
    """Returns the pairs of a round in the order of their boards, then its byes, and what is wrong."""
    faults = list(report.faults)
    games: list[tuple[Player, Player]] = []
    byes: list[Player] = []
    for player in report.players.values():
        cell = player.cell(number)
        try:
            if not cell.opponent:
                byes += [player] * (cell.result in BYES)
            elif _is_first_of_two(report, player, number):
                games.append((player, report.players[cell.opponent]))
        except ValueError as error:
            faults.append(LineFault(player.line, str(error)))
    games.sort(key=lambda game: _rank(report, game, number))
    pairs = [_pair(report, number, board, game) for board, game in enumerate(games, 1)]
    rest = [
        Pair(0, player.name, "", number, event=report.event, clock=report.clock, numbers=(player.number, 0))
        for player in byes
    ]
    return Pairings((*pairs, *rest), tuple(sorted(faults, key=lambda fault: fault.line)))


def fill_in(report: TournamentReport, number: int, pairs: Iterable[Pair], with_points: bool = False) -> bytes:
    """Returns the file with the scores of these pairs of a round, where it has none; no other byte changes.

    Pairs that the file does not have yet are added to their players' lines. `with_points` also adds what the
    result is worth to the players' points, which some programs want to fit. RoundError where the file pairs
    a player otherwise.
    """
    cells: dict[int, Cell] = {}
    for pair in pairs:
        white, black = pair.numbers
        signs = SIGNS.get(pair.score, "  ")
        cells[white] = Cell(black, WHITE, signs[0].strip())
        cells[black] = Cell(white, BLACK, signs[1].strip())
    parts = re.split(LINE_END, report.text)
    for player in report.players.values():
        cell = cells.get(player.number)
        if cell is None or player.cell(number).result:
            continue
        if player.cell(number).opponent not in (0, cell.opponent):
            raise RoundError(say("the file pairs player {number} with another one", number=player.number))
        at = 2 * (player.line - 1)  # the ends of lines stand between them
        parts[at] = _with_cell(parts[at], number, cell)
        if with_points:
            parts[at] = _with_points(parts[at], report.worth(cell))
    return "".join(parts).encode(report.encoding)


def with_pairs(report: TournamentReport, number: int, pairs: Iterable[tuple[int, int]]) -> TournamentReport:
    """Returns the report with the pairs of a round that it does not have yet, by the numbers of White and
    Black, as a pairing engine gave them. RoundError where a number is nobody's.
    """
    games = [game for game in pairs if all(game)]
    for one in (one for game in games for one in game):
        if one not in report.players:
            raise RoundError(say("the pairs name player {number}, who is not in the file", number=one))
    return read_report(fill_in(report, number, [Pair(0, "", "", number, numbers=game) for game in games]))


def read_engine_pairs(text: str) -> list[tuple[int, int]]:
    """Reads what a pairing engine (JaVaFo, bbpPairings) prints: how many pairs there are, then on each line
    the numbers of White and Black, 0 for a bye. RoundError for anything else."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    pairs = lines[1:]
    are_all_there = lines[:1] == [[str(len(pairs))]] and _are_numbers(lines[0])
    are_pairs = all(len(pair) == 2 and _are_numbers(pair) for pair in pairs)
    if not (are_all_there and are_pairs):
        raise RoundError(
            say("this is no list of pairs: the first line is how many there are, then '12 7' each")
        )
    return [(int(white), int(black)) for white, black in pairs]


def _are_numbers(words: list[str]) -> bool:
    """Returns whether all words are numbers as a TRF has them, of four digits at most."""
    return all(word.isascii() and word.isdigit() and len(word) < 5 for word in words)


def _decode(content: bytes) -> tuple[str, str]:
    """Returns the text, and the encoding by which it becomes the same bytes again."""
    for encoding in (encoding_of(content), "cp1252"):
        try:
            return content.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1"), "latin-1"


def _read_player(number: int, line: str, name: str) -> Player:
    """Reads a player's line. ValueError with words that say what is wrong in it."""
    own, name = line[NUMBER].strip(), tidy_line(name)
    if not own.isascii() or not own.isdigit() or not int(own):
        raise ValueError(say("columns 5 to 8 are the player's number, not '{text}'", text=own))
    if not name:
        raise ValueError(say("player {number} has no name in columns 15 to 47", number=own))
    rounds = range(FIRST_ROUND, len(line.rstrip()), ROUND_WIDTH)
    cells = (_read_cell(line[at : at + ROUND_WIDTH], n) for n, at in enumerate(rounds, 1))
    return Player(int(own), name, number, tuple(cells))


def _read_cell(text: str, number: int) -> Cell:
    text = f"{text:<{ROUND_WIDTH}}"
    opponent, colour, result = text[:4].strip(), text[COLOUR].lower(), text[RESULT].upper()
    is_good = (not opponent or (opponent.isascii() and opponent.isdigit())) and colour in " wb-"
    if not is_good or text[4] + text[6] + text[8:] != "    " or result not in KNOWN:
        column = FIRST_ROUND + 1 + ROUND_WIDTH * (number - 1)
        raise ValueError(
            say(
                "round {number} (from column {column}) reads '{text}': it has to be '  12 w 1'",
                number=number,
                column=column,
                text=text.rstrip(),
            )
        )
    return Cell(int(opponent or 0), colour.strip(" -"), "" if result in OPEN else result)


def _is_first_of_two(report: TournamentReport, player: Player, number: int) -> bool:
    """Returns whether a player who has an opponent has White. ValueError where their lines do not agree."""
    cell = player.cell(number)
    other = report.players.get(cell.opponent)
    if other is None:
        raise ValueError(
            say(
                "player {number} plays {other} in round {round}, who is not in the file",
                number=player.number,
                other=cell.opponent,
                round=number,
            )
        )
    theirs = other.cell(number)
    is_decided = bool(cell.result and theirs.result)
    if theirs.opponent != player.number or (
        not is_decided and {cell.colour, theirs.colour} != {WHITE, BLACK}
    ):
        raise ValueError(
            say(
                "the lines of players {number} and {other} do not agree on round {round}",
                number=player.number,
                other=other.number,
                round=number,
            )
        )
    if bool(cell.result) != bool(theirs.result):
        raise ValueError(
            say("only one of {number} and {other} has a result", number=player.number, other=other.number)
        )
    return cell.colour == WHITE


def _pair(report: TournamentReport, number: int, board: int, game: tuple[Player, Player]) -> Pair:
    white, black = game
    signs = white.cell(number).result + black.cell(number).result
    return Pair(
        board=board,
        first=white.name,
        second=black.name,
        round=number,
        score=SCORES.get(signs, Score.OTHER) if signs else Score.OPEN,
        event=report.event,
        clock=report.clock,
        numbers=(white.number, black.number),
    )


def mirrored(score: Score) -> Score:
    """Returns the score of a game in which the players sat at each other's place."""
    return SCORES.get(SIGNS.get(score, "")[::-1], score)


def _rank(report: TournamentReport, game: tuple[Player, Player], number: int) -> tuple[Decimal, Decimal, int]:
    """Returns by what the boards are ordered: lower values first."""
    white, black = (
        sum((report.worth(cell) for cell in player.cells[: number - 1]), Decimal(0)) for player in game
    )
    return -max(white, black), -(white + black), min(player.number for player in game)


def _with_cell(line: str, number: int, cell: Cell) -> str:
    """Returns a player's line with what it says of a round; what is there already stays."""
    at = FIRST_ROUND + ROUND_WIDTH * (number - 1)
    line = f"{line:<{at + RESULT + 1}}"
    if not line[at : at + 4].strip():
        line = line[:at] + f"{cell.opponent:4} {cell.colour}" + line[at + COLOUR + 1 :]
    return line[: at + RESULT] + (cell.result or " ") + line[at + RESULT + 1 :]


def _with_points(line: str, worth: Decimal) -> str:
    """Returns a player's line with so many more points; the same where it has no points that can be read."""
    try:
        points = Decimal(line[POINTS].strip() or 0) + worth
    except InvalidOperation:
        return line
    return f"{line[: POINTS.start]}{points:4.1f}{line[POINTS.stop :]}" if points < 100 else line


def _read_worths(lines: Iterable[str]) -> dict[tuple[str, str], Decimal]:
    """Reads what results are worth from JaVaFo's lines XXS, as in `W=3 D=1`; the last one counts."""
    worths: dict[tuple[str, str], Decimal] = {}
    for code, _, value in (word.partition("=") for line in lines for word in line.split()):
        if WORTH.fullmatch(value):
            worths.update(dict.fromkeys(CODES.get(code.upper(), ()), Decimal(value)))
    return worths
