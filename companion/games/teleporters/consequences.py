"""Plays the actions of Teleporters: what changes on the board, what is owed then, and the events."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.core.game import Action, Event, Place, Step
from companion.games.teleporters.board import CORNERS, INDEX, NAMES, PLAYERS, PORTS, QUADRANTS, STEPS
from companion.games.teleporters.moves import Landing, blockaded, land
from companion.games.teleporters.position import (
    CORNERS_OF,
    Owed,
    Position,
    is_teleport,
    new_turn,
    port_bit,
    ports_of,
    winner,
)

TURNED = (1, 3, 0, 2)
"""The corner that each corner becomes when a unit spins: clockwise."""


@dataclass
class Draft:
    """A position while one action changes it, and the events so far. It lives within one call of `play`."""

    before: Position
    squares: list[int]
    moved: set[Place]
    spent: tuple[int, int] = (0, 0)
    """The number of moves of Poles and of Ports that the action costs."""
    owed: Owed | None = None
    events: list[Event] = field(default_factory=list)

    @property
    def side(self) -> int:
        return self.before.side

    def add_event(self, kind: str, side: int, *squares: int, **details: object) -> None:
        sites = tuple(NAMES[square] for square in squares)
        ends = {"start": sites[0], "end": sites[-1]} if sites else {}
        self.events.append(Event(kind, PLAYERS[side], sites, ends | details))

    def carry_mark(self, old: Place, new: Place) -> None:
        """Keeps the mark of a piece that has moved and is now carried or turned (TP-2)."""
        if old in self.moved:
            self.moved.remove(old)
            self.moved.add(new)


def play(position: Position, action: Action) -> Step[Position]:
    draft = Draft(position, list(position.squares), set(position.moved))
    if action == "end":
        draft.add_event("ended", draft.side)
        return _begin_next_turn(draft)
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
        draft.add_event("won", won)
    elif not (after.owed or after.pole_moves or after.port_moves):  # TP-1
        return _begin_next_turn(draft)
    return Step(after, tuple(draft.events))


def _begin_next_turn(draft: Draft) -> Step[Position]:
    opponent = 1 - draft.side
    draft.add_event("turn", opponent)
    return Step(new_turn(tuple(draft.squares), opponent, draft.before.pads), tuple(draft.events))


def _move_pole(draft: Draft, action: Action) -> None:
    start, end = INDEX[action[:2]], INDEX[action[3:]]
    draft.spent = (1, 0)
    _shift_pole(draft, start, end)
    draft.moved.add(NAMES[end])
    kind = "walked" if action[2] == "-" else _teleport_kind(draft.before, start)
    draft.add_event(kind, draft.side, start, end)


def _teleport_kind(position: Position, start: int) -> str:
    """Returns the kind of event of a Pole that teleports: it may escape from a blockade (TP-7)."""
    is_on_telepad = start not in QUADRANTS or is_teleport(position.squares[start], position.side)
    return "escaped" if not is_on_telepad and blockaded(position, start) else "teleported"


def _shift_pole(draft: Draft, start: int, end: int) -> None:
    draft.squares[start] &= ~3
    draft.squares[end] |= draft.side + 1


def _move_port(draft: Draft, action: Action) -> None:
    """Plays a spin, `b2nw@ne`, or a glide, `b2nw-b5` or `b2nw-b5@ne`."""
    start, corner = INDEX[action[:2]], CORNERS.index(action[2:4])
    draft.spent = (0, 1)
    if action[4] == "@":
        _spin_port(draft, start, corner, CORNERS.index(action[5:]))
    else:
        turned = CORNERS.index(action[8:]) if action[7:] else corner
        _glide_port(draft, (start, corner), (INDEX[action[5:7]], turned))


def _spin_port(draft: Draft, square: int, corner: int, turned: int) -> None:
    draft.squares[square] ^= port_bit(draft.side, corner) | port_bit(draft.side, turned)
    draft.moved.add(PORTS[square][turned])
    draft.add_event("spun", draft.side, square, corner=CORNERS[turned])


def _glide_port(draft: Draft, port: tuple[int, int], goal: tuple[int, int]) -> None:
    """Moves a Port from a square and corner to another; it may also repel, bounce or make a Teleport."""
    (start, corner), (end, turned) = port, goal
    landing = _landing(draft.before, start, corner, end)
    if is_teleport(draft.before.squares[start], draft.side):
        draft.moved.discard(f"={NAMES[start]}")
        draft.add_event("parted", draft.side, start)
    draft.squares[start] &= ~port_bit(draft.side, corner)
    draft.add_event("glided", draft.side, start, end)
    if landing is Landing.BOUNCE:  # TP-15
        draft.owed = Owed("port", draft.side, True)
        draft.add_event("bounced", draft.side, end)
        return
    if landing is Landing.REPEL:
        _repel(draft, end)
    _put_port(draft, draft.side, goal, True)
    if turned != corner:  # TP-12
        draft.add_event("turned", draft.side, end, corner=CORNERS[turned])


def _landing(position: Position, start: int, corner: int, end: int) -> Landing:
    if not position.squares[end]:
        return Landing.EMPTY
    dx, dy = end % 8 - start % 8, end // 8 - start // 8
    out = next(side for side, x, y in STEPS if x * dx + y * dy > 0)
    found = land(position, start, corner, (out, end))
    assert found
    return found


def _repel(draft: Draft, square: int) -> None:
    """Puts the opposing Port into its owner's hand; a Pole in the quadrant stays (TP-13)."""
    opponent = 1 - draft.side
    for corner in CORNERS_OF[ports_of(draft.squares[square], opponent)]:
        draft.squares[square] &= ~port_bit(opponent, corner)
    draft.owed = Owed("port", opponent, False)
    draft.add_event("repelled", opponent, square)


