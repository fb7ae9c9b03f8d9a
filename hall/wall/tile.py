"""A board as the pages of the wall show it, with the few sentences that need the rulebook."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from companion.core.game import Outcome
from companion.language import say_text
from companion.rulebook import rules
from companion.table.present import outcome_words
from companion.wire import state as wire
from companion.wire.codec import part_of, write
from companion.wire.values import Look, Place, Player, Wire
from hall.wall.hall import NOTHING_TOLD, HallBoard, Status
from hall.wall.needs import Need, NeedKind

log = logging.getLogger(__name__)
PATIENT = ("refused", "question")
"""The kinds of needs that players mostly settle by themselves: they wait for a while before they show."""
PAGES = ("http://", "https://")
"""The beginnings of addresses that are links. Nothing but a person's browser ever follows one."""


class BrokenRule(Wire):
    """The number of a rule, and its title."""

    rule: str
    title: str
    """'' where this hall does not know the rule."""


class TileClock(wire.RunningClock, kw_only=True):
    """The clock at the moment `since`, in seconds since 1970 by the server's clock."""

    since: float


class TileNeed(Wire):
    """Something that waits for a person, from `due` on.

    Times are seconds since 1970 by the server's clock.
    """

    id: str
    kind: NeedKind
    since: float
    due: float
    player: Player
    action: str
    rules: tuple[BrokenRule, ...]
    source: str
    words: str


class Tile(Wire):
    """A board of the hall."""

    name: str
    """Site and board: `Hall A/7`."""
    site: str
    board: str
    status: Status
    number: int | None
    game: wire.Game | None
    head: Mapping[str, str]
    """The players' names, the event and the round: as the board has them, else as paired."""
    state: Literal["empty", "setup", "playing", "over"]
    turn: Player
    """Whose turn it is; '' where nobody's."""
    pieces: Mapping[Place, Look]
    checked: tuple[Place, ...]
    last: wire.Ply | None
    broken: tuple[Place, ...]
    """The places of the rules that were broken, while play waits for that."""
    question: wire.Question | None
    ending: wire.Outcome | None
    ruled: bool
    """People ended the game before its rules did."""
    clock: TileClock | None
    needs: tuple[TileNeed, ...]
    address: str
    """The board's page, as it says itself."""


class TileMove(Wire):
    """An action of the game that is on."""

    n: int
    player: Player
    written: str


def encode_tile(board: HallBoard, patience: float, language: str) -> bytes:
    """Returns a board's tile as JSON on one line. One that cannot be made costs nobody else a tile: its board
    is shown as silent."""
    try:
        return write(tile_of(board, patience), language)
    except Exception:
        log.exception("the tile of %s cannot be made", board.name)
    return write(tile_of(replace(board, told=NOTHING_TOLD), patience), language)


def tile_of(board: HallBoard, patience: float) -> Tile:
    """Returns what the wall shows of a board. A refusal or a question counts after `patience` seconds."""
    told, head = board.told, _head(board)
    return Tile(
        name=str(board.name),
        site=board.name.site,
        board=board.name.board,
        status=board.status,
        number=told.number,
        game=replace(told.game, title=say_text(told.game.title or told.game.name)) if told.game else None,
        head=head,
        state=told.state,
        turn=told.to_act if told.state == "playing" else "",
        pieces=told.pieces,
        checked=told.checked,
        last=_last(told.last) if told.last else None,
        broken=_broken(told.verdict) if told.verdict and not told.outcome else (),
        question=told.question,
        ending=_ending(told.outcome) if told.outcome else None,
        ruled=told.ruled,
        clock=part_of(board.clock, TileClock, since=round(board.clock_since, 2)) if board.clock else None,
        needs=tuple(_need(board, need, patience) for need in board.needs),
        address=told.address if told.address.startswith(PAGES) else "",
    )


def moves_of(board: HallBoard) -> tuple[TileMove, ...]:
    """Returns the actions of the game that is on, as far as the wall has heard of them."""
    return tuple(TileMove(line.plies, line.player, line.written or line.text) for line in board.moves)


def need_id(board: HallBoard, need: Need) -> str:
    """Returns what tells a need from every other one of the hall."""
    parts = (board.name, need.kind, need.number, need.player, need.source, round(need.since))
    return "|".join(map(str, parts))


def _head(board: HallBoard) -> dict[str, str]:
    """Returns the names of the players, the event and the round: as the board has them, else as paired."""
    paired = board.pairing if board.told.state in ("empty", "setup") else None
    known = {} if paired is None else {**paired.players, "round": paired.round, "event": paired.event}
    return {name: value for name, value in {**known, **board.told.head}.items() if value}


def _last(ply: wire.Ply) -> wire.Ply:
    """Returns the last action as it is written, without its sentences, which the wall does not show."""
    return replace(ply, written=ply.written or ply.action, words=())


def _broken(verdict: wire.Verdict) -> tuple[Place, ...]:
    return tuple(site for breach in verdict.breaks for site in breach.sites)


def _add_titles(numbers: Iterable[str]) -> tuple[BrokenRule, ...]:
    """Returns the rules of these numbers with their titles, which a hall without the game does not know."""
    known = rules()
    return tuple(BrokenRule(number, known[number].title if number in known else "") for number in numbers)


def _ending(outcome: wire.Outcome) -> wire.Outcome:
    """Returns how a game ended, in words without names, which leave no room for more in a tile."""
    winner = outcome.winner or None
    return wire.Outcome(winner, outcome.reason, outcome_words(Outcome(winner, say_text(outcome.reason))))


def _need(board: HallBoard, need: Need, patience: float) -> TileNeed:
    wait = patience if need.kind in PATIENT else 0.0
    return TileNeed(
        id=need_id(board, need),
        kind=need.kind,
        since=round(need.since, 1),
        due=round(need.since + wait, 1),
        player=need.player,
        action=need.action,
        rules=_add_titles(need.rules),
        source=need.source,
        words=need.words if need.kind == "silent" else say_text(need.words),
    )
