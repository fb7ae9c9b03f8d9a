"""Places are compared with boards of which it is known what stood where."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from companion.core.game import EMPTY, Look, Place
from tests.vision.drawn import drawn
from vision.arrays import Image, Mask
from vision.reading.comparison import Comparison, KnownBoard
from vision.reading.memory import PUSHED, SURELY_SAME, KnownBoards, Recollection
from vision.reading.reader import CERTAIN, STRONG, Reader
from vision.solids.classify import SolidsExplanation
from vision.solids.solid_reader import SolidReader

TRIUNE = drawn("triune")
MOVED = {**{place: look for place, look in TRIUNE.looks.items() if place != "a1"}, "d4": TRIUNE.looks["a1"]}
"""The start position with the piece of a1 on d4."""


def moved_picture() -> Image:
    """A picture of that: nobody touched the others."""
    table = TRIUNE.table()
    sites = TRIUNE.board.sites
    return TRIUNE.picture(table.move(sites["a1"], sites["d4"], Random(2)))


def compared(picture: Image) -> dict[Place, float]:
    """How much likelier each place is the same as in the start position than another."""
    comparison, nothing = comparer(), hidden()
    known = comparison.known(TRIUNE.picture(), TRIUNE.looks)
    likeness = comparison.compare(comparison.sample(picture), known, nothing)
    return dict(zip(TRIUNE.layout.places, likeness.same.tolist(), strict=True))


@cache
def comparer() -> Comparison:
    return Comparison(TRIUNE.layout, TRIUNE.view, TRIUNE.layout.height(TRIUNE.profile.looks, taller=1.0))


def hidden(*places: Place) -> Mask:
    return np.array([place in places for place in TRIUNE.layout.places])


def lit(image: Image, kind: str) -> Image:
    """The picture in another light, with a sensor's noise."""
    height, width = image.shape[:2]
    across = np.linspace(0.0, 1.0, width)[None, :, None]
    down = np.linspace(0.0, 1.0, height)[:, None, None]
    gain = {
        "as it was": 1.0 + 0 * across,
        "darker": 0.8 + 0 * across,
        "lighter": 1.2 + 0 * across,
        "a lamp at one side": 1.0 + 0.15 * np.exp(-8 * ((across - 0.2) ** 2 + (down - 0.3) ** 2)),
        "warmer": 1.0 + 0 * across + np.array([-0.15, 0.0, 0.1]),
    }[kind]
    noise = np.random.default_rng(1).normal(0, 1.5, image.shape)
    return np.clip(image * gain + noise, 0, 255).astype(np.uint8)


LIGHTS = ["as it was", "darker", "lighter", "a lamp at one side", "warmer"]


@pytest.mark.parametrize("light", LIGHTS)
def test_only_what_changed_is_told_whatever_the_light(light: str) -> None:
    same = compared(lit(moved_picture(), light))
    assert {place for place, nats in same.items() if nats < 0} == {"a1", "d4"}


@pytest.mark.parametrize("light", LIGHTS)
def test_a_board_that_did_not_change_is_the_same_in_any_light(light: str) -> None:
    same = compared(lit(TRIUNE.picture(), light)).values()
    assert min(same) > 0
    assert np.median([*same]) > SURELY_SAME


def test_nothing_is_told_of_what_is_hidden_or_was_never_told() -> None:
    comparison = comparer()
    known = comparison.known(TRIUNE.picture(), TRIUNE.looks)
    now = comparison.sample(moved_picture())
    index = TRIUNE.layout.places.index
    assert comparison.compare(now, known, hidden("d4")).same[index("d4")] == 0
    untold = replace(known, told=known.told & ~hidden("d4")[:, None])
    assert comparison.compare(now, untold, hidden()).same[index("d4")] == 0


def test_of_a_place_of_which_little_was_told_its_neighbours_do_not_say_that_it_is_the_same() -> None:
    comparison = comparer()
    known = comparison.known(TRIUNE.picture(), TRIUNE.looks)
    now, at = comparison.sample(TRIUNE.picture()), TRIUNE.layout.places.index("d4")
    told = known.told.copy()
    told[at, 2:] = False
    assert comparison.compare(now, known, hidden()).same[at] > SURELY_SAME
    assert comparison.compare(now, replace(known, told=told), hidden()).same[at] < 1
    told[at] = True
    told[at, :2] = False
    assert comparison.compare(now, replace(known, told=told), hidden()).same[at] > SURELY_SAME


