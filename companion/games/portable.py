"""The common part of PGN and PDN: tags, results, and comments with authors.

A comment names its author as `[%by white]`, in the form that PGN has for commands; programs that do not know
it leave it alone. The notations know no braces in a comment: they become parentheses.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

from companion.core.comments import LONGEST_COMMENT, Comment, tidy_line, tidy_lines
from companion.core.game import Action, Outcome, Player
from companion.core.local_time import local_time
from companion.core.notation import NotationError, ParsedGame, PlayedGame
from companion.games.draws import CLAIMED, DRAWS
from companion.language import say, say_count

ROSTER = {"white": "White", "black": "Black", "event": "Event", "place": "Site", "round": "Round"}
TAGS = {**ROSTER, "board": "Board"}
"""The tag of each entry of a record's head; every game has those of the roster."""
DAY = "%Y.%m.%d"
DATE, OPTIONS = "date", "GameOptions"
"""The key of a head for a date of which only a part is known; the tag for options that no other one tells."""
OWN_TAGS = {*TAGS.values(), "Date", "UTCDate", "UTCTime", "Result", "SetUp", "FEN", "GameType", OPTIONS}
"""The tags that are made anew when a game is written."""
TOLD_ELSEWHERE = ("fen", "variant", "board")
"""The options that have tags of their own, or name a file of this machine."""
QUOTE = '["“”„‘’«»]'
"""The quotation marks around a tag's value, which keyboards of tablets make of plain ones."""
ASIDES = rf"""
      ^%.*                                      # up to the line's end, for other programs
    | ; (?P<rest> .*)                           # the same, for people
    | \{{ (?P<comment> (?: [^}}\n]++ | \n (?! \[\w+\s+{QUOTE} ) )*+) (?P<end> \}}?)   # a tag is in none
    | \[ \s* (?P<tag> [^\s"\[\]]+) \s+
      {QUOTE} (?P<value> (?: \\. | [^"\\\n] ){{,4000}}? | .{{,4000}}) {QUOTE} \s* \]
    | (?P<bracket> [()])
"""
"""The tokens of both notations that stand around the moves (a verbose pattern)."""
AUTHOR = re.compile(r"\s*\[%by (\w*)\]\s*")
CLOCK = re.compile(r"\[%clk\s*(\d{1,4}):(\d\d?):(\d\d?(?:[.,]\d+)?)\s*\]", re.IGNORECASE)
CLOCKS = re.compile(r"\[%clock\s[^]]*\b[wb](\d{1,4}):(\d\d):(\d\d)[^]]*\]")
"""The clocks of both players, as sites of draughts have them; small letters are for the one that stands."""
COMMAND = re.compile(r"\s*\[%(?!by )[a-z][\w-]*(?:[\s\d][^\]]*)?\]\s*", re.IGNORECASE)
"""A command for programs, such as `[%clk 0:05:00]` or `[%eval 0.3]`, which is no comment."""
DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
"""The dashes that word processors and pages put for a hyphen: `O–O`, `1–0`, `32–28`."""
THOUGHTS = r"""
    | \$\d+ | [!?‼⁇⁈⁉±∓⩲⩱∞□→↑⇆⟳]+ | (?!--) [-+=/−]+ (?!\S) | ,
"""
"""The tokens for what is thought of a move, and the comma behind one (a verbose pattern)."""
RESULT = r"""
    (?P<result> (?: (?:0[.,]5|½|1/2|[0-2]) \ * [-:‐‑‒–—−] \ * (?:0[.,]5|½|1/2|[0-2]) | 1/2 | ½ | \*
        | [01][.,]0 \ * [-:‐‑‒–—−] \ * [01][.,]0 | = \ * [-:] \ * =
        | [-+][/:][-+] | [01]F-[01]F ) (?! [.,]\d | [^\s\[{;(.,!)]))
"""
"""The token that ends a game (a verbose pattern): `1-0`, `1 : 0`, `½–½`, `0.5-0.5`; `+/-` without moves."""
RESULTS: Mapping[str, Player | None] = {
    "1-0": "white", "0-1": "black", "1/2-1/2": "", "1/2": "", "0-0": None, "*": None,
}  # fmt: skip
"""The winner by each word that ends a game; at 0-0 both have lost."""
HALF, TENTHS = re.compile("½|=|0[.,]5"), re.compile(r"\b([01])[.,]0\b")
"""Half a point, and whole ones with a decimal: lists of results, and studies, have them so."""
FORFEITS: Mapping[str, str] = {
    "+/-": "1-0", "+--": "1-0", "1F-0F": "1-0",
    "-/+": "0-1", "--+": "0-1", "0F-1F": "0-1",
    "-/-": "0-0", "---": "0-0", "0F-0F": "0-0",
}  # fmt: skip
"""The results of games that nobody played, as programs for pairing write them."""
KNOWN_TAGS = {tag.lower(): tag for tag in (*OWN_TAGS, "TimeControl", "Termination", "Variant")}
"""The tags that are read here: elsewhere they may have other capitals."""
ESCAPED = re.compile(r'\\(["\\])')
NO_BRACES = str.maketrans("{}", "()")


