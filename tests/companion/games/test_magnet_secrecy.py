"""Magnet's secrets: nobody but its owner learns what a piece is before it is captured.

The law: two positions that differ only in what a viewer may not know look alike to that viewer, in
everything that can be asked of the rules. Pairs of such positions come from random games, played once
as they are and once with hidden pieces of one side exchanged.
"""

import random
from collections.abc import Iterator

import pytest

from companion import games
from companion.core.game import PositionError
from companion.games.magnet.position import VALUES, Position, kind_of, owned, piece
from companion.games.magnet.rules import Magnet
from companion.games.text import read_game

MAGNET: Magnet = games.rules("magnet")  # type: ignore[assignment]
PLAYERS = ("red", "blue")
NEAR_MISSES = ("declare", "pass", "=?", "reveal:K", "=K222333444tT", "f6", "@f6", "x")


def game(seed: int, actions: int) -> Iterator[Position]:
    chance = random.Random(seed)
    at = read_game("magnet setup=random").start()
    for _ in range(actions):
        yield at
        if at.over:
            return
        action = chance.choice(list(MAGNET.legal(at)))
        at = MAGNET.play(at, MAGNET.set_up(at, chance) if action == "=?" else action).position


def exchanged(at: Position, side: int, chance: random.Random) -> Position:
    """Returns the position with the kinds of that side's pieces exchanged where their ranks allow it."""
    pieces, own = bytearray(at.pieces), owned(at.pieces, side)
    for _ in range(30):
        if len(own) > 1:
            a, b = chance.sample(own, 2)
            kinds, ranks = [kind_of(pieces[v]) for v in (a, b)], [pieces[v] & 7 for v in (a, b)]
            if ranks[0] <= VALUES[kinds[1]] and ranks[1] <= VALUES[kinds[0]]:
                pieces[a], pieces[b] = piece(side, kinds[1], ranks[0]), piece(side, kinds[0], ranks[1])
    return at._replace(pieces=bytes(pieces))


def pairs(seed: int) -> Iterator[tuple[Position, Position, int]]:
    """Yields a position, its twin, and the side whose pieces are exchanged."""
    chance = random.Random(seed)
    for at in game(seed, 150):
        for side in (0, 1):
            if not at.over:
                yield at, exchanged(at, side, chance), side


def viewers(side: int) -> tuple[str | None, ...]:
    return PLAYERS[1 - side], None, "arbiter"


@pytest.mark.parametrize("seed", range(8))
def test_what_differs_only_in_secrets_looks_alike(seed: int) -> None:
    differing = 0
    for at, twin, side in pairs(seed):
        differing += at != twin
        for viewer in viewers(side):
            if viewer == PLAYERS[1 - side]:
                one, other = MAGNET.view(at, viewer), MAGNET.view(twin, viewer)
            else:
                twin_of_both = exchanged(twin, 1 - side, random.Random(seed))
                one, other = MAGNET.view(at, viewer), MAGNET.view(twin_of_both, viewer)
            assert one == other
            assert repr(one) == repr(other)
    assert differing > 20


@pytest.mark.parametrize("seed", range(3))
def test_a_refusal_tells_nothing_of_the_other_side(seed: int) -> None:
    """Asked of the position itself, not of a view: judge and legal see no kind that is not the actor's."""
    for at, twin, side in pairs(seed):
        if PLAYERS[side] == at.to_act:
            continue
        assert list(MAGNET.legal(at)) == list(MAGNET.legal(twin))
        names = at.net.names
        for text in (*NEAR_MISSES, *names, *(f"{v}+" for v in names), *(f"@{v}" for v in names)):
            assert MAGNET.judge(at, text) == MAGNET.judge(twin, text)


@pytest.mark.parametrize("seed", range(3))
def test_a_players_view_is_enough_to_play_by(seed: int) -> None:
    for at in game(seed, 150):
        own = MAGNET.view(at, at.to_act)
        assert list(MAGNET.legal(own)) == list(MAGNET.legal(at))
        assert MAGNET.outcome(own) == MAGNET.outcome(at)
        assert MAGNET.look(own) == MAGNET.look(at)
        assert MAGNET.counts(own) == MAGNET.counts(at)
        for name in at.net.names:
            assert MAGNET.judge(own, f"{name}+") == MAGNET.judge(at, f"{name}+")


@pytest.mark.parametrize("seed", range(8))
def test_what_an_action_tells_is_no_secret(seed: int) -> None:
    """Events are for all: of twins that capture nothing they are the same."""
    for at, twin, side in pairs(seed):
        if at.ready < 2 or PLAYERS[side] == at.to_act:
            continue
        for action in list(MAGNET.legal(at))[:10]:
            one, other = MAGNET.play(at, action), MAGNET.play(twin, action)
            if not any(event.kind == "captured" for event in one.events):
                assert [MAGNET.tell(e) for e in one.events] == [MAGNET.tell(e) for e in other.events]


