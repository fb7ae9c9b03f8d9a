"""Games that boards have played, as far as results need them; the scores of the pairs that played them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from broker_bridge.topics import BoardName
from companion.core.local_time import local_time
from companion.record.head import PAIRING
from companion.wire.hall import BoardState
from hall.archive.listing import GameRow
from hall.rounds.pairs import Pair, Score, in_order
from hall.rounds.publishing import digest, read_identity
from hall.rounds.trf import mirrored

NUMBER = re.compile("[1-9][0-9]{0,3}")
UNRATED_BELOW = 2
"""The actions of a game in which each player has made a move: shorter ones are not rated."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game: the board that tells of it, its head, its players as pairs have them, and how it stands."""

    board: BoardName
    head: Mapping[str, str]
    players: tuple[str, ...]
    plies: int
    winner: str | None
    is_over: bool
    began: date = date.max
    """The day on which it began, which an archive knows: what a board tells of is there now."""

    @property
    def pairing(self) -> str:
        """Returns what tells the pairing that it was begun for; '' for none."""
        return self.head.get(PAIRING, "")

    @property
    def day(self) -> date:
        """Returns the day on which its pairing was published; of a game without one, on which it began."""
        identity = read_identity(self.pairing)
        return identity[1] if identity else self.began

    @property
    def names(self) -> frozenset[str]:
        """Returns the names of the players, whatever their colours."""
        return frozenset(self.head.get(player, "") for player in self.players)

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
        players=in_order(state.game.players),
        plies=state.last.n if state.last else 0,
        winner=state.outcome.winner if state.outcome else None,
        is_over=state.outcome is not None,
    )


def of_row(row: GameRow) -> PlayedGame:
    """Returns a game that an archive has."""
    began = local_time(row.started).date()
    seats = in_order(row.seats)
    return PlayedGame(row.board, row.head, seats, row.plies, row.winner, bool(row.reason), began)


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


def by_pair(pairs: Iterable[Pair], games: Iterable[PlayedGame]) -> dict[Pair | None, list[PlayedGame]]:
    """Returns the games of each pair, in the order of the games; under None those of no pair.

    A game is of the pair for which it was begun. Where its head names another pair of that round, which has
    no such game, it is of that one: two pairs sat down at each other's boards, or the file has given them
    other boards since.
    """
    begun: dict[str, Pair] = {}
    named: dict[tuple[str, frozenset[str]], Pair] = {}
    for pair in pairs:
        begun[digest(pair)] = pair
        named[str(pair.round), pair.names] = pair
    found: dict[Pair | None, list[PlayedGame]] = {}
    moved: list[tuple[Pair, PlayedGame]] = []
    for game in games:
        identity = read_identity(game.pairing)
        own = begun.get(identity[0]) if identity else None
        other = named.get((game.head.get("round", ""), game.names)) if identity else None
        if other and not (own and own.names == other.names):
            moved.append((other, game))
        else:
            found.setdefault(own, []).append(game)
    taken = set(found)
    for pair, game in moved:
        found.setdefault(None if pair in taken else pair, []).append(game)
    return found


def scored(pairs: Sequence[Pair], games: Iterable[PlayedGame], since: date) -> tuple[Pair, ...]:
    """Returns pairs with what their games tell, of several the last one: the score, and the event and the
    clock where the pair does not say them.

    Pairings that were published before the day `since` belong to an earlier tournament.
    """
    found = by_pair(pairs, games)

    def told(pair: Pair) -> Pair:
        recent = [game for game in found.get(pair, ()) if game.day >= since]
        if not pair.is_due or not recent:
            return pair
        head = recent[-1].head
        event, clock = pair.event or head.get("event", ""), pair.clock or head.get("clock", "")
        return replace(pair, score=score_for(pair, recent[-1]), event=event, clock=clock)

    return tuple(map(told, pairs))


def score_for(pair: Pair, game: PlayedGame) -> Score:
    """Returns the score of a game for its pair, also where the two exchanged their places."""
    return mirrored(game.score) if has_exchanged(pair, game) else game.score


def has_moved(pair: Pair, game: PlayedGame) -> bool:
    """Returns whether a game of a pair was begun for another one."""
    identity = read_identity(game.pairing)
    return identity is None or identity[0] != digest(pair)


def has_exchanged(pair: Pair, game: PlayedGame) -> bool:
    """Returns whether the head of a game names the players of a pair the other way round."""
    return [game.head.get(player) for player in game.players] == [pair.second, pair.first]
