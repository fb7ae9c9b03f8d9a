"""Makes games in which much happened that is no action, and of which much was said."""

from __future__ import annotations

import random

from companion.core.comments import tidy_comment
from companion.core.game import GameError
from companion.games.text import read_game
from companion.record.record import Note, Record
from companion.record.session import ARBITER, Entry, Session, begin, write_looks

KINDS = ["action"] * 8 + [
    "takeback",
    "redo",
    "refused",
    "offer",
    "decline",
    "clock",
    "note",
    "correction",
    "result",
]
NAMES = ("Žofie {Ång}", "Борис = 100%", 'Νίκος: "quoted"', "李 小龍")
WORDS = ["why", "not?", "{so}", "100%", "a=b", "—", "½", "§", "𝄞", "[%by", '[White "x"]', ";#", "\\", "late"]


def random_entry(session: Session, chance: random.Random, time: float) -> Entry:
    """Returns an entry that may follow, or may be refused."""
    kind, by = chance.choice(KINDS), chance.choice(session.players)
    source = chance.choice(("camera:0", "serial:/dev/tty ACM0", "tablet", ""))
    text = ""
    if kind == "action":
        dealt = session.rules.deal(session.position, session.game.options, chance)
        legal = [dealt] if dealt else list(session.rules.legal(session.position))
        text = chance.choice(legal or ["nothing"])
    elif kind == "takeback":
        text = str(chance.randint(1, 3))
    elif kind == "correction":
        looks = dict(session.rules.pieces(session.position))
        looks.pop(chance.choice(sorted(looks)), None) if looks else None
        text = write_looks(session.position.turn, looks, session.rules.pieces(session.position))
    elif kind == "clock":
        text = chance.choice(("stop", "start", f"{by} {chance.randint(-600, 600):+}.0"))
    elif kind in ("refused", "note"):
        text = " ".join(chance.sample(WORDS, 2))
    certainty, clock = round(chance.random(), 4), chance.choice((None, round(chance.random() * 900, 1)))
    return Entry(kind, text, by, source, certainty, time, clock)


def random_record(name: str, seed: int, count: int = 40) -> Record:
    """Returns a game in which much happened that is no action, and much was said; `name` may have options."""
    chance = random.Random(f"{name} {seed}")
    session = begin(read_game("magnet setup=random" if name == "magnet" else name))
    for n in range(count):
        try:
            session = session.apply(random_entry(session, chance, 1_700_000_000 + n + 0.125))
        except GameError:  # not possible now
            continue
    lines = sorted(chance.choices(range(len(session.log) + 1), k=12))
    notes = tuple(random_note(chance, line, session) for line in lines)
    head = dict(zip((*session.players, "event"), NAMES, strict=False))
    return Record(session.game, session.log, head, notes, 1_699_999_999.25)


def random_note(chance: random.Random, line: int, session: Session) -> Note:
    """Returns a comment on a line of the log."""
    said = "\n".join(" ".join(chance.choices(WORDS, k=3)) for _ in range(chance.randint(0, 3)))
    return Note(tidy_comment(said), line, chance.choice((ARBITER, *session.players)), 1.7e9 + line)
