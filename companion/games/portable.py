"""The common part of PGN and PDN: tags, results, and comments with authors.

A comment names its author as `[%by white]`, in the form that PGN has for commands; programs that do not know
it leave it alone. The notations know no braces in a comment: they become parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from companion.core.comments import Comment, tidy_comment, tidy_line
from companion.core.game import Action, Outcome, Player
from companion.core.notation import ParsedGame, PlayedGame

ROSTER = {"white": "White", "black": "Black", "event": "Event", "place": "Site", "round": "Round"}
TAGS = {**ROSTER, "board": "Board"}
"""The tag of each entry of a record's head; every game has those of the roster."""
ASIDES = r"""
      ^%.* | ;.*                                # up to the line's end: for other programs, or for people
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
    tags |= {"Date": "????.??.??", "Result": write_result(game.outcome), **further}
    if game.began:
        began = datetime.fromtimestamp(game.began, UTC)
        tags["Date"] = tags["UTCDate"] = began.strftime("%Y.%m.%d")
        tags["UTCTime"] = began.strftime("%H:%M:%S")
    return {tag: re.sub(r'(["\\])', r"\\\1", value) for tag, value in tags.items()}


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
    comments: Iterable[Iterable[str]],
    tags: Mapping[str, str],
    winner: Player | None,
) -> ParsedGame:
    """Returns a game that was read: its text's head, its moves, the comments after each, and its tags."""
    joined = [" ".join(said) for said in comments]
    spoken = tuple((count, comment) for count, said in enumerate(joined) for comment in read_comments(said))
    clocks = tuple(map(read_clock, joined[1:]))
    names = {tag: key for key, tag in TAGS.items()}
    told = {names[tag]: tidy_line(value) for tag, value in tags.items() if tag in names}
    head = {key: value for key, value in told.items() if value not in "?-"}
    return ParsedGame(game, tuple(moves), spoken, head, _began(tags), winner, clocks if any(clocks) else ())


def _began(tags: Mapping[str, str]) -> float:
    """Returns when a game began by its tags, in seconds since 1970; 0 where they do not say."""
    date, clock = tags.get("UTCDate") or tags.get("Date", ""), tags.get("UTCTime", "12:00:00")
    try:
        return datetime.strptime(f"{date} {clock} +0000", "%Y.%m.%d %H:%M:%S %z").timestamp()
    except ValueError:
        return 0.0
