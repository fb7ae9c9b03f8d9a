"""Finds what to publish of a round: each board's pairing, and the pairings of earlier rounds to withdraw."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from broker_bridge.topics import BoardName
from companion.language import say
from companion.wire.hall import Pairing
from hall.rounds.board_map import BoardMap
from hall.rounds.pairs import Pair, RoundError

IDENTITY = re.compile(r"([0-9a-f]{16})-([0-9]{4}-[0-9]{2}-[0-9]{2})(?:-([0-9]{1,4}))?")
"""The identity of a pairing: whose it is, the day on which it was published first, and how often its game was
to begin again."""


def digest(pair: Pair) -> str:
    """Returns what tells a pair of a round from all others of a tournament."""
    told = json.dumps([pair.round, pair.board, pair.first, pair.second]).encode()
    return hashlib.sha256(told).hexdigest()[:16]


def read_identity(text: str) -> tuple[str, date] | None:
    """Returns the digest of a pair, and the day, of a pairing's identity; None where it is another's."""
    match = IDENTITY.fullmatch(text)
    try:
        return (match[1], date.fromisoformat(match[2])) if match else None
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a round where its file has none: the game text, its players, clock and event."""

    game: str
    players: Sequence[str]
    clock: str = ""
    event: str = ""

    def pairing(self, pair: Pair, today: date) -> Pairing:
        """Returns a pair as its board is told of it."""
        return Pairing(
            round=str(pair.round),
            players=dict(zip(self.players, (pair.first, pair.second), strict=True)),
            event=pair.event or self.event,
            game=self.game,
            clock=pair.clock or self.clock,
            id=f"{digest(pair)}-{today}",
        )


def placed(pairs: Iterable[Pair], plan: Plan, boards: BoardMap, today: date) -> dict[BoardName, Pairing]:
    """Returns the pairing of each board. RoundError where a pair has no board, or two have the same."""
    found: dict[BoardName, Pairing] = {}
    for pair in pairs:
        board = boards.board(pair.board)
        if board in found:
            raise RoundError(say("two pairs have board {board}", board=board))
        found[board] = plan.pairing(pair, today)
    return found


def known_again(
    pairings: Mapping[BoardName, Pairing],
    kept: Mapping[BoardName, Pairing],
    again: Collection[BoardName] = (),
) -> dict[BoardName, Pairing]:
    """Returns pairings with the identity under which the broker has them already, so that a game that was
    played is not proposed again; with a further one for the boards whose game is to begin `again`."""
    return {
        board: replace(pairing, id=_identity(pairing, kept.get(board), board in again))
        for board, pairing in pairings.items()
    }


def _identity(pairing: Pairing, kept: Pairing | None, is_again: bool) -> str:
    before, now = IDENTITY.fullmatch(kept.id if kept else ""), IDENTITY.fullmatch(pairing.id)
    day, times = now[2] if now else "", int(is_again)
    if before and now and before[1] == now[1]:
        day, times = before[2], times + int(before[3] or 0)
    return f"{pairing.id[:16]}-{day}" + (f"-{times}" if times else "")


def letters(
    pairings: Mapping[BoardName, Pairing], kept: Mapping[BoardName, Pairing], since: date
) -> dict[BoardName, Pairing | None]:
    """Returns what to publish so that the broker keeps these pairings: None withdraws one. Others stay if
    they are of another tournament that is on: they were published on the day `since` or later."""
    changed = {board: pairing for board, pairing in pairings.items() if kept.get(board) != pairing}
    over = {
        board: None
        for board, other in kept.items()
        if board not in pairings and not _is_beside(other, pairings.values(), since)
    }
    return {**changed, **over}


def _is_beside(kept: Pairing, pairings: Collection[Pairing], since: date) -> bool:
    """Returns whether a pairing is of another tournament than these: of another game, or another event."""
    identity = read_identity(kept.id)
    if not identity or identity[1] < since or not pairings:
        return False
    return all(
        one.game != kept.game or (one.event and kept.event and one.event != kept.event) for one in pairings
    )
