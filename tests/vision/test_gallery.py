"""Places compared with examples: what is nearest is likeliest, and looks are put together of their parts."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.game import EMPTY
from vision.reading.gallery import (
    EXACT_AGAIN,
    FAR,
    MOST_EXAMPLES,
    USUAL,
    Gallery,
    closeness,
    evenly,
    look_parts,
)
from vision.reading.network import VECTOR, Embedding

LOOKS = (EMPTY, "black", "white", "black+T", "white+T")


def vector(*values: float) -> np.ndarray:
    out = np.zeros(VECTOR, np.float32)
    out[: len(values)] = values
    return out


AT = {EMPTY: vector(), "black": vector(8), "white": vector(-8), "white+T": vector(-8, 8)}


def seen(*vectors: np.ndarray) -> Embedding:
    none = np.zeros(len(vectors), np.float32)
    return Embedding(np.stack(vectors), none, none, none)


@pytest.fixture
def gallery() -> Gallery:
    return Gallery.of(LOOKS, [(np.stack([*AT.values()]), [*AT])])


@pytest.mark.parametrize("look", AT)
def test_the_nearest_look_is_the_likeliest(gallery: Gallery, look: str) -> None:
    scores = gallery.compare(seen(AT[look] + 0.5))
    assert max(scores, key=lambda name: float(scores[name][0])) == look


def test_a_look_never_seen_is_put_together_of_its_parts(gallery: Gallery) -> None:
    assert gallery.examples("black+T") is None
    scores = gallery.compare(seen(vector(8, 8)))
    assert max(scores, key=lambda name: float(scores[name][0])) == "black+T"


def test_a_look_with_a_part_never_seen_is_left_out() -> None:
    looks = (EMPTY, "black", "black+A", "red")
    given = Gallery.of(looks, [(np.stack([AT[EMPTY], AT["black"]]), [EMPTY, "black"])])
    assert set(given.compare(seen(vector()))) == {EMPTY, "black"}


def test_a_lesson_teaches_a_look_and_old_lessons_are_forgotten(gallery: Gallery) -> None:
    taught = gallery.taught(vector(8, 8)[None], ["black+T"])
    assert taught.examples("black+T") is not None
    for n in range(MOST_EXAMPLES + 5):
        taught = taught.taught(vector(0, 0, n)[None], ["black"])
    lessons = taught.lessons["black"]
    assert len(lessons) == MOST_EXAMPLES
    assert lessons[-1][2] == MOST_EXAMPLES + 4
    assert len(gallery.lessons) == 0


def test_a_place_compared_unprompted_does_not_know_itself() -> None:
    vectors = np.stack([vector(), vector(0.5), vector(8), vector(8.5), vector(3)])
    wrong = Gallery.of((EMPTY, "black"), [(vectors, [EMPTY] * 2 + ["black"] * 3)])
    told, unprompted = (wrong.compare(seen(vector(3)), own) for own in (False, True))
    assert told["black"] > told[EMPTY]
    assert unprompted["black"] < unprompted[EMPTY]


@pytest.mark.parametrize(
    ("apart", "expected"),
    [(0.0, 1.0), (0.5 * USUAL, 1.0), (2 * USUAL, 2.0), (100.0, FAR / USUAL)],
)
def test_a_frame_is_strange_whose_places_all_lie_far_from_examples(
    gallery: Gallery, apart: float, expected: float
) -> None:
    off = vector(0, 0, apart**0.5)
    assert gallery.strangeness(np.stack([at + off for at in AT.values()])) == pytest.approx(expected, 1e-4)


def test_a_frame_of_which_no_place_is_seen_is_not_strange(gallery: Gallery) -> None:
    assert gallery.strangeness(np.empty((0, VECTOR), np.float32)) == 1.0


def test_closeness_is_that_of_a_mixture() -> None:
    assert closeness(vector()[None], np.stack([vector(2), vector(2)])) == pytest.approx([-4.0])
    again = closeness(vector()[None], np.stack([vector(), vector(50)]))
    assert again == pytest.approx([np.log((1 + EXACT_AGAIN) / 2)])


def test_parts_of_looks() -> None:
    assert look_parts("red/marked+T") == (("owner", "red"), ("face", "marked"), ("marker", "T"))
    assert look_parts("+A") == (("owner", ""), ("face", ""), ("marker", "A"))


@pytest.mark.parametrize(("count", "most", "out"), [(3, 5, [0, 1, 2]), (5, 3, [0, 2, 4]), (0, 3, [])])
def test_some_are_taken_evenly(count: int, most: int, out: list[int]) -> None:
    assert evenly(count, most).tolist() == out
