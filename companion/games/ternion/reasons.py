"""The Ternion games' refusals in words: for each broken rule the one thing that is wrong here.

Rules go by their numbers in Ternion Factor, as in `judge`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from companion.core.game import Breach, Site
from companion.core.players import say_player
from companion.games.reasons import say_occupied
from companion.games.ternion.board import DIAMOND, SITE, listed
from companion.games.ternion.judge import OWED
from companion.games.ternion.position import COLOUR, COLOURS, GONE, MOVES, Phase, Position, in_play
from companion.language import Message, NamedPhrases, say, say_count
from companion.language import listed as say_list

FIRST: NamedPhrases = {
    "PLACE": "{player} first places a pawn.",
    "CHOOSE": "{player} first chooses which three pawns are the ternion.",
    "REMOVE": "{player} first removes own pawns of the ternion {places}.",
    "ADD": "{player} first adds pawns for the ternion {places}.",
}
"""The sentence for any other action, by the phase in which it comes too early."""
TOO_LATE: NamedPhrases = {
    "TF-1": "All pawns are placed: the turns have begun.",
    "TF-9": "There is no ternion to choose now.",
    "TF-10": "No pawn is to be removed or added now.",
}
"""The sentence for an action outside of its phase, by the rule that it breaks."""
OUTSIDE: NamedPhrases = {
    "2": "{place} is outside the play area: two players play inside the red line.",
    "3": "{place} is outside the play area: three players play inside the blue line.",
    "4": "{place} is outside the play area.",
}
"""The sentence for a place that is not in play, by the number of players."""
PLAIN: NamedPhrases = {
    "TF-6": "There is a move marker already between {one} and {other}.",
    "TF-7": "A pawn was removed from {places} in this turn: its T still counts.",
    "TF-8": "{places} are no ternion with the pawn on {moved}.",
    "TF-9": "Another set goes before {places}.",
    "TF-10": "There is no pawn of {player} in this ternion on {place}.",
    "TF-14": "{player} can still move.",
}
"""The sentences that are always the same for a rule."""


def explain(position: Position, action: str, breach: Breach) -> Message:
    path = SITE.findall(action.removeprefix("T:"))
    if breach.rule == OWED.get(position.phase) and _is_of_another_phase(position, action):
        return _say_first(position)
    if breach.rule in TOO_LATE and not breach.sites:
        return say(TOO_LATE[breach.rule])
    if breach.rule in PLAIN:
        return _say_plain(position, path, breach)
    return _SENTENCES[breach.rule](position, path, breach.sites)


def _say_plain(position: Position, path: list[Site], breach: Breach) -> Message:
    return say(
        PLAIN[breach.rule],
        player=say_player(position.turn),
        place=path[0] if path else "",
        places=say_list(breach.sites),
        one=breach.sites[0] if breach.sites else "",
        other=breach.sites[-1] if breach.sites else "",
        moved=_names(position, (position.moved,)) if breach.rule == "TF-8" else "",
    )


def _is_of_another_phase(position: Position, action: str) -> bool:
    signs = {Phase.CHOOSE: "T:", Phase.REMOVE: "-", Phase.ADD: "+"}
    if position.phase is Phase.PLACE:
        return not SITE.fullmatch(action)
    return not action.startswith(signs[position.phase])


def _content(position: Position, site: Site) -> int:
    return position.sites[position.setup.net.index[site]]


def _names(position: Position, sites: tuple[int, ...]) -> Message:
    return say_list(listed(position.setup.net, sites))


def _say_first(position: Position) -> Message:
    places = _names(position, position.ternions[-1] if position.ternions else ())
    return say(FIRST[position.phase.name], player=say_player(position.turn), places=places)


def _say_placement(position: Position, path: list[Site], sites: tuple[Site, ...]) -> Message:
    if _content(position, path[0]):
        return _say_taken(position, path[0])
    others = [site for site in sites if site != path[0]]
    if others:
        return say("{place} touches {others}.", place=path[0], others=say_list(others))
    return _say_outside(position, path[0])


def _say_outside(position: Position, place: Site) -> Message:
    return say(OUTSIDE[str(len(position.setup.players))], place=place)


def _say_pawn(position: Position, path: list[Site], sites: tuple[Site, ...]) -> Message:
    content = _content(position, path[0])
    if content in (0, DIAMOND) or content & GONE:
        return say("There is no pawn on {place}.", place=path[0])
    return say("The pawn on {place} carries a marker: it is out of play in this turn.", place=path[0])


def _say_step(position: Position, path: list[Site], sites: tuple[Site, ...]) -> Message:
    start, end = path[0], path[-1]
    if _content(position, end):
        return _say_taken(position, end)
    return say("{end} is not next to {start}.", start=start, end=end)


def _say_taken(position: Position, place: Site) -> Message:
    if _content(position, place) == DIAMOND:
        return say("{place} is a large diamond: no pawn ends there.", place=place)
    return say_occupied(place)


def _say_jump(position: Position, path: list[Site], sites: tuple[Site, ...]) -> Message:
    if apart := _apart(position, path):
        return say("{end} is not next to {start}.", start=apart[0], end=apart[1])
    if empty := [site for site in path[1:-1] if not _content(position, site)]:
        return say("There is nothing on {place} to jump over.", place=empty[0])
    if path[-1] == path[0]:
        return say("The jump ends where it began, on {place}.", place=path[0])
    if _content(position, path[-1]):
        return _say_taken(position, path[-1])
    return _say_markers(position, len(path) - 1)


def _apart(position: Position, path: list[Site]) -> tuple[Site, Site] | None:
    """Returns the first two places of a path that do not meet."""
    net = position.setup.net
    pairs = ((a, b) for a, b in pairwise(path) if net.index[b] not in net.gates[net.index[a]])
    return next(pairs, None)


def _say_markers(position: Position, needed: int) -> Message:
    left = position.moves_left or MOVES
    if needed <= left:
        return say("The jump goes along one line twice.")
    return say_count(
        "The jump needs {needed} move markers, and {n} is left.",
        "The jump needs {needed} move markers, and {n} are left.",
        left,
        needed=needed,
    )


def _say_colour(position: Position, path: list[Site], sites: tuple[Site, ...]) -> Message:
    colour = say_player(COLOURS[(_content(position, path[0]) & COLOUR) - 1])
    return say(
        "The pawn jumps over a pawn of its own colour, {player}, on {places}.",
        player=colour,
        places=say_list(sites),
    )


def _say_addition(position: Position, path: list[Site], sites: tuple[Site, ...]) -> Message:
    end = path[-1]
    return _say_taken(position, end) if _content(position, end) else _say_outside(position, end)


def _say_moves(position: Position, path: list[Site], sites: tuple[Site, ...]) -> Message:
    left, player = position.moves_left, say_player(position.turn)
    if not left:
        return say("{player} has made all three moves of this turn.", player=player)
    return say_count(
        "{player} has {n} move left in this turn.",
        "{player} has {n} moves left in this turn.",
        left,
        player=player,
    )


def _say_review(position: Position, path: list[Site], sites: tuple[Site, ...]) -> Message:
    if position.phase is Phase.REVIEW and sites:
        return _say_alteration(position, path)
    return say("The review comes after the third move.")


def _say_alteration(position: Position, path: list[Site]) -> Message:
    start, end = path
    if _content(position, end) and in_play(_content(position, end)):
        return say_occupied(end)
    return say("The pawns on {start} and {end} cannot be exchanged in the review.", start=start, end=end)


_SENTENCES: Mapping[str, Callable[[Position, list[Site], tuple[Site, ...]], Message]] = {
    "TF-1": _say_placement,
    "TF-2": _say_pawn,
    "TF-3": _say_step,
    "TF-4": _say_jump,
    "TF-5": _say_colour,
    "TF-11": _say_addition,
    "TF-12": _say_moves,
    "TF-13": _say_review,
}
