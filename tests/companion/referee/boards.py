"""Boards of Triune drawn as pictures, and hand-made evidence of what stands on them.

A picture has rank 1 at its foot and file a at its left; what it leaves out of the board is empty. The letters
are r, m and t for Red's solid, marked and triune pieces, B, M and T for Blue's, `.` for an empty place and
`?` for one that nobody sees.
"""

from __future__ import annotations

from dataclasses import replace

from companion.core.game import EMPTY, Look, Place
from companion.games.text import read_game
from companion.record.session import Entry, Session
from companion.referee import Evidence
from companion.referee.evidence.timeline import UNKNOWN, HandlingTimeline
from companion.sensing.observation import Observation, Reading

GAME = read_game("triune")
LOOKS: dict[str, Look] = {
    "r": "red/solid",
    "m": "red/marked",
    "t": "red/triune",
    "B": "blue/solid",
    "M": "blue/marked",
    "T": "blue/triune",
}
UNSEEN = "?"
SURE = 8.0
"""Nats by which a drawn look is likelier than all others."""


def letters(picture: str) -> dict[Place, str]:
    """Returns the letter at each place of a picture."""
    rows = reversed(picture.split())
    return {
        f"{file}{rank}": c
        for rank, row in enumerate(rows, 1)
        for file, c in zip("abcdefgh", row, strict=False)
    }


def looks_of(picture: str) -> dict[Place, Look]:
    """Returns the looks of a picture; places left out are empty."""
    return {place: LOOKS[c] for place, c in letters(picture).items() if c in LOOKS}


def as_seen(session: Session) -> Session:
    """Returns a session whose actions sensors reported: none was entered."""
    plies = (replace(ply, entry=replace(ply.entry, certainty=0.9)) for ply in session.plies)
    return replace(session, plies=tuple(plies))


def session_of(picture: str, *actions: str, turn: str = "red") -> Session:
    """Returns a game that begins with a picture, and goes on with these actions."""
    start = GAME.start()
    return play(Session(GAME, GAME.rules.arrange(start, looks_of(picture), turn)), *actions)


def play(session: Session, *actions: str) -> Session:
    """Returns the session after these actions."""
    for action in actions:
        session = session.apply(Entry("action", action))
    return session


def observe(picture: str) -> Observation:
    """Returns the observation of a picture, each of its looks `SURE`."""
    drawn = letters(picture)
    seen = (place for place in GAME.board.sites if drawn.get(place) != UNSEEN)
    readings = {place: read(LOOKS.get(drawn.get(place, "."), EMPTY)) for place in seen}
    return Observation(0.0, readings, "camera")


def read(look: Look) -> Reading:
    """Returns the reading of a look that is `SURE`."""
    others = dict.fromkeys((EMPTY, *LOOKS.values()), -SURE)
    return Reading({**others, look: 0.0})


def see(picture: str, timeline: HandlingTimeline = UNKNOWN, **doubts: tuple[Look, float]) -> Evidence:
    """Returns the evidence of a picture.

    `doubts` names places that may also show another look, so many nats less likely: `a2=("empty", 0.5)`.
    """
    observation = observe(picture)
    readings = dict(observation.readings)
    for place, (look, nats) in doubts.items():
        readings[place] = Reading({**readings[place].looks, look: -nats})
    return Evidence(Observation(0.0, readings, "camera"), timeline=timeline)


def seen_at(session: Session, timeline: HandlingTimeline = UNKNOWN) -> Evidence:
    """Returns the evidence of exactly the board of a session."""
    readings = {place: read(session.look.get(place, EMPTY)) for place in GAME.board.sites}
    return Evidence(Observation(0.0, readings, "camera"), timeline=timeline)