def write_comments(comments: Iterable[Comment], left: float | None = None) -> str:
    """Returns the comments on a move as one, and the seconds that its player had left, where that is known.

    What an author said is together; a comment by nobody known comes first, without a mark.
    """
    said: dict[str, list[str]] = {"": []}
    for text, by in comments:
        said.setdefault(by, []).append(text.replace("[%", "(%"))  # what people type is no command
    marked = (f"[%by {by}] " * bool(by) + "\n".join(texts) for by, texts in said.items() if texts)
    told = " ".join(marked).translate(NO_BRACES).replace("\n[", "\n [")  # nor a tag: that begins a line
    return " ".join(filter(None, (told, "" if left is None else _write_clock(left))))


def _write_clock(seconds: float) -> str:
    """Returns the time that a player had left after a move, as a command for programs in its comment."""
    tenths = round(10 * seconds)
    whole, part = divmod(tenths, 10)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"[%clk {text}.{part}]" if part else f"[%clk {text}]"


def is_prose(word: str) -> bool:
    """Tells whether a word without digits, so no move, begins with a letter."""
    return word[:1].isalpha() and not any(map(str.isdigit, word))


def read_result(word: str) -> str:
    """Returns a result as the notations spell it."""
    plain = "".join(word.split()).translate(DASHES).replace(":", "-")
    plain = TENTHS.sub(r"\1", HALF.sub("1/2", plain))
    return FORFEITS.get(plain, plain)


def read_comments(comment: str) -> Iterator[Comment]:
    """Yields the parts of a move's comment: one by each author."""
    first, *rest = AUTHOR.split(comment)
    for by, said in (("", first), *zip(rest[::2], rest[1::2], strict=True)):
        text = COMMAND.sub(" ", said)
        if text.strip():
            yield Comment(tidy_lines(text), by)


def read_clock(comment: str) -> float | None:
    """Returns the seconds that a comment on a move says its player had left; None where it says none."""
    told = CLOCK.search(comment) or CLOCKS.search(comment)
    return 3600.0 * int(told[1]) + 60 * int(told[2]) + float(told[3].replace(",", ".")) if told else None


def write_tags(game: PlayedGame, further: Mapping[str, str]) -> dict[str, str]:
    """Returns a game's tags, with further ones of its notation."""
    told = {key: value for key, value in game.head.items() if value}
    tags = {tag: told.get(key, "?") for key, tag in TAGS.items() if key in {*ROSTER, *told}}
    tags |= {"Date": told.get(DATE, "????.??.??"), "Result": write_result(game.outcome)}
    if game.began and DATE not in told:
        began = datetime.fromtimestamp(game.began, UTC)
        tags |= {"Date": local_time(game.began).strftime(DAY), "UTCDate": began.strftime(DAY)}
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


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_COMMENT else f"{text[: LONGEST_COMMENT - 1].rstrip()}…"


