"""PGN, through the `chess` library.

The library passes over what it cannot read, so that another game would come in than was played. Here the
text is taken apart, every word of the main line is accounted for, and the library reads the moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

import chess
import chess.pgn

from companion.core.game import IllegalActionError
from companion.core.notation import POSSIBLE, UNCLAIMED, Notation, NotationError, ParsedGame, PlayedGame
from companion.games.chess.judge import judge
from companion.games.chess.moves import draw_reason
from companion.games.chess.position import Position
from companion.games.chess.words import UCI, read, read_fen, tidy_fen
from companion.games.portable import (
    ASIDES,
    DASHES,
    RESULT,
    THOUGHTS,
    PortableReading,
    is_prose,
    read_games,
    say_due,
    write_comments,
    write_tags,
)
from companion.language import say

TOKEN = re.compile(
    ASIDES
    + r"| \[/?pgn\]"  # as forums have around a game
    + r"| (?!0[-:‐‑‒–—−]0(?![.,]\d))"  # which may be a castling
    + RESULT
    + THOUGHTS
    + r"""
    | \.+ | …
    | (?P<number> \d{1,6}) (?: \.+ | … | (?<!\d{4}) (?!\S))
    | (?P<word> (?: [^\s(){}\[\];,$!?‼⁇⁈⁉±∓⩲⩱∞□→↑⇆⟳] | (?<=[a-h][18]) (?: \(=?[A-Z]\) | \ ?=\ ?[A-Z]\b) )+)
    | (?P<stray> \S.*)
    """,
    re.VERBOSE | re.MULTILINE,
)
BESIDES = re.compile(r"[+#†‡]*(?:/?e\.?p|ch(?:eck)?|mate|matt?)?\.?[+#†‡]*$")
"""The end of a move's spelling that the library does without."""
FORFEIT = ("0-0", "0:0")
"""Lost for both, as lists of big events have it; the first may be a castling too."""
PROMOTION = re.compile(r"(?<=[a-h][18])(?:\(=?|[-/]| ?= ?)([A-Z])\)?")
"""A promotion as other countries write it: `a8(Q)`, `a8/Q`."""
CASTLING = re.compile(r"[oO0ОоØ]-?[oO0ОоØ](-?[oO0ОоØ])?")
KING_CASTLES = re.compile(r"K(?:e[18]-?)?([cg])[18]")
"""A castling as sensor boards tell it: by the king's squares alone."""
CAPTURE_BY_FILES = re.compile(r"([a-h])[x:]?([a-h])(?:=?([QRBN]))?")
"""A pawn's capture without the rank: `exd`, `ed`."""
IN_LETTERS = re.compile(rf"(?:{CASTLING.pattern})(?!\w)|[KQRBNPa-h][x:]")
"""The begin of a move that has no digit."""
FOREIGN = tuple(
    str.maketrans("KQRBNP", "??????") | str.maketrans(letters, "KQRBN")
    for letters in ("KDTLS", "RDTFC", "RDTAC", "KDTLP", "RDTBC", "KHWGS", "KDVSJ", "KVBFH", "RDTNC", "KDTLR")
)
"""The letters of pieces in German and the languages of the north, French, Spanish and Italian, Dutch,
Portuguese, Polish, Czech, Hungarian, Romanian, and Finnish."""
SIGNS = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟×асе", "KQRBNP" * 2 + "xace", "\ufe0e") | DASHES
"""What a page or a book prints as pictures: the letters of pieces, signs of its own, and Cyrillic letters
that look like those of files."""
CAPTURE = re.compile(r"(?<=[KQRBN1-8a-h]):(?=[a-h][1-8])|:$")
"""The colon that other countries write for a capture: `e:d5`, `ed5:`."""
DRAUGHTS = re.compile(r"^[ \t]*\[\s*GameType\s+\W(?!0\b)\d", re.MULTILINE | re.IGNORECASE)
"""The tag of PDN that tells which draughts it is; 0 is chess."""
LONGEST_MOVE = 20
SPELLING = say("PGN has the English letters K Q R B N and squares from a1 to h8 (Nf3)")


