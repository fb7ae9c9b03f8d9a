"""The way back: the fewest steps, each of which can be done, that put a board right."""

import pytest

from companion.core.game import Look, Place
from companion.games.text import read_game
from companion.referee.verdict.guide import guide, say_markers

TRIUNE, TERNION = read_game("triune").board, read_game("ternion_factor").board
TELEPORTERS = read_game("teleporters").board
Looks = dict[Place, Look]


@pytest.mark.parametrize(
    ("should", "seen", "words"),
    [
        ({"a2": "red/solid"}, {"a2": "red/solid"}, []),
        ({"a2": "red/solid"}, {"a4": "red/solid"}, ["Move the solid red piece from a4 to a2."]),
        ({"a2": "red/solid"}, {}, ["Put a solid red piece on a2."]),
        ({}, {"a2": "red/solid"}, ["Take the solid red piece off a2."]),
        (
            {"a2": "red/solid"},
            {"a2": "red/marked"},
            ["Turn the piece on a2: it should be the solid red piece."],
        ),
        (
            {"a2": "red/solid", "b2": "red/solid"},
            {"b2": "red/solid", "c2": "red/solid"},
            ["Move the solid red piece from c2 to a2."],
        ),
        (
            {"a2": "red/solid", "a7": "blue/solid"},
            {"a7": "red/solid"},
            ["Move the solid red piece from a7 to a2.", "Put a solid blue piece on a7."],
        ),
        (
            {"h8": "red/triune"},
            {"h8": "blue/solid", "e5": "red/marked"},
            [
                "Take the solid blue piece off h8.",
                "Move the marked red piece from e5 to h8.",
                "Put a second piece on top of the one on h8.",
            ],
        ),
        (
            {"h8": "blue/solid", "e5": "red/marked"},
            {"h8": "red/triune"},
            [
                "Take the upper piece off h8.",
                "Move the marked red piece from h8 to e5.",
                "Put a solid blue piece on h8.",
            ],
        ),
        ({"a1": "red/triune"}, {"h8": "red/triune"}, ["Move the red triune from h8 to a1."]),
    ],
)
def test_the_fewest_steps(should: Looks, seen: Looks, words: list[str]) -> None:
    assert [step.words for step in guide(TRIUNE, should, seen)] == words


@pytest.mark.parametrize(
    ("should", "seen", "words"),
    [
        ({"c4": "white+T"}, {"c4": "white"}, ["Lay a T marker on c4."]),
        ({"c4": "white"}, {"c4": "white+A"}, ["Take the A marker off c4."]),
        ({"c4": "white+A"}, {"c4": "white"}, ["Lay an A marker on c4."]),
        ({"c4": "white+A"}, {}, ["Put a white pawn with an A marker on c4."]),
        ({"c4": "white+T"}, {"c4": "+T"}, ["Put a white pawn with a T marker on c4."]),
        (
            {"c4": "white+T"},
            {"c4": "+T", "d5": "white"},
            ["Move the white pawn from d5 to c4."],
        ),
    ],
)
def test_markers_are_put_right_too(should: Looks, seen: Looks, words: list[str]) -> None:
    assert [step.words for step in guide(TERNION, should, seen)] == words


def test_a_port_on_the_right_square_is_turned() -> None:
    looks: tuple[Looks, Looks] = {"b2ne": "south/port"}, {"b2sw": "south/port"}
    assert [step.words for step in guide(TELEPORTERS, *looks)] == [
        "Turn the Port of South from b2sw to b2ne."
    ]


def test_a_ring_of_pieces_is_undone() -> None:
    should = {"a2": "red/solid", "b2": "red/marked", "c2": "red/triune"}
    seen = {"a2": "red/marked", "b2": "red/triune", "c2": "red/solid"}
    assert len(guide(TRIUNE, should, seen)) <= 3


def test_markers_are_named_with_their_places() -> None:
    looks = {"c4": "white+T", "d4": "black"}
    assert say_markers(["c4", "d4-d5"], ["e5-e6"], looks) == (
        "Lay T on c4 and a move marker at d4-d5. Take the move marker off e5-e6."
    )
    assert say_markers([], [], looks) == ""


def test_a_step_names_the_kind_that_no_sensor_sees() -> None:
    chess = read_game("chess").board
    [step] = guide(chess, {"e1": "white"}, {"e3": "white"}, {"e1": "white/king"})
    assert step.words == "Move the white king from e3 to e1."
    [step] = guide(chess, {"e1": "white"}, {}, {"e1": "white/king"})
    assert step.words == "Put a white king on e1."
    magnet = read_game("magnet").board
    [step] = guide(magnet, {"e1": "red"}, {"e3": "red"}, {"e1": "red/31"})
    assert step.words == "Move the red piece from e3 to e1."
