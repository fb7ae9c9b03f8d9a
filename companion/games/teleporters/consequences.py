"""What an action leads to: the pieces put where they go, what is owed then, and what there is to say."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.core import Action, Event, Place, Step
from companion.games.teleporters.moves import Landing, blockaded, land
from companion.games.teleporters.position import (
    CORNER_WORDS,
    CORNERS,
    CORNERS_OF,
    INDEX,
    NAMES,
    PLAYERS,
    PORTS,
    QUADRANTS,
    STEPS,
    Owed,
    Position,
    is_teleport,
    port_bit,
    ports_of,
    winner,
)

TURNED = (1, 3, 0, 2)
"""The corner that each corner becomes when a Teleport spins: clockwise."""


@dataclass
class Draft:
    """A position being changed by one action, and the events on the way. Lives within one call."""

    before: Position
    squares: list[int]
    moved: set[Place]
    spent: tuple[int, int] = (0, 0)
    owed: Owed | None = None
    events: list[Event] = field(default_factory=list)

    @property
    def side(self) -> int:
        return self.before.side

    def tell(self, kind: str, side: int, *squares: int, **details: object) -> None:
        sites = tuple(NAMES[s] for s in squares)
        ends = {"start": sites[0], "end": sites[-1]} if sites else {}
        self.events.append(Event(kind, PLAYERS[side], sites, ends | details))

    def carry_mark(self, old: Place, new: Place) -> None:
        """A piece that is carried or turned keeps its mark (TP-2)."""
        if old in self.moved:
            self.moved.remove(old)
            self.moved.add(new)


def play(position: Position, action: Action) -> Step[Position]:
    """What a legal action leads to."""
    draft = Draft(position, list(position.squares), set(position.moved))
    if action == "end":
        return _pass_turn(draft)
    if action.startswith(("pole:", "port:")):
        _answer(draft, action[:4], INDEX[action[5:]])
    elif action[0] == "=":
        _move_unit(draft, action)
    elif action[2] in "-*":
        _move_pole(draft, action)
    else:
        _move_port(draft, action)
    return _finish(draft)


def _finish(draft: Draft) -> Step[Position]:
    before = draft.before
    after = Position(
        tuple(draft.squares),
        before.side,
        before.pole_moves - draft.spent[0],
        before.port_moves - draft.spent[1],
        frozenset(draft.moved),
        draft.owed,
        before.pads,
    )
    won = winner(after.squares)
    if won is not None:  # TP-19
        draft.tell("won", won)
    elif not (after.owed or after.pole_moves or after.port_moves):  # TP-1
        return Step(_next_turn(draft, after), tuple(draft.events))
    return Step(after, tuple(draft.events))


def _pass_turn(draft: Draft) -> Step[Position]:
    draft.tell("ended", draft.side)
    return Step(_next_turn(draft, draft.before), tuple(draft.events))


def _next_turn(draft: Draft, position: Position) -> Position:
    draft.tell("turn", 1 - position.side)
    return Position(position.squares, 1 - position.side, 2, 2, frozenset(), None, position.pads)


def _move_pole(draft: Draft, action: Action) -> None:
    start, end = INDEX[action[:2]], INDEX[action[3:]]
    kind = "walked" if action[2] == "-" else _teleport_kind(draft.before, start)
    draft.spent = (1, 0)
    _shift_pole(draft, start, end)
    draft.moved.add(NAMES[end])
    draft.tell(kind, draft.side, start, end)


def _teleport_kind(position: Position, start: int) -> str:
    stuck = start in QUADRANTS and not is_teleport(position.squares[start], position.side)
    return "escaped" if stuck and blockaded(position, start) else "teleported"


def _shift_pole(draft: Draft, start: int, end: int) -> None:
    draft.squares[start] &= ~3
    draft.squares[end] |= draft.side + 1


def _move_port(draft: Draft, action: Action) -> None:
    start, corner = INDEX[action[:2]], CORNERS.index(action[2:4])
    draft.spent = (0, 1)
    if action[4] == "@":
        return _spin_port(draft, start, corner, CORNERS.index(action[5:]))
    end = INDEX[action[5:7]]
    landing = _landing(draft.before, start, corner, end)
    if is_teleport(draft.before.squares[start], draft.side):
        draft.moved.discard(f"={NAMES[start]}")
        draft.tell("parted", draft.side, start)
    draft.squares[start] &= ~port_bit(draft.side, corner)
    draft.tell("glided", draft.side, start, end)
    if landing is Landing.BOUNCE:  # TP-15
        draft.owed = Owed("port", draft.side, True)
        return draft.tell("bounced", draft.side, end)
    if landing is Landing.REPEL:
        _repel(draft, end)
    turned = CORNERS.index(action[8:]) if action[7:] else corner
    _put_port(draft, draft.side, (end, turned), True)
    if turned != corner:  # TP-12
        draft.tell("turned", draft.side, end, corner=CORNER_WORDS[CORNERS[turned]])
    return None


def _landing(position: Position, start: int, corner: int, end: int) -> Landing:
    if not position.squares[end]:
        return Landing.EMPTY
    dx, dy = end % 8 - start % 8, end // 8 - start // 8
    out = next(side for side, x, y in STEPS if x * dx + y * dy > 0)
    found = land(position, start, corner, (out, end))
    assert found
    return found


def _spin_port(draft: Draft, square: int, corner: int, turned: int) -> None:
    draft.squares[square] ^= port_bit(draft.side, corner) | port_bit(draft.side, turned)
    draft.moved.add(PORTS[square][turned])
    draft.tell("spun", draft.side, square, corner=CORNER_WORDS[CORNERS[turned]])


def _repel(draft: Draft, square: int) -> None:
    """TP-13: the opposing Port goes into its owner's hand; a Pole in the quadrant stays."""
    ports = ports_of(draft.squares[square], 1 - draft.side)
    for corner in CORNERS_OF[ports]:
        draft.squares[square] &= ~port_bit(1 - draft.side, corner)
    draft.owed = Owed("port", 1 - draft.side, False)
    draft.tell("repelled", 1 - draft.side, square)