class PGN(Notation):
    """The portable game notation of chess."""

    name = "pgn"
    media_type = "application/x-chess-pgn"

    def claims(self, text: str) -> int:
        return UNCLAIMED if DRAUGHTS.search(text) else POSSIBLE

    def write(self, game: PlayedGame) -> str:
        written = chess.pgn.Game.without_tag_roster()
        written.setup(game.first.board)
        for tag, value in write_tags(game, game.tags).items():
            written.headers[tag] = value
        node: chess.pgn.GameNode = written
        node.comment = write_comments(game.comments[0])
        for move, comments, left in zip(game.moves, game.comments[1:], game.clocks, strict=True):
            node = node.add_variation(chess.Move.from_uci(move))
            node.comment = write_comments(comments, left)
        return str(written) + "\n"

    def read(self, text: str) -> list[ParsedGame | NotationError]:
        return read_games(text, TOKEN, _Reading)


class _Reading(PortableReading):
    notation = "PGN"

    def __init__(self) -> None:
        super().__init__()
        self.tags = chess.pgn.Headers({})
        self._moves: list[str] = []
        self._ahead: int | None = None
        self._words: list[tuple[str, int]] = []
        """The words of the moves, and where in the text each stands."""
        self._letters: Mapping[int, int] = {}
        """How the letters of the pieces are put into English."""
        self._untried = iter(FOREIGN)
        self._is_prose = False
        """Whether the last word was no move."""

    def moves_in(self, token: re.Match[str]) -> str:
        word = token["word"] or ""
        return token["number"] or ("" if _is_prose(word) else word)

    def ends_before(self, token: re.Match[str]) -> bool:
        return super().ends_before(token) or bool(self.result and not self._depth and token["result"])

    def say_stray(self, token: str) -> str:
        return say("'{token}' is neither a move nor a whole tag or comment", token=token)

    def replayed(self, text: str) -> ParsedGame:
        start = self._first
        words = ["chess"] if start == chess.Board() else ["chess", f"fen={start.fen().replace(' ', '_')}"]
        found = self.told(text, words, self._moves, Position(self._board, ends_drawn=not self.drawn))
        if self._letters:
            letters = " ".join(chr(own) for own, english in self._letters.items() if english != ord("?"))
            remark = say("the pieces are read by the letters {letters}", letters=letters)
            return replace(found, remarks=(remark, *found.remarks))
        return found

    def take_main(self, token: re.Match[str]) -> None:
        is_after_prose, self._is_prose = self._is_prose, False
        if token["number"]:
            self._count(int(token["number"]))
        elif result := self.result_in(token):
            self._end(result)
        elif (word := (token["word"] or "").translate(SIGNS)) in FORFEIT and not self._may_castle():
            self.comments[-1].append(word)
            self._end(word)
        elif not _without_signs(word):
            return
        elif _is_prose(word) and not self._captures(word):
            self._is_prose = True
            self.take_prose(word)
        elif is_after_prose and word[0] in chess.FILE_NAMES:  # `Knight f3` is no pawn's move
            raise ValueError(_say_none(self._prose[-1][0]))
        else:
            self._play(word)

    def _count(self, number: int) -> None:
        """Checks that a move's number is the next; a game from the middle may begin with any."""
        due = self._board.fullmove_number + (self._ahead or 0)
        if self._ahead is None and "FEN" in self.tags:
            self._ahead = number - due
        elif number != due:
            raise ValueError(say_due(due, number))

    def _end(self, word: str) -> None:
        if not (self.tags or self._moves):
            raise ValueError(say("'{word}' ends no game", word=word))
        self.result, self.result_at = word, self.at

    def _may_castle(self) -> bool:
        return any(self._board.is_kingside_castling(move) for move in self._board.legal_moves)

    @cached_property
    def _first(self) -> chess.Board:
        try:
            return _start(self.tags)
        except ValueError:
            self.at = self.tag_at.get("FEN", self.tag_at.get("Variant", self.at))
            raise

    @cached_property
    def _board(self) -> chess.Board:
        return self._first.copy()

    def _is_allowed(self, spelling: str) -> bool:
        try:
            return bool(self._board.parse_san(spelling))
        except ValueError:
            return False

    def _play(self, word: str) -> None:
        """Plays a move. Where it is none, the pieces may have another language's letters: then all moves so
        far have to be read by these."""
        self._words.append((word, self.at))
        try:
            self._push(word, self.at)
        except ValueError:
            if not any(map(self._is_reread, self._untried)):
                raise
        self.comments.append([])

    def _is_reread(self, letters: Mapping[int, int]) -> bool:
        """Reads the moves again by these letters, and tells whether that can be."""
        self._letters, self._moves, self._board, self.drawn = letters, [], self._first.copy(), ""
        try:
            for word, at in self._words:
                self._push(word, at)
        except ValueError:
            return False
        return True

    def _push(self, word: str, at: int) -> None:
        if not self.drawn and (reason := draw_reason(self._board)):
            self.drawn, self.drawn_at = reason, at
        try:
            move = self._parsed(word)
        except chess.InvalidMoveError as error:
            raise ValueError(_say_none(word)) from error
        except chess.AmbiguousMoveError as error:
            raise ValueError(
                say("'{word}' may be two moves: name the square it comes from", word=word)
            ) from error
        except chess.IllegalMoveError as error:
            if self._board.is_game_over():
                raise ValueError(say("the game is over before '{word}'", word=word)) from error
            if self._is_allowed(f"{word}=Q"):
                raise ValueError(say("'{word}' lacks what the pawn becomes: {word}=Q", word=word)) from error
            raise self._refused(word) from error
        if not move:
            raise ValueError(
                say("'{word}' is no move: somebody passed, which chess does not know", word=word)
            )
        self._board.push(move)
        self._moves.append(move.uci())

    def _refused(self, word: str) -> ValueError:
        """Returns why a move is not allowed."""
        position = Position(self._board)
        spelled = (read(position, spelling) for spelling in _spellings(word.translate(self._letters)))
        judged = (judge(position, action) for action in filter(UCI.fullmatch, spelled))
        if breaches := next(filter(None, judged), ()):
            return IllegalActionError(word, breaches, len(self._moves) + 1)
        return ValueError(say("'{word}' is not allowed: there is no such piece", word=word))

    def _parsed(self, word: str) -> chess.Move:
        """Returns the move that a word means. Else the error is that of the word as it stands."""
        if len(captures := self._captures(word)) == 1:
            return captures[0]
        spelling, *others = _spellings(word.translate(self._letters))
        try:
            return self._board.parse_san(spelling)
        except ValueError:
            for other in others:
                if self._is_allowed(other):
                    return self._board.parse_san(other)
            raise

    def _captures(self, word: str) -> list[chess.Move]:
        """Returns the captures that a word means which names the files alone."""
        if not (named := CAPTURE_BY_FILES.fullmatch(_without_signs(word))):
            return []
        start, end = (chess.BB_FILES[chess.FILE_NAMES.index(name)] for name in named.groups()[:2])
        pawns = self._board.pawns & start
        becomes = named[3] and chess.PIECE_SYMBOLS.index(named[3].lower())
        legal = self._board.generate_legal_captures(pawns, end)
        return [move for move in legal if move.promotion == becomes]


