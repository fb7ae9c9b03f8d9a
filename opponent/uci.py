"""Lets a program that speaks UCI think, where a game has one: Stockfish for chess."""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.core.game import Action
from companion.core.rules import Rules
from opponent.search import WON, SearchResult

log = logging.getLogger(__name__)
NONE = "-"
"""Stands for no program, where the usual one is not wanted."""
GAMES = "/usr/games"
"""Where Debian puts Stockfish; a service has no such path."""


class ProgramStrength(NamedTuple):
    """A program's skill (0 to 20, where it has one) and the nodes that it may look at."""

    skill: int
    nodes: int


STRENGTHS = {4: ProgramStrength(0, 5_000), 5: ProgramStrength(8, 20_000), 6: ProgramStrength(20, 200_000)}
"""How a program plays at each level. Below them it would play too well: the common search does."""


def program_for(rules: Rules[Any], wanted: str, level: int) -> str:
    """Returns the path of the program that thinks about this game at this level; '' for the common search."""
    if wanted == NONE or not rules.engines or level not in STRENGTHS:
        return ""
    path = os.pathsep.join((os.environ.get("PATH", ""), GAMES))
    names = (wanted,) if wanted else rules.engines
    return next((found for name in names if (found := shutil.which(name, path=path))), "")


def ask(
    program: str, first: str, actions: Sequence[Action], level: int, seconds: float
) -> SearchResult | None:
    """Returns what a program plays after some actions from a first position (FEN).

    None where it does not answer as UCI asks: then the common search is better than nothing.
    """
    import chess.engine  # where chess is not installed, no game has such a program

    board, strength = chess.Board(first), STRENGTHS[level]
    limit = chess.engine.Limit(nodes=strength.nodes, time=seconds)
    begun = time.monotonic()
    try:
        for action in actions:
            board.push_uci(action)
        with chess.engine.SimpleEngine.popen_uci(program, timeout=seconds) as engine:
            if "Skill Level" in engine.options:
                engine.configure({"Skill Level": strength.skill})
            played = engine.play(board, limit, info=chess.engine.INFO_SCORE | chess.engine.INFO_PV)
    except (chess.engine.EngineError, OSError, TimeoutError, ValueError) as error:
        log.warning("%s does not play after %.1f seconds: %s", program, time.monotonic() - begun, error)
        return None
    if played.move is None:
        return None
    score = played.info.get("score")
    pawns = score.relative.score(mate_score=int(100 * WON)) / 100 if score else 0.0
    line = [move.uci() for move in played.info.get("pv", ())]
    action = played.move.uci()
    line = line if line[:1] == [action] else [action]
    return SearchResult((action,), pawns, tuple(line), played.info.get("depth", 0))
