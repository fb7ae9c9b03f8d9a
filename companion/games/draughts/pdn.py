"""PDN, the portable draughts notation: games of English (type 21) and international draughts (type 20).

A game looks as in PGN: tags, then numbered moves, comments and the result; squares have numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.core.board import load_board
from companion.core.comments import Comment
from companion.core.game import Action, IllegalActionError
from companion.core.notation import CERTAIN, UNCLAIMED, Notation, NotationError, ParsedGame, PlayedGame
from companion.games.draughts.board import ENGLISH, INTERNATIONAL, VARIANTS, Variant
from companion.games.draughts.judge import judge
from companion.games.draughts.moves import after, draw_reason, numbered
from companion.games.draughts.position import Position, start
from companion.games.draughts.words import meant, read, read_fen, write_fen
from companion.games.portable import (
    ASIDES,
    DASHES,
    RESULT,
    RESULTS,
    THOUGHTS,
    PortableReading,
    line_at,
    read_games,
    say_due,
    write_comments,
    write_result,
    write_tags,
)
from companion.language import listed, say

SIGN = re.compile(
    r"^[ \t]*\[\s*(?i:GameType)\s|\[\s*(?i:FEN)\s+\W[WBwb]:|\d+\s*\.+\s*(?:\d+|[a-j]\d+)[-x:‐‑‒–—−×]\d*[1-9]"
    r"|\b1\s*\.+\s*[aceg]3\s*[-‐‑‒–—−]\s*[bdfh]4",
    re.MULTILINE,
)
"""The signs of PDN that PGN has not: its own tags, a move from number to number, or a man's first move."""
TOKEN = re.compile(
    ASIDES
    + THOUGHTS
    + r"""
    | \.+
    | (?<=\d)\*                                 # that a move is the only one
    |"""
    + RESULT
    + r"""
    | (?P<number> \d+) \s* \.+
    | (?P<move> (?:\d+ | [a-j]\d+) (?:\ *[-xX:×‐‑‒–—−]\ * (?:\d+ | [a-j]\d+))+)
    | (?P<stray> [^\s()]+ | \S)
    """,
    re.VERBOSE | re.MULTILINE,
)
WITH_TWO_POINTS = {**RESULTS, "2-0": "white", "0-2": "black", "1-1": ""}
"""Some countries count two points for a game won."""
CAPTURE = str.maketrans("X:×", "xxx") | DASHES
"""The signs that stand for a capture, or a move, beside `x` and `-`."""
TYPES = {variant.type: variant for variant in VARIANTS.values()}
OTHER_BEGIN = re.compile(r"[aceg]3\D|2[1-4]\D")
"""The begin of other draughts, such as Russian: White moves first, on 8 × 8 squares."""
WIDTH = 80


class PDN(Notation):
    """The portable draughts notation."""

    name = "pdn"
    media_type = "text/plain"

    def claims(self, text: str) -> int:
        return CERTAIN if SIGN.search(text) else UNCLAIMED

    def write(self, game: PlayedGame) -> str:
        begun: Position = game.first
        words = [*_comment(game.comments[0], None), *_moves(game, begun), write_result(game.outcome)]
        further = {**game.tags, "GameType": begun.variant.type}
        if begun != _usual(begun.variant):
            further |= {"SetUp": "1", "FEN": write_fen(begun)}
        tags = "".join(f'[{tag} "{value}"]\n' for tag, value in write_tags(game, further).items())
        return f"{tags}\n{_lines(words)}\n"

    def read(self, text: str) -> list[ParsedGame | NotationError]:
        return read_games(text, TOKEN, _Reading)


def _moves(game: PlayedGame, begun: Position) -> Iterator[str]:
    """Yields the moves with their numbers, each with the comments on it."""
    opens = begun.seat == begun.variant.first
    number = 1
    each = zip(game.moves, game.comments[1:], game.clocks, strict=True)
    for count, (move, comments, left) in enumerate(each):
        if opens:
            yield f"{number}."
        elif not count:
            yield f"{number}..."
        yield numbered(begun.variant.net, move)
        yield from _comment(comments, left)
        number += not opens
        opens = not opens


def _comment(comments: tuple[Comment, ...], left: float | None) -> list[str]:
    """Returns the comments on a move, and what its player had left (seconds), as a word, if there are any."""
    return ["{" + words + "}"] if (words := write_comments(comments, left)) else []