@pytest.mark.parametrize("seed", range(4))
def test_a_move_of_hidden_pieces_tells_only_ranks(seed: int) -> None:
    """The mover's own secrets: an action that both twins may play is told in the same words."""
    for at, twin, side in pairs(seed):
        if at.ready < 2 or PLAYERS[side] != at.to_act:
            continue
        for action in sorted(set(MAGNET.legal(at)) & set(MAGNET.legal(twin)))[:10]:
            one, other = MAGNET.play(at, action), MAGNET.play(twin, action)
            if not (one.position.over or other.position.over):
                assert one.events == other.events
                assert MAGNET.view(one.position, None) == MAGNET.view(other.position, None)


def corrections(at: Position, chance: random.Random) -> Iterator[tuple[dict[str, str], str]]:
    """Yields corrections that name nothing but what everybody sees."""
    shown = MAGNET.pieces(MAGNET.view(at, None))
    pieces = [place for place, look in shown.items() if look != "magnet"]
    free = [name for name in at.net.names if name not in shown]
    for _ in range(6):
        gone, moved, ranked = (chance.choice(pieces) for _ in range(3))
        owner = shown[ranked].partition("/")[0]
        changes = (
            {gone: "empty"},
            {moved: "empty", chance.choice(free): shown[moved].partition("/")[0]},
            {moved: "empty", gone: "empty", chance.choice(free): "red", chance.choice(free): "blue"},
            {ranked: f"{owner}/{chance.randint(1, 5)}"},
            {chance.choice(free): chance.choice(("magnet", "red", "blue/2"))},
            {},
        )
        looks = {**shown, **chance.choice(changes)}
        yield {place: look for place, look in looks.items() if look != "empty"}, chance.choice(PLAYERS)


@pytest.mark.parametrize("seed", range(3))
def test_a_correction_tells_nothing_of_what_it_does_not_name(seed: int) -> None:
    """It is refused, or taken, whatever the pieces are; and shows all others the same."""
    chance, taken = random.Random(seed), 0
    for at, twin, _ in pairs(seed):
        if at.ready == 2:
            for looks, turn in corrections(at, chance):
                found = [corrected(position, looks, turn) for position in (at, twin, MAGNET.view(at, None))]
                assert found[0] == found[1] == found[2], looks
                taken += not isinstance(found[0], str)
    assert taken > 100


def corrected(at: Position, looks: dict[str, str], turn: str) -> Position | str:
    try:
        return MAGNET.view(MAGNET.arrange(at, looks, turn), None)._replace(seen=())
    except PositionError as error:
        return str(error)


def test_the_palette_of_a_view_names_no_kinds() -> None:
    at = next(at for at in game(1, 30) if at.ready == 2)
    looks = MAGNET.palette(MAGNET.view(at, None))
    assert looks == ("empty", "magnet", *(f"{player}/{rank}" for player in PLAYERS for rank in "1234"))


def test_prompts_labels_and_counts_are_alike() -> None:
    for at, twin, _ in pairs(3):
        assert MAGNET.prompt(at) == MAGNET.prompt(twin)
        assert MAGNET.counts(at) == MAGNET.counts(twin)
        assert MAGNET.reversible(at) == MAGNET.reversible(twin)
        assert MAGNET.look(at) == MAGNET.look(twin)


def test_a_view_shows_ranks_and_hides_kinds() -> None:
    at = read_game("magnet").start()
    for letters in ("=K222333444tT", "=tT444333222K"):
        at = MAGNET.play(at, letters).position
    red, blue, other = (MAGNET.pieces(MAGNET.view(at, viewer)) for viewer in ("red", "blue", None))
    assert (red["a2"], red["k5"]) == ("red/K1", "blue/1")
    assert (blue["a2"], blue["k5"]) == ("red/1", "blue/t1")
    assert (other["a2"], other["k5"]) == ("red/1", "blue/1")


def test_one_set_up_is_hidden_while_the_other_is_awaited() -> None:
    at = MAGNET.play(read_game("magnet").start(), "=K222333444tT").position
    assert MAGNET.pieces(MAGNET.view(at, "blue"))["a2"] == "red/1"
    assert MAGNET.view(at, "red") == at


def test_a_set_up_is_told_its_owner_until_the_game_is_over() -> None:
    secret = "=K222333444tT"
    assert MAGNET.show(secret, "red", "red", over=False) == secret
    for viewer in ("blue", None, "arbiter"):
        assert MAGNET.show(secret, "red", viewer, over=False) == "=?"
        assert MAGNET.show(secret, "red", viewer, over=True) == secret
        assert MAGNET.show("b7+", "red", viewer, over=False) == "b7+"


def test_when_the_game_is_over_everything_is_public() -> None:
    last = next(at for seed in range(20) for at in game(seed, 3000) if at.over)
    assert MAGNET.view(last, None) == last


def test_a_turn_that_has_revealed_a_value_is_not_taken_back() -> None:
    revealed = 0
    for before, at in zip(game(5, 400), list(game(5, 400))[1:], strict=False):
        captured = at.revealed != before.revealed
        revealed += captured
        if captured:
            assert not MAGNET.reversible(at)
        if at.magnet >= 0 and before.magnet < 0:
            assert MAGNET.reversible(at), "a turn of which only the magnet is placed"
    assert revealed > 3