def _put_port(draft: Draft, side: int, place: tuple[int, int], moved: bool) -> None:
    square, corner = place
    draft.squares[square] |= port_bit(side, corner)
    if moved:
        draft.moved.add(PORTS[square][corner])
    if is_teleport(draft.squares[square], side):
        draft.add_event("joined", side, square)
        if draft.squares[square] & 3 == 2 - side:  # TP-17, TP-18
            _vault(draft, 1 - side, square)


def _vault(draft: Draft, side: int, square: int) -> None:
    """Puts a Pole into its owner's hand. One that has moved this turn is still marked when it is put down."""
    draft.squares[square] &= ~3
    has_moved = side == draft.side and NAMES[square] in draft.moved
    draft.owed = Owed("pole", side, has_moved)
    if has_moved:
        draft.moved.remove(NAMES[square])
    draft.add_event("vaulted", side, square)


def _answer(draft: Draft, kind: str, square: int) -> None:
    """Puts the piece in a player's hand down (TP-13, TP-15, TP-17)."""
    owed = draft.before.owed
    assert owed
    draft.add_event(f"put {kind}", owed.side, square)
    if kind == "pole":
        draft.squares[square] |= owed.side + 1
        if owed.moved:
            draft.moved.add(NAMES[square])
    else:
        corner = dict(draft.before.pads[owed.side])[square]
        _put_port(draft, owed.side, (square, corner), owed.moved)


def _move_unit(draft: Draft, action: Action) -> None:
    """Plays a unit's spin, `=d3@`, its glide, `=d3-d5`, or the sending of its Pole, `=d3*e1`."""
    start = end = INDEX[action[1:3]]
    draft.spent = (0, 1)
    if action[3] == "@":
        _spin_unit(draft, start)
    elif action[3] == "*":
        _send_pole(draft, start, INDEX[action[4:]])
    else:
        end = INDEX[action[4:]]
        _glide_unit(draft, start, end)
    draft.moved.add(f"={NAMES[end]}")


def _spin_unit(draft: Draft, square: int) -> None:
    for corner in CORNERS_OF[ports_of(draft.squares[square], draft.side)]:
        draft.squares[square] ^= port_bit(draft.side, corner) | port_bit(draft.side, TURNED[corner])
    marks = {PORTS[square][corner]: PORTS[square][TURNED[corner]] for corner in range(4)}
    draft.moved = {marks.get(mark, mark) for mark in draft.moved}
    draft.add_event("spun unit", draft.side, square)


def _send_pole(draft: Draft, start: int, end: int) -> None:
    _shift_pole(draft, start, end)
    draft.carry_mark(NAMES[start], NAMES[end])
    draft.add_event("sent", draft.side, start, end)


def _glide_unit(draft: Draft, start: int, end: int) -> None:
    draft.squares[start], draft.squares[end] = 0, draft.squares[start]
    draft.carry_mark(NAMES[start], NAMES[end])
    for old, new in zip(PORTS[start], PORTS[end], strict=True):
        draft.carry_mark(old, new)
    draft.add_event("carried" if draft.squares[end] & 3 else "glided unit", draft.side, start, end)