def _lines(words: Iterable[str]) -> str:
    """Returns the words in lines of a width that people can read; comments stay as they are."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) >= WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


class _Reading(PortableReading):
    notation = "PDN"
    results = WITH_TWO_POINTS

    def __init__(self) -> None:
        super().__init__()
        self.moves: list[tuple[str, int]] = []
        """Each move, and where in the text it stands."""
        self._numbers: list[tuple[int, int, int]] = []
        """Each number, how many moves stand before it, and where in the text it stands."""

    def moves_in(self, token: re.Match[str]) -> str:
        return token["number"] or token["move"] or ""

    def say_stray(self, token: str) -> str:
        return say("'{token}' is neither a move (11-15, 15x22) nor a whole tag or comment", token=token)

    def take_main(self, token: re.Match[str]) -> None:
        if result := self.result_in(token):
            self.result, self.result_at = result, token.start()
        elif token["number"]:
            self._numbers.append((int(token["number"]), len(self.moves), token.start()))
        elif token["move"]:
            self._take_move(token["move"].replace(" ", "").translate(CAPTURE), token.start())

    def _take_move(self, word: str, at: int) -> None:
        """Takes a move. A capture from where the last one ended is the rest of it: some tell each jump."""
        before, where = self.moves[-1] if self.moves else ("", at)
        start, *rest = word.split("x")
        if rest and "x" in before and before.split("x")[-1] == start:
            self.moves[-1] = "x".join((before, *rest)), where
        else:
            self.moves.append((word, at))
            self.comments.append([])

    def replayed(self, text: str) -> ParsedGame:
        self.at = self.began
        variant = _variant(self)
        begun = _begun(self, variant)
        self._check_numbers(begun.seat != variant.first)
        words = ["draughts"]
        if variant is not ENGLISH:
            words.append(f"variant={variant.name}")
        if begun != _usual(variant):
            words.append(f"fen={write_fen(begun)}")
        last, actions = _played(self, begun)
        found = self.told(text, words, actions, last._replace(ends_drawn=not self.drawn))
        named = self.tags.get("GameType", variant.type)
        if named.partition(",")[0].strip() == variant.type:
            return found
        remark = say(
            "GameType {named} in line {line} is not that of the moves: it is {type}",
            named=named[:20],
            line=line_at(text, self.tag_at["GameType"]),
            type=variant.type,
        )
        return replace(found, remarks=(remark, *found.remarks))

    def _check_numbers(self, is_second: bool) -> None:
        """Checks that each number is that of the move after it; a game from the middle may begin with any.

        Where that begins with the second player's move, so does the first number.
        """
        first = self._numbers[0][0] if self._numbers and "FEN" in self.tags else 1
        for number, count, at in self._numbers:
            self.at = at
            if number != (due := first + (count + is_second) // 2):
                raise ValueError(say_due(due, number))
        self.at = self.began


def _played(found: _Reading, begun: Position) -> tuple[Position, tuple[Action, ...]]:
    """Returns the last position, and the moves in canonical spelling; notes a draw that was played on after.

    Where a capture may mean two, both are followed: the next moves tell which one was played.
    """
    stories: list[tuple[Position, tuple[Action, ...]]] = [(begun._replace(ends_drawn=False), ())]
    for number, (word, where) in enumerate(found.moves, 1):
        first, _ = stories[0]
        if not found.drawn and (reason := draw_reason(first._replace(ends_drawn=True))):
            found.drawn, found.drawn_at = reason, where
        stories = [
            (after(position, action), (*actions, action))
            for position, actions in stories
            for action in meant(position, word) or meant(position, word.replace("-", "x"))
        ]
        if not stories:
            found.at = where
            raise _refused(first, word[:40], number)
    if len(stories) > 1:
        number = next(
            n for n, moves in enumerate(zip(*(told for _, told in stories), strict=True)) if len({*moves}) > 1
        )
        word, found.at = found.moves[number]
        ways = listed([numbered(begun.variant.net, told[number]) for _, told in stories], "or")
        raise ValueError(
            say("move {number}, '{word}', may be {ways}", number=number + 1, word=word, ways=ways)
        )
    return stories[0]


def _refused(position: Position, word: str, step: int) -> IllegalActionError:
    """Returns why a move is not allowed; its squares have numbers there, as in the file."""
    board, breaches = load_board(position.variant.board), judge(position, read(position, word))
    return IllegalActionError(word, tuple(replace(b, words=board.called(b.words)) for b in breaches), step)


def _begun(found: _Reading, variant: Variant) -> Position:
    """Returns the position from which the moves lead on."""
    fen = found.tags.get("FEN", "").strip("? ")
    if not fen:
        return _usual(variant)
    return read_fen(variant, fen)


def _usual(variant: Variant) -> Position:
    """Returns the position from which games of this variant usually begin."""
    return start(variant, load_board(variant.board))


def _variant(found: _Reading) -> Variant:
    """Returns the variant that the tags name; without a type, or where that cannot be, the one that the
    squares tell."""
    named = found.tags.get("GameType", "").partition(",")[0].strip()
    fen, moves = found.tags.get("FEN", ""), [word for word, _ in found.moves]
    squares = [int(square) for square in re.findall(r"\d+", " ".join([fen, *moves]))]
    has_more = any(square > len(ENGLISH.net.bits) for square in squares)
    white_begins = not fen and squares[:1] > [ENGLISH.men]  # in English draughts Black begins, from 1 to 12
    told = INTERNATIONAL if has_more or white_begins else ENGLISH
    if not named:
        if not fen and moves and OTHER_BEGIN.match(moves[0]):
            raise ValueError(
                say("these draughts are not played here: only English (GameType 21) and international (20)")
            )
        return told
    if named not in TYPES:
        words = say(
            "GameType {named} is not played here: only 21 (English) and 20 (international)", named=named[:20]
        )
        raise ValueError(words)
    is_certain = has_more or (not fen and moves and moves[0][0].isdigit())
    return told if is_certain else TYPES[named]
