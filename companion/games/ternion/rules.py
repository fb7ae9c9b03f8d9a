"""The rules of both Ternion games; `factor` and `spaces` say on which net they are played."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from typing import ClassVar

from companion.board import Board
from companion.core import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Look,
    Outcome,
    Place,
    Player,
    Rules,
    Step,
)
from companion.games.ternion import actions, correction, turn, verdict
from companion.games.ternion.attempts import attempts
from companion.games.ternion.net import (
    COLOURS,
    DIAMOND,
    SITE,
    Crossing,
    Net,
    check_names,
    lay,
    play_area,
    prepare,
    spelling_order,
)
from companion.games.ternion.position import (
    ADDED,
    COLOUR,
    GONE,
    MOVES,
    PAWNS,
    TERNION,
    Phase,
    Position,
    additions,
    blocked,
    on_board,
)

OWED = -0.3
"""Nats: after a ternion players choose which, remove and add, and after three moves end the turn, and do not
first decide to."""
CHOICE = re.compile(rf"T:{SITE.pattern}(,{SITE.pattern})*")


class Ternion(Rules[Position]):
    """What the two games share: everything but the net and the numbers of the rules that it changes."""

    renumbered: ClassVar[Mapping[str, str]] = {}
    """Rules of Ternion Factor that this game replaces: TF number to its own."""
    sentences: ClassVar[Mapping[str, str]] = {
        "placed": "{player} places a pawn on {sites}.",
        "moved": "{player} moves the {pawn} pawn from {start} to {end}.",
        "jumped": "{player} jumps with the {pawn} pawn from {start} over {over} to {end}.",
        "choice": "{player} can make one of {sets} ternions with the pawn on {sites}, and chooses.",
        "ternion": "{player} makes a ternion with {sites}: {owed}.",
        "removed": "{player} removes the pawn on {sites}.",
        "added": "{player} adds a pawn on {sites}.",
        "relocated": "{player} puts the pawn added on {start} on {end} instead.",
        "exchanged": "{player} puts the pawn back on {start} and removes the one on {end} instead.",
        "ended": "{player} ends the turn.",
        "out": "{player} cannot go on and drops out; the board goes back to the start of the turn.",
        "won": "{player} wins: {reason}.",
    }

    @abstractmethod
    def crossings(self, board: Board) -> tuple[Crossing, ...]:
        """How sites of the board are joined, and where a move marker lies on the way."""

    def pawns(self, options: Mapping[str, str]) -> int:
        """How many pawns each player places."""
        return int(options.get("pawns", "4"))

    def players(self, position: Position) -> tuple[Player, ...]:
        return position.setup.players

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        check_names(board)
        players = int(options["players"])
        net = lay(tuple(board.sites), play_area(board, players), self.crossings(board))
        setup = prepare(net, players, self.pawns(options), options["ternion"] == "hub")
        return Position(setup, net.vacant)

    def legal(self, position: Position) -> Iterator[Action]:
        return actions.legal(position)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        found = verdict.judge(position, action)
        return tuple(Breach(self.renumbered.get(b.rule, b.rule), b.sites) for b in found)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return turn.play(position, action)

    def change(self, position: Position, action: Action) -> Changes | None:
        return None if action == "out" else turn.change(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        if position.winner < 0:
            return None
        return Outcome(COLOURS[position.winner], turn.reason(position))

    def look(self, position: Position) -> Mapping[Place, Look]:
        return _look_of(position.setup.net, position.sites)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return _looks(position.setup.players)

    def future(self, position: Position) -> object:
        """In which order markers were laid tells nothing; once all are, nor does where they lie."""
        shut = frozenset(blocked(position)) if position.moves_left else MOVES
        last = position.ternions[-1] if position.owed else None
        return position._replace(markers=(), ternions=tuple(sorted(position.ternions))), shut, last

    def rarity(self, position: Position, action: Action) -> float:
        return OWED if action.startswith(("T:", "-", "+")) or action == "end" else 0.0

    def marks(self, position: Position) -> frozenset[str]:
        names = position.setup.net.gate_names
        return frozenset(names[gate] for gate in blocked(position))

    def pieces(self, position: Position) -> Mapping[Place, Look]:
        """As `look`, with the move markers: `c4-c5` holds `+1` where the first move crossed a line."""
        return {**self.look(position), **_move_markers(position)}

    def path(self, action: Action) -> tuple[Place, ...]:
        return tuple(SITE.findall(action.removeprefix("T:")))

    def read(self, position: Position, text: str) -> Action:
        """A ternion's sites may be named in any order."""
        if not CHOICE.fullmatch(text):
            return text
        return "T:" + ",".join(sorted(text[2:].split(","), key=spelling_order))

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        return attempts(position, changed)

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        markers = _move_markers(position)
        pawns = {place: look for place, look in looks.items() if place not in markers}
        return correction.arrange(position, pawns, turn)

    def counts(self, position: Position) -> tuple[Count, ...]:
        players, sites = position.setup.players, position.sites
        board = {player: on_board(sites, i + 1) for i, player in enumerate(players)}
        return (
            Count("on the board", board, PAWNS),
            Count("in reserve", {player: PAWNS - n for player, n in board.items()}, PAWNS),
            Count("move markers left", {"": position.moves_left}, MOVES),
            Count("T markers left", {"": 9 - 3 * len(position.ternions)}, 9),
            Count("A markers left", {"": 6 - sites.count(position.colour | ADDED)}, 6),
        )

    def prompt(self, position: Position) -> str:
        if position.winner >= 0:
            return ""
        if position.phase is Phase.MOVE and not actions.can_move(position):
            return "no move is possible: drop out, or take moves back"
        return _PROMPTS[position.phase](position)

    def label(self, action: Action) -> str:
        if action in WORDS:
            return WORDS[action]
        sites = self.path(action)
        for sign, words in LABELS.items():
            if action.startswith(sign):
                return words.format(*sites, sites=", ".join(sites))
        return action