def test_of_a_place_that_the_camera_blanks_it_is_known_that_few_change() -> None:
    comparison, at = comparer(), TRIUNE.layout.places.index("d4")
    known, now = comparison.known(TRIUNE.picture(), TRIUNE.looks), comparison.sample(TRIUNE.picture())
    for samples in (known.samples, now):
        samples.places[at] = 255
    assert comparison.compare(now, known, hidden()).same[at] > 0


def test_a_place_kept_from_another_view_counts_by_what_the_views_differ() -> None:
    comparison, at = comparer(), TRIUNE.layout.places.index("a1")
    shaken = np.roll(TRIUNE.picture(), 2, axis=1)
    start, now = comparison.known(TRIUNE.picture(), TRIUNE.looks), comparison.known(shaken, TRIUNE.looks)
    nowhere = hidden()
    kept = comparison.follow(start, now, ~nowhere, nowhere, hidden("a1"))
    assert [*np.flatnonzero(kept.carried)] == [at]
    as_if_new = replace(kept, carried=np.zeros_like(kept.carried))
    same, worse = (comparison.compare(now.samples, known, nowhere).same[at] for known in (kept, as_if_new))
    assert same > worse


def recalled(memory: KnownBoards, picture: Image) -> dict[Place, tuple[Look, float, float]]:
    """For each place the look recalled, what speaks for it, and what against the one before."""
    comparison = comparer()
    found = memory.recall(comparison, comparison.sample(picture), hidden())
    told = zip(found.looks, found.same.tolist(), found.changed.tolist(), strict=True)
    return dict(zip(memory.places, told, strict=True))


def test_a_place_that_is_empty_again_is_recalled_from_the_calibration() -> None:
    comparison = comparer()
    given = (comparison.known(TRIUNE.empty, {}), comparison.known(TRIUNE.picture(), TRIUNE.looks))
    memory = KnownBoards(TRIUNE.layout.places, given)
    memory = memory.believing(comparison, comparison.sample(moved_picture()), MOVED, hidden())
    found = recalled(memory, TRIUNE.picture())
    look, same, changed = found["d4"]
    assert (look, same > SURELY_SAME) == (EMPTY, True)
    assert changed == PUSHED
    assert found["a1"][0] == TRIUNE.looks["a1"]


@pytest.mark.parametrize("marker", ["", "+T"])
def test_an_older_board_tells_a_piece_and_hardly_its_marker(marker: str) -> None:
    comparison = comparer()
    piece, row = MOVED["d4"], TRIUNE.layout.places.index("d4")
    given = comparison.known(moved_picture(), {**MOVED, "d4": piece + marker})
    start = comparison.sample(TRIUNE.picture())
    memory = KnownBoards(TRIUNE.layout.places, (given,)).believing(comparison, start, TRIUNE.looks, hidden())
    found = memory.recall(comparison, comparison.sample(moved_picture()), hidden())
    assert found.same[row] > SURELY_SAME
    assert found.is_sure[row] == (marker == "")
    (_, told, _), _ = found.evidence(np.array([row]), (EMPTY, piece, piece + "+T"))
    assert told == ({piece, piece + "+T"} if marker else {piece})


def test_a_piece_that_went_is_spoken_against_by_what_changed_and_by_what_is_there_again() -> None:
    reader = TRIUNE.reader()
    moved = moved_picture()
    reader.read(moved)
    reader.learn(moved, MOVED)
    observation = reader.read(TRIUNE.picture()).sighting.observation
    assert observation
    reading, went = observation.readings["d4"], MOVED["d4"]
    others = [look for look in reading.looks if look not in (EMPTY, went)]
    assert reading.misfit(EMPTY) == 0
    assert SURELY_SAME <= reading.misfit(others[0]) < reading.misfit(went) <= CERTAIN
    assert reading.misfit(went) >= min(CERTAIN, reading.misfit(others[0]) - PUSHED)


def test_before_a_board_is_believed_a_picture_of_the_calibration_stands_for_it() -> None:
    memory = KnownBoards(TRIUNE.layout.places, (comparer().known(TRIUNE.picture(), TRIUNE.looks),))
    found = recalled(memory, moved_picture())
    assert {place for place, (_, same, _) in found.items() if same <= SURELY_SAME} == {"a1", "d4"}
    assert {same for _, same, _ in recalled(memory, TRIUNE.empty).values()} == {0.0}  # too much differs