def _say_cut(count: int, text: str) -> str:
    return say(
        "the comment at step {count} is cut: it has {n} characters, of which {most} are kept",
        count=count,
        n=len(text),
        most=LONGEST_COMMENT,
    )


def say_due(due: int, number: int) -> str:
    """Says that a move's number is not the next."""
    return say(
        "move {due} is due, not {number}: a move, or the game's result, is missing", due=due, number=number
    )


def began(tags: Mapping[str, str]) -> tuple[str, float]:
    """Returns the date of a game as its tags have it, where they do not tell the moment (`1924.??.??`), and
    when it began, in seconds since 1970: noon of a day of which the hour is unknown, 0 where the day is."""
    date = _tidy_date(tags.get("UTCDate") or tags.get("Date", ""))
    if (moment := _moment(date, tags.get("UTCTime", ""))) is not None:
        return "", moment
    return (date if date.strip("0.? ") else ""), _moment(date, "12:00:00") or 0.0


YEAR_FIRST = re.compile(r"(\d{4})(?:[-./](\d\d?|\?\?)(?:[-./](\d\d?|\?\?)(?:[ T].*)?)?)?")
YEAR_LAST = re.compile(r"(\d\d?)\.(\d\d?)\.(\d{4})")


def _tidy_date(text: str) -> str:
    """Returns a date as the notations spell it, `2023.12.24` or `2023.??.??`; others as they are."""
    if match := YEAR_LAST.fullmatch(text):
        parts = match.groups()[::-1]
    elif match := YEAR_FIRST.fullmatch(text):
        parts = match.groups("??")
    else:
        return text
    return ".".join(part.zfill(2) for part in parts)


def _moment(date: str, clock: str) -> float | None:
    try:
        return datetime.fromisoformat(f"{date.replace('.', '-')}T{clock}+00:00").timestamp()
    except ValueError:
        return None


