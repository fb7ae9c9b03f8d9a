"""Files of games with all that standard and practice allow, made by chance, and what each of them says."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from companion.games.text import read_game
from companion.record.session import Entry, Session, begin

GAMES = {
    "pgn": (
        "chess",
        "chess fen=8/P7/8/8/8/4k3/8/K7_w_-_-_12_60",
        "chess fen=r3k2r/8/8/8/8/8/8/R3K2R_b_Kq_-_3_20",
    ),
    "pdn": ("draughts", "draughts variant=international", "draughts fen=W:W18,K21:B5,K14"),
}
RESULTS = {
    "pgn": {"white": ("1-0", "1:0"), "black": ("0-1", "0:1"), "": ("1/2-1/2", "½-½", "1/2"), None: ("*",)},
    "pdn": {"white": ("1-0", "2-0"), "black": ("0-1", "0-2"), "": ("1/2-1/2", "1-1"), None: ("*",)},
}
PLIES = 40
WINNERS = ("white", "black", "", None)
NAMES = ("Müller, Ann", 'Ben "B" Ó Sé', "C:\\dir\\", "Šimek]", "D’Angelo", "[x", "李", "{e}", "1-0", "%f")
SAYINGS = ("good", "1. e4 is better (or not)", "über; 50% $3", "“so”", "[Event x]", "--", "1-0", "…")
MARKS = "\ufeff\u200b\u2060\u200e"
KEPT = (
    ("WhiteElo", "2400"),
    ("ECO", "C20"),
    ("Annotator", 'An "A"'),
    ("PlyCount", "7"),
    ("Opening", "Só [x]"),
)
DATES = ("????.??.??", "1924.??.??", "1924.05.??", "2023.11.14", "")
CONTROLS = ("", "600+5", "40/5400+30:1800+30", "4500", "?", "-", "*60", "300+3d")


@dataclass
class Made:
    """A game of a file: its text, and what a reader has to find in it."""

    text: str
    actions: tuple[str, ...]
    names: dict[str, str]
    winner: str | None
    clocks: list[float | None]
    comments: dict[int, str] = field(default_factory=dict)


@cache
def played(head: str, seed: int, most: int) -> Session:
    """Returns a game that chance plays, of some plies or `most`."""
    chance, session = random.Random(f"{head} {seed}"), begin(read_game(head))
    for _ in range(chance.choice((0, 1, 2, 7, most)) if most < 50 else most):
        legal = list(session.rules.legal(session.position))
        if not legal:
            break
        session = session.apply(Entry("action", chance.choice(legal)))
    return session


def made_file(form: str, chance: random.Random, count: int, most: int = PLIES) -> tuple[str, list[Made]]:
    """Returns a file of so many games, and what it says. With `most` at 50 or above all are that long."""
    made = [made_game(form, chance, most) for _ in range(count)]
    begins = chance.choice(("", "\ufeff", "% for programs\n", "\n\n", "%a\n%b\n"))
    between = [chance.choice(("\n", "\n\n", "\n\ufeff", "\n\n\n% more\n")) for _ in made]
    text = begins + "".join(game.text + gap for game, gap in zip(made, between, strict=True))
    return text.replace("\n", chance.choice(("\n", "\n", "\r\n", "\r"))), made


def made_game(form: str, chance: random.Random, most: int = PLIES) -> Made:
    session = played(chance.choice(GAMES[form]), chance.randrange(40), most)
    winner = chance.choice(WINNERS)
    if session.outcome:
        winner = session.outcome.winner or ""
    result = chance.choice(RESULTS[form][winner])
    names = {seat: chance.choice(NAMES) for seat in ("white", "black") if chance.random() < 0.7}
    made = Made("", session.actions, names, winner, [])
    tags = list(_tags(session, form, names, result, chance))
    made.text = "".join(f"{tag}\n" for tag in tags) + "\n" + _moves(session, form, made, chance) + result
    return made


def _tags(
    session: Session, form: str, names: dict[str, str], result: str, chance: random.Random
) -> Iterator[str]:
    """Yields the tags. A game always has its event, so that it does not go on from the one before."""
    told = {"Event": chance.choice(("?", "Cup")), **{seat.title(): name for seat, name in names.items()}}
    told["Result"] = chance.choice((result, result, "?"))
    if date := chance.choice(DATES):
        told["Date"] = date
    if control := chance.choice(CONTROLS):
        told["TimeControl"] = control
    told |= dict(chance.sample(KEPT, chance.randrange(3)))
    options = dict(word.split("=", 1) for word in session.game.given)
    if form == "pdn":
        told["GameType"] = chance.choice(("20", "20,W,10,0")) if "variant" in options else "21"
    if fen := options.get("fen"):
        told |= {"SetUp": "1", "FEN": fen.replace("_", " ")}
    shuffled = list(told.items())[1:]
    chance.shuffle(shuffled)
    for tag, value in [("Event", told["Event"]), *shuffled]:
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        blank = chance.choice(("", "", " "))
        yield f'[{blank}{tag} "{escaped}"{blank}]'


def _moves(session: Session, form: str, made: Made, chance: random.Random) -> str:
    """Returns the moves, with all that may stand between them."""
    words: list[str] = []
    numbered, clocked = chance.random() < 0.8, chance.random() < 0.3
    words += _comment(made, 0, chance)
    opens = session.players[0]
    number = session.rules.first_number(session.first) if form == "pgn" else 1
    for count, ply in enumerate(session.plies, 1):
        is_first = ply.player == opens
        if numbered and (is_first or count == 1 or chance.random() < 0.1):
            words.append(f"{number}{'.' if is_first else '...'}{chance.choice((' ', '', '  '))}")
        words.append(_spelled(ply.written, form, chance))
        words.append(chance.choice((" ", " ", "\n", f" {chance.choice(MARKS)}")))
        if chance.random() < 0.1:
            words.append(chance.choice(("$1 ", "$146\n", "! ", "?? ", "!? ")))
        if chance.random() < 0.08:
            words.append(f"({number}. {ply.written} {{not ) so}} ($3)) ")
        made.clocks.append(None)
        if clocked:
            made.clocks[-1] = 600.0 - count
            words.append(f"{{[%clk 0:{(600 - count) // 60:02}:{(600 - count) % 60:02}]}} ")
        words += _comment(made, count, chance)
        number += not is_first
    return "".join(words)


def _comment(made: Made, count: int, chance: random.Random) -> Iterable[str]:
    if chance.random() > 0.15:
        return []
    said = chance.choice(SAYINGS)
    made.comments[count] = " ".join(said.split())
    return [chance.choice((f"{{{said}}} ", f"{{ {said} [%eval 0.3]}}\n", f"; {said}\n"))]


def _spelled(move: str, form: str, chance: random.Random) -> str:
    """Returns a move as one or another writes it."""
    if form == "pdn":
        if "x" in move:
            return move.replace("x", chance.choice(("x", ":")))
        return move.replace("-", chance.choice(("-", "-", "- ")))
    if "=" in move and chance.random() < 0.5:
        base, _, rest = move.partition("=")
        return f"{base}{chance.choice((f'({rest[0]})', f'/{rest[0]}', rest[0]))}{rest[1:]}"
    if move.startswith("O"):
        return move.replace("O", chance.choice("O0"))
    return move + chance.choice(("", "", "!", "?!"))
