"""The common part of PGN and PDN: tags, results, and comments with authors.

A comment names its author as `[%by white]`, in the form that PGN has for commands; programs that do not know
it leave it alone. The notations know no braces in a comment: they become parentheses.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from datetime import UTC, datetime
from typing import Any, ClassVar

from companion.core.comments import Comment, tidy_comment, tidy_line
from companion.core.game import Action, Outcome, Player
from companion.core.notation import NotationError, ParsedGame, PlayedGame
from companion.language import say

ROSTER = {"white": "White", "black": "Black", "event": "Event", "place": "Site", "round": "Round"}
TAGS = {**ROSTER, "board": "Board"}
"""The tag of each entry of a record's head; every game has those of the roster."""
DATE, OPTIONS = "date", "GameOptions"
"""The key of a head for a date of which only a part is known; the tag for options that no other one tells."""
OWN_TAGS = {*TAGS.values(), "Date", "UTCDate", "UTCTime", "Result", "SetUp", "FEN", "GameType", OPTIONS}
"""The tags that are made anew when a game is written."""
TOLD_ELSEWHERE = ("fen", "variant", "board")
"""The options that have tags of their own, or name a file of this machine."""
ASIDES = r"""
      ^%.*                                      # up to the line's end, for other programs
    | ; (?P<rest> .*)                           # the same, for people
    | \{ (?P<comment> [^}]*) \}
    | \[ \s* (?P<tag> [^\s"\[\]]+) \s+ "(?P<value> (?: \\. | [^"\\\n] )* | .*)" \s* \]
    | (?P<bracket> [()])
"""
"""The tokens of both notations that stand around the moves (a verbose pattern)."""
AUTHOR = re.compile(r"\s*\[%by (\w*)\]\s*")
CLOCK = re.compile(r"\[%clk\s+(\d+):(\d\d):(\d\d(?:\.\d+)?)\s*\]")
COMMAND = re.compile(r"\s*\[%(?!by )[a-z]\w*\s[^\]]*\]\s*")
"""A command for programs, such as `[%clk 0:05:00]` or `[%eval 0.3]`, which is no comment."""
ESCAPED = re.compile(r'\\(["\\])')
NO_BRACES = str.maketrans("{}", "()")


def write_comments(comments: Iterable[Comment]) -> str:
    """Returns the comments on a move as one; one by nobody known comes first, without a mark."""
    texts = [(c.by, c.text.replace("[%", "(%")) for c in comments]  # what people type is no command
    marked = sorted((bool(by), f"[%by {by}] {text}" if by else text) for by, text in texts)
    return " ".join(text for _, text in marked).translate(NO_BRACES)


def write_clock(seconds: float) -> str:
    """Returns what a player had left after a move, as programs read it in the comment there."""
    tenths = round(10 * seconds)
    whole, part = divmod(tenths, 10)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"[%clk {text}.{part}]" if part else f"[%clk {text}]"


def read_comments(comment: str) -> Iterator[Comment]:
    """Yields the comments of which the comment on a move consists."""
    first, *rest = AUTHOR.split(comment)
    for by, said in (("", first), *zip(rest[::2], rest[1::2], strict=True)):
        text = COMMAND.sub(" ", said)
        if text.strip():
            yield Comment(tidy_comment(text), by)


def read_clock(comment: str) -> float | None:
    """Returns the seconds that a comment on a move says its player had left; None where it says none."""
    told = CLOCK.search(comment)
    return 3600.0 * int(told[1]) + 60 * int(told[2]) + float(told[3]) if told else None


def write_tags(game: PlayedGame, further: Mapping[str, str]) -> dict[str, str]:
    """Returns a game's tags, with further ones of its notation."""
    told = {key: value for key, value in game.head.items() if value}
    tags = {tag: told.get(key, "?") for key, tag in TAGS.items() if key in {*ROSTER, *told}}
    tags |= {"Date": told.get(DATE, "????.??.??"), "Result": write_result(game.outcome)}
    if game.began and DATE not in told:
        began = datetime.fromtimestamp(game.began, UTC)
        tags["Date"] = tags["UTCDate"] = began.strftime("%Y.%m.%d")
        tags["UTCTime"] = began.strftime("%H:%M:%S")
    return {tag: write_value(value) for tag, value in {**tags, **further}.items()}


def write_value(value: str) -> str:
    """Returns the value of a tag as the text has it."""
    return re.sub(r'(["\\])', r"\\\1", value)


def read_value(value: str) -> str:
    """Returns the value of a tag: in the text a backslash stands before a quote, and before another one."""
    return ESCAPED.sub(r"\1", value)


def write_result(outcome: Outcome | None) -> str:
    """Returns how a game ended, as the notations spell it."""
    if outcome is None:
        return "*"
    results: Mapping[Player | None, str] = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
    return results[outcome.winner]


def parsed_game(
    game: str,
    moves: Iterable[Action],
    last: Any,
    comments: Iterable[Iterable[str]],
    tags: Mapping[str, str],
    winner: Player | None,
    remark: str = "",
) -> ParsedGame:
    """Returns a game that was read: its text's head, its moves, the comments after each, and its tags."""
    joined = [" ".join(said) for said in comments]
    spoken = tuple((count, comment) for count, said in enumerate(joined) for comment in read_comments(said))
    clocks = tuple(map(read_clock, joined[1:]))
    names = {tag: key for key, tag in TAGS.items()}
    told = {names[tag]: tidy_line(value) for tag, value in tags.items() if tag in names}
    head = {key: value for key, value in told.items() if value not in "?-"}
    date, began = _began(tags)
    if date:
        head[DATE] = date
    options = [word for word in tags.get(OPTIONS, "").split() if word.partition("=")[0] not in TOLD_ELSEWHERE]
    text = " ".join([game, *(word for word in options if word not in game.split())])
    clocks = clocks if any(left is not None for left in clocks) else ()
    kept = {tag: tidy_line(value) for tag, value in tags.items() if tag not in OWN_TAGS and value.strip("?")}
    return ParsedGame(text, tuple(moves), last, spoken, head, began, winner, clocks, kept, remark)