def _is_prose(word: str) -> bool:
    """Tells whether a word is none of a move: `O-O` and `Kx` have no digit, either."""
    return is_prose(word) and not IN_LETTERS.match(word)


def _without_signs(word: str) -> str:
    """Returns a move's spelling without the end that the library does without; a longer word is no move."""
    return BESIDES.sub("", word) if len(word) < LONGEST_MOVE else word


def _spellings(word: str) -> Iterator[str]:
    """Yields the spellings of a move that a word may be, as the library reads them: the likeliest first.

    Telephones change capitals, and people do not press the key for them.
    """
    plain = PROMOTION.sub(r"=\1", _without_signs(word))
    plain = CAPTURE.sub(_say_capture, plain.removeprefix("P"))
    if castling := CASTLING.fullmatch(plain):
        yield "O-O-O" if castling[1] else "O-O"
        return
    yield plain
    if castling := KING_CASTLES.fullmatch(plain):
        yield "O-O-O" if castling[1] == "c" else "O-O"
    if plain.isupper():
        yield plain[0] + plain[1:].lower()
        yield plain.lower()
    elif plain[:1].islower():
        yield plain[0].upper() + plain[1:]


def _say_none(word: str) -> str:
    return say("'{word}' is no move: {spelling}", word=word[:40], spelling=SPELLING)


def _start(tags: Mapping[str, str]) -> chess.Board:
    """Returns the first position. ValueError where it is none, or not of common chess."""
    headers = chess.pgn.Headers(tags)
    if "FEN" in tags:
        headers["FEN"] = tidy_fen(tags["FEN"])
    try:
        if headers.variant() is not chess.Board:
            raise ValueError
    except ValueError as error:
        words = say("only common chess is played here, not {variant}", variant=tags.get("Variant"))
        raise ValueError(words) from error
    try:
        board = headers.board()
    except ValueError:
        return read_fen(headers["FEN"])  # which says what is wrong
    if board.chess960 or set(board.fen().split()[2]) - set("KQkq-"):
        raise ValueError(say("only common chess is played here, not Chess960"))
    return read_fen(board.fen())


def _say_capture(colon: re.Match[str]) -> str:
    return "x" if colon.end() < len(colon.string) else ""