class PortableReading(ABC):
    """A game while it is read, token by token.

    Variations are passed over: only the moves that were played are kept. After a token that cannot be read
    the rest of the game is passed over too, up to the next one.
    """

    notation: ClassVar[str]
    results: ClassVar[Mapping[str, Player | None]] = RESULTS

    def __init__(self) -> None:
        self.tags: MutableMapping[str, str] = {}
        self.tag_at: dict[str, int] = {}
        """Where in the text each tag stands."""
        self.comments: list[list[str]] = [[]]
        """The comments before the first move, and after each."""
        self.result = ""
        self.result_at = 0
        self.drawn, self.drawn_at = "", 0
        """Why a draw would have ended the game by the rules here, and where it went on all the same."""
        self.at = 0
        """Where in the text is what is read now."""
        self.began = -1
        """Where the game begins."""
        self._depth = 0
        self._wrong: ValueError | None = None
        self._has_moves = False
        self._prose: list[tuple[str, int]] = []
        """The words that are no moves, and where in the text each stands."""

    @abstractmethod
    def moves_in(self, token: re.Match[str]) -> str:
        """Returns the move, or its number, that a token is; '' for another one."""

    def result_in(self, token: re.Match[str]) -> str:
        """Returns the result that a token is; '' for another one, as `+/-` after a move: a thought."""
        word = token["result"] or ""
        is_thought = self._has_moves and word[:1] in ("+", "-") and ":" not in word
        return "" if is_thought else read_result(word)

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
            is_again = KNOWN_TAGS.get(token["tag"].lower()) in {*ROSTER.values()} & {*self.tags}
            return bool(self._has_moves or self.result or is_again)
        return bool(self.result and not self._depth and self.moves_in(token))

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
        if token["end"] == "":
            raise ValueError(say("a comment has no '}}'"))
        if token["stray"] and not self._depth:
            if not is_prose(token[0]):
                raise ValueError(self.say_stray(token[0][:40]))
            self.take_prose(token[0])
        elif token["tag"]:
            if value := read_value(token["value"]).strip():
                tag = KNOWN_TAGS.get(token["tag"].lower(), token["tag"])
                self.tags[tag], self.tag_at[tag] = value, token.start()
        elif token["bracket"]:
            self._depth += 1 if token["bracket"] == "(" else -1
            if self._depth < 0:
                raise ValueError(say("')' ends no variation"))
        elif self._depth == 0:
            if comment := token["comment"] or token["rest"]:
                self.comments[-1].append(comment)
            else:
                self.take_main(token)

    def take_prose(self, word: str) -> None:
        """Takes a word that is no move, such as `mate` or `resigns`, as a comment."""
        self.comments[-1].append(word)
        self._prose.append((word, self.at))

    def _say_prose(self, text: str) -> Iterator[str]:
        for word, at in self._prose[:1]:
            yield say_count(
                "'{word}' in line {line} is no move: it is kept as a comment",
                "{n} words, the first of them '{word}' in line {line}, are no moves: they are kept as "
                "comments",
                len(self._prose),
                word=word[:40],
                line=line_at(text, at),
            )

    def won(self, text: str) -> tuple[Player | None, tuple[str, ...]]:
        """Returns the winner by the tags, else by the word at the end, and what has to be said of that."""
        told, tag_at = read_result(self.tags.get("Result", "")), self.tag_at.get("Result", 0)
        for word, at in ((told, tag_at), (self.result, self.result_at)):
            if word.strip("?") and word not in self.results:
                line = line_at(text, at)
                remark = say(
                    "the result '{word}' in line {line} is not known here", word=word[:40], line=line
                )
                return self.results.get(self.result, self.results.get(told)), (remark,)
        if None in (of_tag := self.results.get(told), of_word := self.results.get(self.result)):
            return of_word if of_tag is None else of_tag, ()
        remark = say(
            "line {line}: the tag Result says {told}, and the game ends with {word}: the tag is kept",
            line=line_at(text, tag_at),
            told=told,
            word=self.result,
        )
        return of_tag, (remark,) if of_tag != of_word else ()

    def told(self, text: str, words: Sequence[str], moves: Iterable[Action], last: Any) -> ParsedGame:
        """Returns the game: its own game text begins with these words, and `last` is where its moves end."""
        winner, remarks = self.won(text)
        if self.drawn:
            words = [*words, f"{DRAWS.name}={CLAIMED}"]
            line = line_at(text, self.drawn_at)
            remarks += (
                say(
                    "the game went on after a draw ({reason}) in line {line}: kept as played",
                    reason=self.drawn,
                    line=line,
                ),
            )
        options = [
            word
            for word in self.tags.get(OPTIONS, "").split()
            if word.partition("=")[0] not in TOLD_ELSEWHERE and word not in words
        ]
        joined = [" ".join(said) for said in self.comments]
        spoken = [(count, comment) for count, said in enumerate(joined) for comment in read_comments(said)]
        cut = [_say_cut(count, text) for count, (text, _) in spoken if len(text) > LONGEST_COMMENT]
        kept = tuple((count, Comment(_cut(text), by)) for count, (text, by) in spoken)
        clocks = tuple(map(read_clock, joined[1:]))
        tags = {tag: tidy_line(value) for tag, value in self.tags.items()}
        names = {tag: key for key, tag in TAGS.items()}
        head = {names[tag]: value for tag, value in tags.items() if tag in names and value not in "?-"}
        date, moment = began(self.tags)
        if date:
            head[DATE] = date
        return ParsedGame(
            game=" ".join([*words, *options]),
            moves=tuple(moves),
            last=last,
            comments=kept,
            head=head,
            began=moment,
            winner=winner,
            clocks=clocks if any(left is not None for left in clocks) else (),
            tags={
                tag: tags[tag] for tag, value in self.tags.items() if tag not in OWN_TAGS and value.strip("?")
            },
            remarks=(*remarks, *cut, *self._say_prose(text)),
        )

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
    text: str, tokens: re.Pattern[str], reading: Callable[[], PortableReading]
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
