"""PDN, the portable draughts notation: games of English (type 21) and international draughts (type 20).

It looks like PGN: tags, then numbered moves, comments and the result; squares have numbers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO

from companion.core import GameError
from companion.games.draughts.grid import ENGLISH, INTERNATIONAL, VARIANTS, Variant
from companion.games.draughts.position import Position
from companion.games.draughts.rules import Draughts
from companion.games.draughts.words import numbered, read_fen, write_fen
from companion.games.portable import (
    TAGS,
    Parsed,
    notes_by_line,
    read_notes,
    read_start,
    result_of,
    tags_of,
    write_notes,
)
from companion.record import Note, Record, RecordError
from companion.session import Session
from companion.text import Game, read_game

RESULTS: Mapping[str, str | None] = {
    "1-0": "white", "2-0": "white", "0-1": "black", "0-2": "black",
    "1/2-1/2": "", "½-½": "", "1-1": "", "*": None,
}  # fmt: skip
"""The words that end a game, and the winner; some countries count two points for a game won."""
SIGN = re.compile(r'^\s*\[GameType\s|\[FEN\s+"[WB]:|\d+\s*\.+\s*(?:\d+|[a-j]\d+)[-x:]\d*[1-9]', re.MULTILINE)
"""What PDN has and PGN has not: its own tags, or a move from square to square after a number."""
TOKEN = re.compile(
    r"""
      ^%.* | ;.*                                # up to the line's end: for other programs, or for people
    | \{ (?P<comment> [^}]*) \}
    | \[ \s* (?P<tag> [^\s"\[\]]+) \s+ "(?P<value> [^"\n]* | .*)" \s* \]
    | (?P<bracket> [()])
    | \$\d+ | [!?]+ | \.+                       # what is thought of a move
    | (?P<result> (?:[012]-[012] | 1/2-1/2 | ½-½ | \*) (?![^\s\[{;]))
    | (?P<number> \d+) \s* \.+
    | (?P<move> (?:\d+ | [a-j]\d+) (?:[-x:] (?:\d+ | [a-j]\d+))+)
    | (?P<stray> \S+)
    """,
    re.VERBOSE | re.MULTILINE,
)
WIDTH = 80


def is_pdn(text: str) -> bool:
    """Whether a text with tags or numbered moves is PDN, and not the PGN of chess."""
    return bool(SIGN.search(text))


def write_pdn(record: Record) -> str:
    """The game as PDN; after an arbiter's correction it begins there, with a FEN."""
    session = record.session()
    first = max((n for n, ply in enumerate(session.plies, 1) if ply.entry.kind == "correction"), default=0)
    begun: Position = session.positions()[first]
    said = notes_by_line(record)
    words, number = _comment(said.get(0, ())), 1
    is_first = True
    for ply, before in zip(session.plies[first:], session.positions()[first:], strict=False):
        opens = before.seat == begun.variant.first
        if opens or is_first:
            words.append(f"{number}." if opens else f"{number}...")
        words.append(numbered(begun.variant.grid, ply.action))
        words += _comment(said.get(session.line(ply), ()))
        number, is_first = number + (not opens), False
    tags = "".join(f'[{tag} "{value}"]\n' for tag, value in _tags(record, session, begun).items())
    return f"{tags}\n{_lines([*words, result_of(session)])}\n"


def _lines(words: Iterable[str]) -> str:
    """The words in lines of a width that people can read; comments stay as they are."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) >= WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


@dataclass
class _Reading:
    """The parts of a game while it is read; of the moves, where in the text each stands."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[str, int]] = field(default_factory=list)
    comments: list[list[str]] = field(default_factory=lambda: [[]])
    result: str = ""
    depth: int = 0


class _PDNError(ValueError):
    """What is wrong, and where in the text."""

    def __init__(self, words: str, at: int) -> None:
        super().__init__(words)
        self.at = at


def parse_pdn(pdn: str) -> list[Parsed]:
    """The games of a PDN text. RecordError says what is wrong, and in which line."""
    pdn = StringIO(pdn, newline=None).read()  # whichever way its lines end
    try:
        found = [_parsed(game) for game in _games(pdn)]
    except _PDNError as error:
        raise RecordError(f"PDN: {error} (line {pdn.count(chr(10), 0, error.at) + 1})") from error
    if not found:
        raise RecordError("there is no game in this PDN")
    return found


def _games(pdn: str) -> Iterator[_Reading]:
    game, end = _Reading(), 0
    for token in TOKEN.finditer(pdn):
        end = token.start()
        if _begins_another(game, token):
            yield game
            game = _Reading()
        _take(game, token)
    if game.depth:
        raise _PDNError("a variation has no ')'", end)
    if game.tags or game.moves:
        yield game


def _begins_another(game: _Reading, token: re.Match[str]) -> bool:
    """Whether a token is another game's: after a result all but comments, after a move a tag."""
    if token["tag"]:
        return bool(game.moves or game.result) and not game.depth
    return bool(game.result and (token["number"] or token["move"]))


def _take(game: _Reading, token: re.Match[str]) -> None:
    if token["stray"]:
        words = f"'{token[0][:40]}' is neither a move (11-15, 15x22) nor a whole tag or comment"
        raise _PDNError(words, token.start())
    if token["bracket"]:
        game.depth += 1 if token["bracket"] == "(" else -1
        if game.depth < 0:
            raise _PDNError("')' ends no variation", token.start())
    elif game.depth:  # only what was played is kept
        return
    elif token["tag"]:
        game.tags[token["tag"]] = token["value"]
    elif token["comment"]:
        game.comments[-1].append(token["comment"])
    elif token["result"]:
        game.result = token["result"]
    elif token["move"]:
        game.moves.append((token["move"], token.start()))
        game.comments.append([])


def _parsed(found: _Reading) -> Parsed:
    tags = found.tags
    at = found.moves[0][1] if found.moves else 0
    game = _game(found, at)
    rules, position, actions = game.rules, game.start(), []
    for number, (word, where) in enumerate(found.moves, 1):
        action = rules.read(position, word)
        if breaches := rules.judge(position, action):
            broken = ", ".join(breach.rule for breach in breaches)
            raise _PDNError(f"move {number}, '{word[:40]}', is not allowed ({broken})", where)
        position = rules.play(position, action).position
        actions.append(action)
    names = {tag: key for key, tag in TAGS.items()}
    head = {names[tag]: value for tag, value in tags.items() if tag in names and value not in "?-"}
    notes = tuple(
        note for line, said in enumerate(found.comments) for note in read_notes(" ".join(said), line)
    )
    winner = RESULTS.get(tags.get("Result", ""))
    if winner is None:
        winner = RESULTS.get(found.result)
    return Parsed({"game": game.head, **head}, actions, notes, read_start(tags), winner)


def _game(found: _Reading, at: int) -> Game:
    """The game that is played, by its tags; one without a type is taken for what its squares tell."""
    variant = _variant(found, at)
    words = [Draughts.name]
    if variant is not ENGLISH:
        words.append(f"variant={variant.name}")
    usual: Position = read_game(" ".join(words)).start()
    try:
        fen = found.tags.get("FEN", "").replace(" ", "")
        if fen and (begun := read_fen(variant, fen)) != usual:
            words.append(f"fen={write_fen(begun)}")
        return read_game(" ".join(words))
    except GameError as error:
        raise _PDNError(str(error), at) from error


def _variant(found: _Reading, at: int) -> Variant:
    named = found.tags.get("GameType", "").partition(",")[0].strip()
    if named:
        for variant in VARIANTS.values():
            if variant.type == named:
                return variant
        words = f"GameType {named[:20]} is not played here: only 21 (English) and 20 (international)"
        raise _PDNError(words, at)
    fen, moves = found.tags.get("FEN", ""), [word for word, _ in found.moves]
    squares = [int(square) for square in re.findall(r"\d+", " ".join([fen, *moves]))]
    has_more = any(square > len(ENGLISH.grid.bits) for square in squares)
    white_begins = not fen and squares[:1] > [ENGLISH.men]  # in English draughts Black begins, from 1 to 12
    return INTERNATIONAL if has_more or white_begins else ENGLISH


def _comment(notes: Collection[Note]) -> list[str]:
    """The comments on a line as one word, if there are any."""
    return ["{" + write_notes(notes) + "}"] if notes else []


def _tags(record: Record, session: Session, begun: Position) -> dict[str, str]:
    tags = tags_of(record, session, {"GameType": begun.variant.type})
    if begun != read_game(f"{Draughts.name} variant={begun.variant.name}").start():
        tags |= {"SetUp": "1", "FEN": write_fen(begun)}
    return tags
