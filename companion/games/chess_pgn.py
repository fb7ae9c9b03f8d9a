"""PGN through the `chess` library.

The library passes over what it cannot read, so that another game would come in than was played: here the
text is taken apart, every word of the main line is accounted for, and the library reads the moves.
"""

from __future__ import annotations

import re
from functools import cached_property
from io import StringIO

import chess
import chess.pgn

from companion.games.portable import TAGS, Parsed, notes_by_line, read_notes, read_start, tags_of, write_notes
from companion.record import Record, RecordError

RESULTS = {"1-0": "white", "0-1": "black", "1/2-1/2": "", "½-½": "", "1/2": "", "*": None}
"""The words that end a game, and the winner."""
TOKEN = re.compile(
    r"""
      ^%.* | ;.*                                # up to the line's end: for other programs, or for people
    | \{ (?P<comment> [^}]*) \}
    | \[ \s* (?P<tag> [^\s"\[\]]+) \s+ "(?P<value> [^"\n]* | .*)" \s* \]
    | (?P<bracket> [()])
    | \$\d+ | [!?]+ | \.+ | … | (?!--) [-+=/±∓⩲⩱∞□]+ (?!\S)   # what is thought of a move
    | (?P<number> \d+) (?: \.+ | … | (?!\S))
    | (?P<word> [^\s(){}\[\];$!?]+)
    | (?P<stray> \S.*)
    """,
    re.VERBOSE | re.MULTILINE,
)
BESIDES = re.compile(r"[+#]*(e\.?p\.?)?[+#]*$")
"""What a move's spelling ends with and the library does without."""
LONGEST_MOVE = 20


def write_pgn(record: Record) -> str:
    """The game as PGN; after an arbiter's correction it begins there, with a FEN."""
    session = record.session()
    first = max((n for n, ply in enumerate(session.plies, 1) if ply.entry.kind == "correction"), default=0)
    said = notes_by_line(record)
    game = chess.pgn.Game.without_tag_roster()
    game.setup(session.positions()[first].board)
    for tag, value in tags_of(record, session, {}).items():
        game.headers[tag] = value
    node: chess.pgn.GameNode = game
    node.comment = write_notes(said.get(0, ()))
    for ply in session.plies[first:]:
        node = node.add_variation(chess.Move.from_uci(ply.action))
        node.comment = write_notes(said.get(session.line(ply), ()))
    return str(game) + "\n"


def parse_pgn(pgn: str) -> list[Parsed]:
    """The games of a PGN text. RecordError says what is wrong, and in which line."""
    found, game, at = [], _Reading(), 0
    pgn = StringIO(pgn, newline=None).read()  # whichever way its lines end
    try:
        for token in TOKEN.finditer(pgn):
            if game.ends_before(token):
                found.append(game.parsed())
                game = _Reading()
            at = token.start()
            game.take(token)
        if game.tags or game.moves:
            found.append(game.parsed())
    except ValueError as error:
        raise RecordError(f"PGN: {error} (line {pgn.count(chr(10), 0, at) + 1})") from error
    if not found:
        raise RecordError("there is no game in this PGN")
    return found


class _Reading:
    """A game while it is read, token by token. ValueError where one cannot be read.

    Variations are passed over: only what was played is kept.
    """

    def __init__(self) -> None:
        self.tags = chess.pgn.Headers({})
        self.moves: list[str] = []
        self._comments: list[list[str]] = [[]]
        self._result = ""
        self._depth = 0
        self._ahead: int | None = None

    def ends_before(self, token: re.Match[str]) -> bool:
        """Whether a token is another game's: after a result all but comments, after a move a tag."""
        if token["tag"]:
            return bool(self.moves or self._result)
        return bool(self._result and (token["word"] or token["number"]))

    def take(self, token: re.Match[str]) -> None:
        if token["stray"]:
            raise ValueError(f"'{token[0][:40]}' is neither a move nor a whole tag or comment")
        if token["tag"]:
            self._check_closed()
            self.tags[token["tag"]] = token["value"]
        elif token["bracket"]:
            self._branch(token["bracket"])
        elif self._depth == 0:
            self._take_main(token)

    def parsed(self) -> Parsed:
        self._check_closed()
        start, tags = _start(self.tags), self.tags
        text = "chess" if start == chess.Board() else f"chess fen={start.fen().replace(' ', '_')}"
        names = {tag: key for key, tag in TAGS.items()}
        head = {names[tag]: value for tag, value in tags.items() if tag in names and value not in "?-"}
        comments = enumerate(map(" ".join, self._comments))
        notes = tuple(note for line, comment in comments for note in read_notes(comment, line))
        winner = RESULTS.get(tags.get("Result", ""))
        if winner is None:
            winner = RESULTS.get(self._result)
        return Parsed({"game": text, **head}, self.moves, notes, read_start(tags), winner)

    def _take_main(self, token: re.Match[str]) -> None:
        if token["comment"]:
            self._comments[-1].append(token["comment"])
        elif token["number"]:
            self._count(int(token["number"]))
        elif (word := token["word"]) in RESULTS:
            self._end(word)
        elif word:
            self._play(word)

    def _branch(self, bracket: str) -> None:
        self._depth += 1 if bracket == "(" else -1
        if self._depth < 0:
            raise ValueError("')' ends no variation")

    def _check_closed(self) -> None:
        if self._depth:
            raise ValueError("a variation has no ')'")

    def _count(self, number: int) -> None:
        """Checks that a move's number is the next; a game from the middle may begin with any."""
        due = self._board.fullmove_number + (self._ahead or 0)
        if self._ahead is None and "FEN" in self.tags:
            self._ahead = number - due
        elif number != due:
            raise ValueError(f"move {due} is due, not {number}: a move, or the game's result, is missing")

    def _end(self, word: str) -> None:
        if not (self.tags or self.moves):
            raise ValueError(f"'{word}' ends no game")
        self._result = word

    @cached_property
    def _board(self) -> chess.Board:
        return _start(self.tags)

    def _play(self, word: str) -> None:
        spelling = BESIDES.sub("", word).removeprefix("P") if len(word) < LONGEST_MOVE else word
        if not spelling:
            return
        try:
            move = self._board.push_san(spelling)
        except chess.InvalidMoveError as error:
            raise ValueError(f"'{word[:40]}' is no move: {SPELLING}") from error
        if not move:
            raise ValueError(f"'{word}' is no move: somebody passed, which chess does not know")
        self.moves.append(move.uci())
        self._comments.append([])


SPELLING = "PGN has the English letters K Q R B N and squares from a1 to h8 (Nf3)"


def _start(tags: chess.pgn.Headers) -> chess.Board:
    """The first position. ValueError where it is none, or not of common chess."""
    board = tags.board()
    if board.uci_variant != "chess" or board.chess960:
        raise ValueError(f"only common chess is played here, not {tags.get('Variant')}")
    return board
