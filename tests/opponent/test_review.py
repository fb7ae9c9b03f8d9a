"""A look back at a game: whose turns lost the chance of winning, and what was better."""

import pytest

from companion.record.record import read_any
from companion.record.session import Entry
from opponent.mind import Choice, Question
from opponent.review import ReviewedTurn, TurnJudgement, judged, look_back, turning_points, turns

MATE = "chess e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"


def test_the_turn_that_lost_the_game_is_found_with_a_better_one() -> None:
    pytest.importorskip("chess")
    (worst,) = turning_points(look_back(read_any(MATE).session(), nodes=1500), 1)
    assert worst.turn.question.played == ("g8f6",)
    assert worst.chance > 0.4
    assert worst.left == 0.0
    assert worst.better
    assert worst.better != ("g8f6",)


def test_turns_are_whole_and_known_as_their_players_knew_them() -> None:
    red, blue = "=K222333444tT", "=Tt444333222K"
    session = read_any(f"magnet {red} {blue}").session()
    session = session.apply(Entry("action", next(session.rules.legal(session.position))))
    found = list(turns(session))
    assert [(turn.first, turn.last, turn.player) for turn in found] == [(2, 2, "red")]
    assert found[0].question.actions == (red, "=?")
    session = read_any("teleporters").session()
    for _ in range(6):
        session = session.apply(Entry("action", next(session.rules.legal(session.position))))
    assert next(turn.first for turn in turns(session)) == 0
    assert sum(turn.last - turn.first + 1 for turn in turns(session)) == 6


def test_no_blame_where_the_outcome_stays() -> None:
    turn = ReviewedTurn(0, 0, "white", Question("chess", "white", played=("a2a3",)))
    best = Choice(("e2e4",), 1.0, played=("a2a3",), left=0.97)
    assert turning_points([judged(turn, best)]) == []
    alike = Choice(("e2e4",), 0.5, played=("a2a3",), left=0.6)
    assert judged(turn, alike) == TurnJudgement(turn, 0.6, 0.6)


def test_the_three_that_lost_most_are_told_in_order() -> None:
    question = Question("chess", "white")
    lost = [0.2, 0.5, 0.05, 0.3, 0.15]
    found = [
        TurnJudgement(ReviewedTurn(n, n, "white", question), 0.9, 0.9 - share) for n, share in enumerate(lost)
    ]
    assert [judged.turn.first for judged in turning_points(found)] == [0, 1, 3]
