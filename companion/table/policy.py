"""Policy of the table: how long and how surely a board has to be shown before something follows from it.

Every wait is one row of `Policy`: its value, its unit, what it decides, and where the value comes from. The
tracker, the acceptance of findings and the checks of sensors and markers read it; none keeps a wait of its
own. Seconds count on the clock of the sources. The costs by which the referee searches are its `Limits`.

`CHOSEN` means that a value was chosen by hand and that the tests hold it; nobody measured another one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeVar

from companion.referee.verdict.takeback import TAKEN

Unit = Literal["seconds", "nats", "plies", "places", "sightings", "changes"]
Value = TypeVar("Value", int, float)

CHOSEN = "chosen"
SIMULATED = "chosen with simulated games, docs/referee.md"
DOUBT_WAITS = "docs/decisions.md: Doubt waits, certainty does not"
FAINT_WAITS = "docs/decisions.md: A faint change waits"
PLAYS_ON = "docs/decisions.md: Play that goes on confirms the board"
STILLS = "docs/decisions.md: A still is believed at once"


def _row(value: Value, unit: Unit, origin: str, meaning: str) -> Value:
    """Describes one field of `Policy`; to the type checker it is the field's default."""
    return field(default=value, metadata={"unit": unit, "origin": origin, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Policy:
    """The table of waits and thresholds. A test or a benchmark may exchange single ones."""

    # The tracker: when the board of one source, and of all sources together, has held.
    hold: float = _row(0.35, "seconds", CHOSEN, "a board is handed on once nothing changed for so long")
    sightings: int = _row(2, "sightings", CHOSEN, "and once it was seen so often since then")
    silence: float = _row(2.0, "seconds", CHOSEN, "nobody waits for a source that is silent for so long")
    lost: float = _row(4.0, "seconds", "twice `silence`", "a source that is silent for so long is lost")
    beginning: float = _row(15.0, "seconds", CHOSEN, "one that has spoken once may take so long to go on")
    flicker: float = _row(3.0, "seconds", CHOSEN, "changes of one place within so long are counted together")
    changes: int = _row(3, "changes", CHOSEN, "a place with more of them flickers, and is left out")

    # Acceptance: for how long a finding has to be shown, by what speaks against it.
    grace: float = _row(1.0, "seconds", DOUBT_WAITS, "a doubtful finding, or a refusal, waits so long")
    slight_refusal: float = _row(2.0, "seconds", SIMULATED, "a refusal by few places (`slips`) waits so long")
    piece_in_hand: float = _row(8.0, "seconds", SIMULATED, "and so long where the last piece is still lifted")
    faint: float = _row(3.0, "seconds", FAINT_WAITS, "a change that a place hardly speaks for waits so long")
    ahead: float = _row(4.0, "seconds", DOUBT_WAITS, "a piece that was seen before it left waits so long")
    restoring: float = _row(3.0, "seconds", SIMULATED, "a takeback while a board is put right waits so long")
    doubtful_lead: float = _row(2.5, "nats", SIMULATED, "a story that is less ahead of the next is doubtful")
    unlikely_cost: float = _row(
        6.0, "nats", "docs/decisions.md: The unlikely gets time", "a dearer story waits for a longer search"
    )
    faint_misfit: float = _row(4.0, "nats", FAINT_WAITS, "a place that speaks less for its change is faint")
    slips: int = _row(2, "places", SIMULATED, "a refusal that fewer places may have misled is slight")
    explains: int = _row(2, "places", PLAYS_ON, "so many change for each left unexplained, and each action")
    many: int = _row(4, "places", STILLS, "where a still shows more wrong ones, something hides the board")

    # What hands take back without a word.
    takeback: int = _row(TAKEN, "plies", "the referee's TAKEN", "so many may go by moving pieces back")
    takeback_when_over: int = _row(2, "plies", CHOSEN, "and so many once the game is over")

    # When pieces that stand as at the start ask for a new game.
    left_alone: float = _row(60.0, "seconds", CHOSEN, "a game that is on has to be left alone for so long")

    # What a table that loses its power gives back to the player whose clock runs.
    clock_kept: float = _row(10.0, "seconds", CHOSEN, "a clock that runs is stored so often")

    # What is reported though nothing follows from it.
    conflict: float = _row(3.0, "seconds", CHOSEN, "a sensor that contradicts others for so long is reported")
    markers: float = _row(3.0, "seconds", CHOSEN, "markers that are missing for so long are pointed out")


POLICY = Policy()
"""The values in use."""