def say_went_on(reason: str, line: int) -> str:
    """Says that a game went on after a draw that ends it by itself under the rules here."""
    return say(
        "the game went on after a draw ({reason}) in line {line}: kept as played", reason=reason, line=line
    )


def _began(tags: Mapping[str, str]) -> tuple[str, float]:
    """Returns the date of a game as its tags have it, where they do not tell the moment (`1924.??.??`), and
    when it began, in seconds since 1970: noon of a day of which the hour is unknown, 0 where the day is."""
    date = tags.get("UTCDate") or tags.get("Date", "")
    if (moment := _moment(date, tags.get("UTCTime", ""))) is not None:
        return "", moment
    return (date if any(map(str.isdigit, date)) else ""), _moment(date, "12:00:00") or 0.0


def _moment(date: str, clock: str) -> float | None:
    try:
        return datetime.strptime(f"{date} {clock} +0000", "%Y.%m.%d %H:%M:%S %z").timestamp()
    except ValueError:
        return None


class Reading(ABC):
    """A game while it is read, token by token.

    Variations are passed over: only the moves that were played are kept. After a token that cannot be read
    the rest of the game is passed over too, up to the next one.
    """

    notation: ClassVar[str]

    def __init__(self) -> None:
        self.tags: MutableMapping[str, str] = {}
        self.comments: list[list[str]] = [[]]
        """The comments before the first move, and after each."""
        self.result = ""
        self.at = 0
        """Where in the text is what is read now."""
        self.began = -1
        """Where the game begins."""
        self._depth = 0
        self._wrong: ValueError | None = None
        self._has_moves = False

    @abstractmethod
    def moves_in(self, token: re.Match[str]) -> str:
        """Returns the move, or its number, that a token is; '' for another one."""

    @abstractmethod
    def result_in(self, token: re.Match[str]) -> str:
        """Returns the result that a token is; '' for another one."""

    @abstractmethod
    def say_stray(self, token: str) -> str:
        """Says what a token that is nothing should have been."""

    @abstractmethod
    def take_main(self, token: re.Match[str]) -> None:
        """Takes a token of the moves that were played. ValueError where it is wrong."""

    @abstractmethod
    def replayed(self, text: str) -> ParsedGame:
        """Returns the whole game. ValueError where something in it is wrong."""

    @property
    def is_empty(self) -> bool:
        return not (self.tags or self._has_moves or self._wrong)

    def ends_before(self, token: re.Match[str]) -> bool:
        """Tells whether a token is another game's: after a result all but comments, after a move a tag."""
        if token["tag"]:  # each tag stands once in a game
            is_again = token["tag"] in {*ROSTER.values()} & {*self.tags}
            return bool(self._has_moves or self.result or is_again)
        return bool(self.result and self.moves_in(token))

    def take(self, token: re.Match[str]) -> None:
        self._has_moves = self._has_moves or bool(self.moves_in(token))
        if self._wrong:
            self.result = self.result or self.result_in(token)
            return
        self.at = token.start()
        self.began = self.at if self.began < 0 else self.began
        try:
            self._take(token)
        except ValueError as error:
            self._wrong = error

    def _take(self, token: re.Match[str]) -> None:
        if token["stray"]:
            raise ValueError(self.say_stray(token[0][:40]))
        if token["tag"]:
            if value := read_value(token["value"]).strip():
                self.tags[token["tag"]] = value
        elif token["bracket"]:
            self._depth += 1 if token["bracket"] == "(" else -1
            if self._depth < 0:
                raise ValueError(say("')' ends no variation"))
        elif self._depth == 0:
            if comment := token["comment"] or token["rest"]:
                self.comments[-1].append(comment)
            else:
                self.take_main(token)

    def parsed(self, text: str) -> ParsedGame | NotationError:
        """Returns the game, or what is wrong with it, and in which line of the whole text."""
        try:
            if self._wrong:
                raise self._wrong
            if self._depth:
                raise ValueError(say("a variation has no ')'"))
            return self.replayed(text)
        except ValueError as error:
            line = line_at(text, self.at)
            return NotationError(
                say("{format}: {error} (line {line})", format=self.notation, error=error, line=line)
            )


def read_games(
    text: str, tokens: re.Pattern[str], reading: Callable[[], Reading]
) -> list[ParsedGame | NotationError]:
    """Returns the games of a text, which is taken apart into tokens, as `Notation.read` does."""
    games = [reading()]
    for token in tokens.finditer(text):
        if games[-1].ends_before(token):
            games.append(reading())
        games[-1].take(token)
    found = [game.parsed(text) for game in games if not game.is_empty]
    nothing = say("there is no game in this {format}", format=games[0].notation)
    return found or [NotationError(nothing)]


def line_at(text: str, at: int) -> int:
    """Returns the line, from 1, in which a place of a text is."""
    return text.count("\n", 0, at) + 1
