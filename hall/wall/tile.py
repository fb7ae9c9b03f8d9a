"""A board as the pages of the wall show it: data for JSON, with the few sentences that need the rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from broker_bridge.messages import LogLine
from companion.core.game import Outcome
from companion.core.players import named
from companion.language import say_text
from companion.rulebook import rules
from companion.table.present import outcome_words
from hall.wall.hall import Board
from hall.wall.needs import Need
from hall.wall.scene import BoardClock, GameOn, Scene

PATIENT = ("refused", "question")
"""The kinds of needs that players mostly settle by themselves: they wait for a while before they show."""


PAGES = ("http://", "https://")
"""The beginnings of addresses that are links. Nothing but a person's browser ever follows one."""


def tile_of(board: Board, patience: float) -> dict[str, Any]:
    """Returns what the wall shows of a board. A refusal or a question counts after `patience` seconds."""
    scene, head = board.scene, _head(board)
    return {
        "name": str(board.name),
        "site": board.name.site,
        "board": board.name.board,
        "status": board.status,
        "number": scene.number,
        "game": _game(scene.game) if scene.game else None,
        "head": head,
        "state": scene.state,
        "turn": scene.to_act if scene.state == "playing" else "",
        "pieces": dict(scene.pieces),
        "checked": list(scene.checked),
        "last": _last(scene),
        "refusal": _refusal(scene),
        "question": _question(scene),
        "offer": scene.offer,
        "ending": _ending(scene, head),
        "clock": _clock(board.clock, board.clock_since) if board.clock else None,
        "needs": [_need(board, need, patience) for need in board.needs],
        "address": scene.address if scene.address.startswith(PAGES) else "",
    }


def moves_of(board: Board) -> list[dict[str, Any]]:
    """Returns the actions of the game that is on, as far as the wall has heard of them."""
    return [_move(line) for line in board.moves]


def need_id(board: Board, need: Need) -> str:
    """Returns what tells a need from every other one of the hall."""
    parts = (board.name, need.kind, need.number, need.player, need.source, round(need.since))
    return "|".join(map(str, parts))


def _head(board: Board) -> dict[str, str]:
    """Returns the names of the players, the event and the round: as the board has them, else as paired."""
    paired = board.pairing if board.scene.state in ("empty", "setup") else None
    known = {} if paired is None else {**paired.players, "round": paired.round, "event": paired.event}
    return {name: value for name, value in {**known, **board.scene.head}.items() if value}


def _game(game: GameOn) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": say_text(game.title or game.name),
        "options": dict(game.options),
        "players": list(game.players),
    }


def _last(scene: Scene) -> dict[str, Any] | None:
    last = scene.last
    if last is None:
        return None
    return {"n": last.n, "written": last.written, "player": last.player, "sites": list(last.sites)}


def _refusal(scene: Scene) -> dict[str, Any] | None:
    found = scene.refusal
    if found is None or scene.ending:
        return None
    return {
        "kind": found.kind,
        "action": found.action,
        "rules": list(_titled(found.rules)),
        "sites": list(found.sites),
    }


def _titled(numbers: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Yields the rules of these numbers with their titles, which a hall without the game does not know."""
    for number in dict.fromkeys(numbers):
        found = rules().get(number)
        yield {"rule": number, "title": found.title if found else ""}


def _question(scene: Scene) -> dict[str, Any] | None:
    question = scene.question
    if question is None:
        return None
    choices = [{"action": action, "words": words} for action, words in question.choices]
    return {"id": question.id, "by": question.by, "choices": choices}


def _ending(scene: Scene, head: dict[str, str]) -> dict[str, Any] | None:
    ending = scene.ending
    if ending is None:
        return None
    words = outcome_words(Outcome(ending.winner, say_text(ending.reason)))
    return {"winner": ending.winner, "words": named(words, head)}


def _clock(clock: BoardClock, since: float) -> dict[str, Any]:
    return {
        "left": dict(clock.left),
        "runs": clock.runs or None,
        "since": round(since, 2),
        "paused": clock.is_paused,
        "held": clock.is_held,
        "delay": clock.delay,
        "flags": list(clock.flags),
        "byo_yomi": {
            player: {"periods": periods, "seconds": seconds}
            for player, (periods, seconds) in clock.byo_yomi.items()
        },
    }


def _need(board: Board, need: Need, patience: float) -> dict[str, Any]:
    wait = patience if need.kind in PATIENT else 0.0
    return {
        "id": need_id(board, need),
        "kind": need.kind,
        "since": round(need.since, 1),
        "due": round(need.since + wait, 1),
        "player": need.player,
        "action": need.action,
        "rules": list(_titled(need.rules)),
        "source": need.source,
        "words": need.words if need.kind == "silent" else say_text(need.words),
    }


def _move(line: LogLine) -> dict[str, Any]:
    return {"n": line.plies, "player": line.player, "written": line.written or line.text}