WORDS = {"end": "end the turn", "out": "drop out"}
LABELS = {"T:": "ternion {sites}", "-": "remove {0}", "+": "add on {0}", "~": "instead of {0}, {1}"}


def _look(content: int) -> Look:
    if content & GONE:
        return "+T"
    marker = "+T" if content & TERNION else "+A" if content & ADDED else ""
    return COLOURS[(content & COLOUR) - 1] + marker


LOOKS = {
    content: _look(content)
    for colour in range(1, len(COLOURS) + 1)
    for content in (colour, colour | TERNION, colour | ADDED, colour | TERNION | GONE)
}


def _move_markers(position: Position) -> dict[Place, Look]:
    names = position.setup.net.names
    return {f"{names[a]}-{names[b]}": f"+{n}" for n, (a, b) in enumerate(position.markers, start=1)}


@lru_cache(maxsize=4096)
def _look_of(net: Net, sites: bytes) -> Mapping[Place, Look]:
    """Many positions of a search differ in nothing that can be seen."""
    return {net.names[s]: LOOKS[c] for s, c in enumerate(sites) if c and c != DIAMOND}


@cache
def _looks(players: tuple[Player, ...]) -> tuple[Look, ...]:
    return (EMPTY, *(player + marker for player in players for marker in ("", "+T", "+A")), "+T")


def _more_moves(position: Position) -> str:
    left = position.moves_left
    return f"{turn.NUMBERS[left]} more move{'s' if left > 1 else ''}"


def _then(position: Position) -> str:
    return f", then {_more_moves(position)}" if position.moves_left else ", then the review"


def _pawns(count: int) -> str:
    return f"{turn.NUMBERS[count]} pawn{'s' if count > 1 else ''}"


def _prompt_move(position: Position) -> str:
    return "three moves with any pawns" if not position.markers else _more_moves(position)


def _prompt_removal(position: Position) -> str:
    adding = turn.NUMBERS[additions(position, position.owed)]
    return f"remove {_pawns(position.owed)} of the ternion, then add {adding}"


_PROMPTS: Mapping[Phase, Callable[[Position], str]] = {
    Phase.PLACE: lambda position: "place a pawn that has no neighbour",
    Phase.MOVE: _prompt_move,
    Phase.CHOOSE: lambda position: "choose which three pawns are the ternion",
    Phase.REMOVE: _prompt_removal,
    Phase.ADD: lambda position: f"add {_pawns(position.owed)}{_then(position)}",
    Phase.REVIEW: lambda position: "change where pawns were added or removed, or end the turn",
}
