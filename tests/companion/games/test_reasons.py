"""Refusals in words: the one thing that is wrong here, also for rules that random games seldom meet."""

import pytest

from companion.games.reasons import explained
from companion.games.text import replay

REVIEWED = "ternion_spaces c8 e6 e8 h9 f4 c5 i5 g6 e8-E7-e6-f6 +d3 +g3"
"""A turn of which only the review is left."""


@pytest.mark.parametrize(
    ("text", "action", "words"),
    [
        ("triune", "a2-a4", "A solid piece moves exactly one square; a2 to a4 is 2."),
        ("triune", "b7-b6", "The piece on b7 belongs to Blue, and it is Red's turn."),
        ("triune", "pass", "Red cannot pass: a flip is always possible."),
        ("escape", "pass", "South can still move."),
        ("trid", "pass", "Black can still move."),
        ("trid", "a6-c6", "The master moves to a field that borders a6, and c6 does not."),
        ("teleporters", "f1-h3", "f1 to h3 is more than two steps."),
        ("teleporters", "pole:c1", "No Pole is in hand."),
        (
            "magnet setup=random =K222333444tT =K222333444tT",
            "pass",
            "Red cannot pass: the magnet can be placed.",
        ),
        ("ternion_factor e5", "e6", "e6 touches e5."),
        ("ternion_factor", "out", "Black can still move."),
        ("ternion_factor", "d12", "d12 is outside the play area: two players play inside the red line."),
        ("ternion_factor players=3", "d12", "d12 is outside the play area: three players play inside"),
        (REVIEWED, "~d3>a4", "a4 is outside the play area: two players play inside the red line."),
        (REVIEWED, "~d3>D4", "D4 is a large diamond: no pawn ends there."),
        ("draughts variant=international fen=W:W28,36:B22,12,31,1", "e5xc7xe9", "More can be captured"),
        ("draughts fen=W:WK22:B18", "c3xe5xc3", "The piece on d4 was jumped before."),
        ("no_overlap +a4", "+a6", "The pawns on a6 and a4 would both own b5."),
        ("chess", "e2e5", "A pawn does not move from e2 to e5."),
    ],
)
def test_a_plain_mistake_in_words(text: str, action: str, words: str) -> None:
    game, position, _ = replay(text)
    found = explained(game.rules, position, action, game.rules.judge(position, action))
    assert any(breach.words.startswith(words) for breach in found), found


@pytest.mark.parametrize(
    ("text", "action", "words"),
    [
        ("triune", "b7-b4", "The piece on b7 belongs to Blue, and it is Red's turn."),
        ("chess", "e7d3", "The piece on e7 belongs to Black, and it is White's turn."),
        ("triune", "c5-c8", "There is no piece on c5."),
    ],
)
def test_of_a_piece_that_is_not_ones_own_no_more_is_said(text: str, action: str, words: str) -> None:
    game, position, _ = replay(text)
    found = explained(game.rules, position, action, game.rules.judge(position, action))
    assert [breach.words for breach in found] == [words]
