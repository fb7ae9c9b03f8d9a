"""Games that boards have played, as far as results need them; the scores of the pairs that played them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from broker_bridge.topics import BoardName
from companion.record.head import PAIRING
from companion.wire.hall import BoardState
from hall.archive.listing import GameRow
from hall.rounds.pairs import Pair, Score
from hall.rounds.publishing import digest, read_identity
from hall.rounds.trf import mirrored

NUMBER = re.compile("[1-9][0-9]{0,3}")
UNRATED_BELOW = 2
"""The actions of a game in which each player has made a move: shorter ones are not rated."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game: the board that tells of it, its head, its players in their order, and how it stands."""

    board: BoardName
    head: Mapping[str, str]
    players: tuple[str, ...]
    plies: int
    winner: str | None
    is_over: bool

    @property
    def pairing(self) -> str:
        """Returns what tells the pairing that it was begun for; '' for none."""
        return self.head.get(PAIRING, "")

    @property
    def score(self) -> Score:
        """Returns the score. A game that is won without an action is a forfeit: somebody did not come."""
        if not self.is_over or len(self.players) != 2:
            return Score.OPEN
        place = self.players.index(self.winner) if self.winner in self.players else 2
        if self.plies >= UNRATED_BELOW:
            return (Score.WIN, Score.LOSS, Score.DRAW)[place]
        if self.plies:
            return (Score.SHORT_WIN, Score.SHORT_LOSS, Score.SHORT_DRAW)[place]
        return (Score.FORFEIT_WIN, Score.FORFEIT_LOSS, Score.SHORT_DRAW)[place]

    @property
    def pair(self) -> Pair | None:
        """Returns who played, as the game's own head says it; None where that names no two, or no round."""
        first, second = (*(self.head.get(player, "") for player in self.players), "", "")[:2]
        number, board = self.head.get("round", ""), self.head.get("board", "")
        if not first or not second or not NUMBER.fullmatch(number):
            return None
        return Pair(
            board=int(board) if NUMBER.fullmatch(board) else 0,
            first=first,
            second=second,
            round=int(number),
            score=self.score,
            event=self.head.get("event", ""),
            clock=self.head.get("clock", ""),
        )


def of_state(board: BoardName, state: BoardState) -> PlayedGame | None:
    """Returns the game of a board's state; None where none is on."""
    if state.game is None:
        return None
    return PlayedGame(
        board=board,
        head=state.head,
        players=state.game.players,
        plies=state.last.n if state.last else 0,
        winner=state.outcome.winner if state.outcome else None,
        is_over=state.outcome is not None,
    )


def of_row(row: GameRow) -> PlayedGame:
    """Returns a game that an archive has."""
    return PlayedGame(row.board, row.head, row.seats, row.plies, row.winner, bool(row.reason))


def disputed(
    games: Iterable[PlayedGame], given: Mapping[str, BoardName], *, has_all: bool
) -> list[PlayedGame]:
    """Returns the games whose boards claim a pairing that is not theirs, so that none of them counts.

    `given` are the boards that pairings were given to, `has_all` says whether all are there. Of one that is
    missing nobody's game counts if all are there, and else none if two boards tell of it.
    """
    claimed = [game for game in games if game.pairing]
    boards: dict[str, set[BoardName]] = {}
    for game in claimed:
        boards.setdefault(game.pairing, set()).add(game.board)

    def is_disputed(game: PlayedGame) -> bool:
        if game.pairing in given or has_all:
            return game.board != given.get(game.pairing)
        return len(boards[game.pairing]) > 1

    return [game for game in claimed if is_disputed(game)]


def by_pair(games: Iterable[PlayedGame]) -> dict[str, list[tuple[date, PlayedGame]]]:
    """Returns the games that were begun for each pair, with the day on which their pairing was published."""
    found: dict[str, list[tuple[date, PlayedGame]]] = {}
    for game in games:
        if identity := read_identity(game.pairing):
            found.setdefault(identity[0], []).append((identity[1], game))
    return found


def scored(pairs: Iterable[Pair], games: Iterable[PlayedGame], since: date) -> tuple[Pair, ...]:
    """Returns pairs with what the games that were begun for them tell, of several the last one: the score,
    and the event and the clock where the pair does not say them.

    Pairings that were published before the day `since` belong to an earlier tournament.
    """
    found = by_pair(games)

    def told(pair: Pair) -> Pair:
        recent = [game for day, game in found.get(digest(pair), ()) if day >= since]
        if not pair.is_due or not recent:
            return pair
        head = recent[-1].head
        event, clock = pair.event or head.get("event", ""), pair.clock or head.get("clock", "")
        return replace(pair, score=score_for(pair, recent[-1]), event=event, clock=clock)

    return tuple(map(told, pairs))


def score_for(pair: Pair, game: PlayedGame) -> Score:
    """Returns the score of a game for its pair, also where the two exchanged their places."""
    return mirrored(game.score) if has_exchanged(pair, game) else game.score


def has_exchanged(pair: Pair, game: PlayedGame) -> bool:
    """Returns whether the head of a game names the players of a pair the other way round."""
    return [game.head.get(player) for player in game.players] == [pair.second, pair.first]