def _put_port(draft: Draft, side: int, place: tuple[int, int], moved: bool) -> None:
    square, corner = place
    draft.squares[square] |= port_bit(side, corner)
    if moved:
        draft.moved.add(PORTS[square][corner])
    if is_teleport(draft.squares[square], side):
        draft.tell("joined", side, square)
        if draft.squares[square] & 3 == 2 - side:  # TP-17, TP-18
            _vault(draft, 1 - side, square)


def _vault(draft: Draft, side: int, square: int) -> None:
    draft.squares[square] &= ~3
    draft.owed = Owed("pole", side, side == draft.side and NAMES[square] in draft.moved)
    if side == draft.side:
        draft.moved.discard(NAMES[square])
    draft.tell("vaulted", side, square)


def _answer(draft: Draft, kind: str, square: int) -> None:
    owed = draft.before.owed
    assert owed
    draft.tell(f"put {kind}", owed.side, square)
    if kind == "pole":
        draft.squares[square] |= owed.side + 1
        if owed.moved:
            draft.moved.add(NAMES[square])
    else:
        corner = dict(draft.before.pads[owed.side])[square]
        _put_port(draft, owed.side, (square, corner), owed.moved)


def _move_unit(draft: Draft, action: Action) -> None:
    start = INDEX[action[1:3]]
    draft.spent = (0, 1)
    if action[3] == "@":
        end = start
        _spin_unit(draft, start)
    elif action[3] == "*":
        end, goal = start, INDEX[action[4:]]
        _shift_pole(draft, start, goal)
        draft.carry_mark(NAMES[start], NAMES[goal])
        draft.tell("sent", draft.side, start, goal)
    else:
        end = INDEX[action[4:]]
        _glide_unit(draft, start, end)
    draft.moved.add(f"={NAMES[end]}")


def _spin_unit(draft: Draft, square: int) -> None:
    ports = ports_of(draft.squares[square], draft.side)
    for corner in CORNERS_OF[ports]:
        draft.squares[square] ^= port_bit(draft.side, corner) | port_bit(draft.side, TURNED[corner])
    marks = {PORTS[square][corner]: PORTS[square][TURNED[corner]] for corner in range(4)}
    draft.moved = {marks.get(mark, mark) for mark in draft.moved}
    draft.tell("spun unit", draft.side, square)


def _glide_unit(draft: Draft, start: int, end: int) -> None:
    draft.squares[start], draft.squares[end] = 0, draft.squares[start]
    draft.carry_mark(NAMES[start], NAMES[end])
    for old, new in zip(PORTS[start], PORTS[end], strict=True):
        draft.carry_mark(old, new)
    draft.tell("carried" if draft.squares[end] & 3 else "glided unit", draft.side, start, end)