def test_solids_are_asked_of_places_that_the_network_leaves_open(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(SolidReader, "explain", lambda self, frame, places: asked.append(len(places)))
    for nats, wanted in ((0.0, []), (np.inf, [2])):
        monkeypatch.setattr("vision.reading.reader.DECIDED", nats)
        asked.clear()
        TRIUNE.reader().read(moved_picture())
        assert asked == wanted


@pytest.mark.parametrize(("open_place", "told"), [("d4", {}), ("a1", {"a1": TRIUNE.looks["a1"]})])
def test_what_solids_say_counts_where_they_were_asked(
    open_place: Place, told: dict[Place, Look], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two places are read, a1 and d4; solids see that piece everywhere."""
    everywhere = len(TRIUNE.layout.places)
    seen = SolidsExplanation(
        [{TRIUNE.looks["a1"]: STRONG}] * everywhere, [-STRONG] * everywhere, [1.0] * everywhere, {}
    )
    monkeypatch.setattr(SolidReader, "explain", lambda self, frame, places: seen)
    is_open = np.array([place == open_place for place in TRIUNE.layout.places if place in ("a1", "d4")])
    monkeypatch.setattr("vision.reading.reader._are_undecided", lambda ratios: is_open)
    looks = TRIUNE.reader().read(moved_picture()).looks
    assert {place: look for place, look in looks.items() if look != EMPTY} == MOVED | told


def test_of_looks_that_the_camera_blanks_a_blanked_place_tells_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def looks() -> set[float]:
        observation = TRIUNE.reader().read(moved_picture()).sighting.observation
        assert observation
        return {nats for look, nats in observation.readings["d4"].looks.items() if look != EMPTY}

    monkeypatch.setattr("vision.reading.reader.DECIDED", -1.0)  # solids, which might tell, are not asked
    monkeypatch.setattr(Recollection, "blanked", lambda self, now, known: [1.0] * len(known))
    assert len(looks()) > 1
    monkeypatch.setattr("vision.reading.reader.blanked_share", lambda now: np.ones(len(now.places)))
    assert len(looks()) == 1


def test_pieces_that_are_blanked_are_told_by_those_that_surely_stand_there() -> None:
    comparison, looks = comparer(), sorted({*TRIUNE.looks.values()})
    memory = KnownBoards(TRIUNE.layout.places, (comparison.known(TRIUNE.picture(), TRIUNE.looks),))
    now = comparison.sample(TRIUNE.picture())
    found = memory.recall(comparison, now, hidden())
    assert found.blanked(now, looks) == [0.0] * len(looks)
    for row, place in enumerate(memory.places):
        if TRIUNE.looks.get(place) == looks[0]:
            now.places[row, 0] = 255
    assert found.blanked(now, looks) == [1.0, *[0.0] * (len(looks) - 1)]


def test_a_place_that_changed_does_not_show_what_it_was_believed_to_show_by_an_older_board() -> None:
    comparison = comparer()
    moved = comparison.sample(moved_picture())
    mistaken = KnownBoard.of(moved, TRIUNE.looks, ~hidden())
    memory = KnownBoards(TRIUNE.layout.places, (mistaken,))
    memory = memory.believing(comparison, comparison.sample(TRIUNE.picture()), TRIUNE.looks, hidden())
    _, same, changed = recalled(memory, moved_picture())["d4"]
    assert same == 0
    assert changed < PUSHED


def test_a_look_says_no_more_than_that_nothing_stood_there_before() -> None:
    comparison = comparer()
    memory = KnownBoards(TRIUNE.layout.places, ())
    assert memory.recall(comparison, comparison.sample(TRIUNE.picture()), hidden()).most_by_look == np.inf
    start = comparison.sample(TRIUNE.picture())
    memory = memory.believing(comparison, start, TRIUNE.looks, hidden())
    found = memory.recall(comparison, comparison.sample(moved_picture()), hidden())
    assert found.changed.min() == pytest.approx(-found.most_by_look)


def test_what_differs_faintly_all_over_a_place_leaves_it_open() -> None:
    comparison = comparer()
    known = comparison.known(TRIUNE.picture(), TRIUNE.looks)
    picture = TRIUNE.picture().astype(np.int16)
    x, y = TRIUNE.view.pixels([TRIUNE.board.sites["d5"]])[0]
    rows, columns = np.indices(picture.shape[:2])
    picture[np.hypot(rows - y, columns - x) < 0.45 * TRIUNE.view.step_pixels(TRIUNE.board.sites["d5"])] += 4
    now = comparison.sample(np.clip(picture, 0, 255).astype(np.uint8))
    same = comparison.compare(now, known, hidden()).same
    assert {p for p, nats in zip(TRIUNE.layout.places, same.tolist(), strict=True) if nats < SURELY_SAME} == {
        "d5"
    }


def test_a_piece_that_was_not_seen_to_come_is_not_sure_to_stand_there_still() -> None:
    comparison, nothing = comparer(), hidden()
    start, moved = comparison.sample(TRIUNE.picture()), comparison.sample(moved_picture())
    before = KnownBoards(TRIUNE.layout.places, ()).believing(comparison, start, TRIUNE.looks, nothing)
    clearly = before.believing(comparison, moved, MOVED, nothing).recall(comparison, moved, nothing)
    assert clearly.is_sure.all()
    # whoever looks at the same picture sees no piece come to d4, and none go from a1
    faintly = before.believing(comparison, start, MOVED, nothing).recall(comparison, start, nothing)
    assert np.array_equal(faintly.is_sure, ~hidden("a1", "d4"))


def test_where_much_changed_each_place_is_the_likelier_to_have_changed() -> None:
    comparison, nothing = comparer(), hidden()
    known = comparison.known(TRIUNE.picture(), TRIUNE.looks)
    bare = ~hidden(*TRIUNE.looks)
    little, much = (
        comparison.compare(comparison.sample(picture), known, nothing).same[bare].max()
        for picture in (moved_picture(), TRIUNE.empty)
    )
    assert much < little - 1


def test_half_a_move_is_not_learned_as_a_piece_that_was_pushed() -> None:
    comparison = comparer()
    memory = KnownBoards(TRIUNE.layout.places, ())
    start = comparison.sample(TRIUNE.picture())
    memory = memory.believing(comparison, start, TRIUNE.looks, hidden())
    moved = comparison.sample(moved_picture())
    found = memory.recall(comparison, moved, hidden())
    # d4 shows a piece that nobody believes in: so a1, which changed too, may be empty
    assert np.array_equal(found.left_open(TRIUNE.looks, hidden("d4")), hidden("a1", "d4"))
    # nothing else is open: a piece was pushed on a1, and something lies on d4
    assert not found.left_open(TRIUNE.looks, hidden()).any()
    assert np.array_equal(found.left_open(MOVED, hidden("c3")), hidden("c3"))


def test_a_doubted_place_is_remembered_as_it_was_in_the_light_of_now() -> None:
    comparison = comparer()
    start = comparison.sample(TRIUNE.picture())
    memory = KnownBoards(TRIUNE.layout.places, ()).believing(comparison, start, TRIUNE.looks, hidden())
    dark = comparison.sample(lit(moved_picture(), "darker"))
    memory = memory.believing(comparison, dark, TRIUNE.looks, hidden("a1", "d4"))
    found = recalled(memory, lit(TRIUNE.picture(), "darker"))
    assert {place for place, (_, same, _) in found.items() if same <= SURELY_SAME} == set()


def test_of_a_doubted_place_nothing_is_remembered_that_was_hidden_by_what_changed() -> None:
    comparison, places = Comparison(TRIUNE.layout, TRIUNE.view, 1.5), TRIUNE.layout.places
    start, moved = comparison.sample(TRIUNE.picture()), comparison.sample(moved_picture())
    memory = KnownBoards(places, ()).believing(comparison, start, TRIUNE.looks, hidden())
    memory = memory.believing(comparison, moved, MOVED, hidden(*places))
    assert memory.believed is not None
    told = dict(zip(places, memory.believed.told.mean(axis=1).tolist(), strict=True))
    assert {place for place, share in told.items() if share < 1} == {"d3", "d5"}


def test_nothing_is_told_of_what_the_camera_blanked() -> None:
    comparison = comparer()
    nothing = hidden()
    dazzled = np.full_like(TRIUNE.picture(), 255)
    known = comparison.known(dazzled, TRIUNE.looks)
    assert not comparison.compare(comparison.sample(dazzled), known, nothing).same.max() > SURELY_SAME


def test_a_reader_tells_which_places_are_as_they_were_believed() -> None:
    reader = TRIUNE.reader()
    assert not _same(reader, TRIUNE.picture())  # nothing was believed yet
    reader.learn(TRIUNE.picture(), TRIUNE.looks)
    assert _same(reader, TRIUNE.picture()) == set(TRIUNE.layout.places)
    assert _same(reader, moved_picture()) == set(TRIUNE.layout.places) - {"a1", "d4"}


def _same(reader: Reader, picture: Image) -> set[Place]:
    observation = reader.read(picture).sighting.observation
    assert observation is not None
    return set(observation.same)
