"""What is published of a round: which board gets which pairing, and what tells one pairing from another."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from broker_bridge.proposals import proposal_of
from broker_bridge.topics import BoardName
from companion.core.errors import CompanionError
from companion.table.messages import Propose
from companion.wire.codec import WireError
from companion.wire.hall import BoardState, Pairing
from companion.wire.state import Game, Outcome, Ply
from hall.archive.listing import GameRow
from hall.archive.rows import GameKey
from hall.rounds.board_map import read_board_map
from hall.rounds.pairs import Pair, RoundError, Score
from hall.rounds.played import PlayedGame, by_pair, of_row, of_state, scored
from hall.rounds.publishing import Plan, digest, known_again, letters, placed

TODAY, NEXT_WEEK = date(2026, 3, 1), date(2026, 3, 8)
FIRST, SECOND = BoardName("Hall A", "1"), BoardName("Hall A", "2")
PAIRS = (Pair(1, "Ann", "Bo", 3), Pair(2, "Cy", "Di", 3, event="Open", clock="5"))
PLAN = Plan("chess", ("white", "black"), "10+5", "Club")
HALL_A = read_board_map([], "Hall A")


def published(day: date = TODAY, pairs: tuple[Pair, ...] = PAIRS) -> dict[BoardName, Pairing]:
    return placed(pairs, PLAN, HALL_A, day)


def test_a_board_is_told_who_plays_and_how() -> None:
    pairing, other = published().values()
    assert pairing == Pairing(
        "3", {"white": "Ann", "black": "Bo"}, "Club", "chess", "10+5", f"{digest(PAIRS[0])}-2026-03-01"
    )
    assert (other.event, other.clock) == ("Open", "5")


def test_the_same_pairing_keeps_its_identity_and_another_tournament_has_its_own() -> None:
    kept = published()
    assert known_again(published(NEXT_WEEK), kept) == kept
    assert {p.id for p in published(NEXT_WEEK).values()}.isdisjoint(p.id for p in kept.values())
    again = known_again(published(), kept, [FIRST])
    assert again[FIRST].id == f"{kept[FIRST].id}-1"
    assert again[SECOND] == kept[SECOND]
    assert known_again(published(NEXT_WEEK), again) == again
    assert known_again(published(), again, [FIRST])[FIRST].id == f"{kept[FIRST].id}-2"


def test_only_what_changes_is_published_and_what_is_over_withdrawn() -> None:
    ninth = BoardName("Hall A", "9")
    kept = {**published(), ninth: Pairing("2", {})}
    assert letters(published(), kept, TODAY) == {ninth: None}
    later = published(pairs=(PAIRS[0], Pair(2, "Ed", "Flo", 3)))
    assert letters(later, kept, TODAY) == {SECOND: later[SECOND], ninth: None}


@pytest.mark.parametrize(
    ("other", "since", "stays"),
    [
        ({"event": "Blitz"}, TODAY, True),
        ({"event": "Blitz"}, NEXT_WEEK, False),
        ({"event": "Blitz", "id": "else"}, TODAY, False),
        ({"event": "Open"}, TODAY, False),
        ({"event": ""}, TODAY, False),
        ({"event": "", "game": "draughts"}, TODAY, True),
    ],
)
def test_the_pairings_of_another_tournament_stay(other: dict[str, str], since: date, stays: bool) -> None:
    pairing = replace(published()[FIRST], **other)
    kept = {BoardName("Hall A", "9"): pairing}
    assert (letters(published(), kept, since).get(BoardName("Hall A", "9"), pairing) == pairing) == stays
    assert letters({}, kept, since) == dict.fromkeys(kept)


@pytest.mark.parametrize(
    ("ranges", "number", "board"),
    [
        ([], 7, "Hall A/7"),
        (["1-20=Hall B"], 7, "Hall B/7"),
        (["1-20=Hall B"], 21, "Hall A/21"),
        (["21-40=Hall B/1"], 23, "Hall B/3"),
        (["1=Stage/left"], 1, "Stage/left"),
    ],
)
def test_boards_are_mapped(ranges: list[str], number: int, board: str) -> None:
    assert str(read_board_map(ranges, "Hall A").board(number)) == board


@pytest.mark.parametrize(
    "ranges", [["x"], ["1-20"], ["1-2=Hall/left"], ["1=A/1", "2=A/1"], ["0=A"], ["1=A/b/c"]]
)
def test_ranges_that_are_none(ranges: list[str]) -> None:
    with pytest.raises(CompanionError, match=r"board|number"):
        read_board_map(ranges)


def test_a_board_without_a_place_is_told() -> None:
    with pytest.raises(RoundError, match="board 7 has no place"):
        read_board_map(["1-6=A"]).board(7)


def test_two_pairs_share_no_board() -> None:
    with pytest.raises(RoundError, match="Hall A/1"):
        placed((PAIRS[0], PAIRS[0]), PLAN, HALL_A, TODAY)


def test_a_pairing_becomes_the_game_that_a_table_proposes() -> None:
    assert proposal_of(published()[FIRST], FIRST) == Propose(
        "chess",
        {
            "white": "Ann", "black": "Bo", "event": "Club", "place": "Hall A", "round": "3", "board": "1",
            "pairing": f"{digest(PAIRS[0])}-2026-03-01", "clock": "10:00+5",
        },
    )  # fmt: skip
    assert proposal_of(None, FIRST) == Propose()


@pytest.mark.parametrize("values", [{"game": "ludo"}, {"clock": "soon"}])
def test_a_pairing_without_a_game_is_none(values: dict[str, str]) -> None:
    with pytest.raises(WireError, match="no game can begin"):
        proposal_of(Pairing("3", {}, **values), FIRST)


HEAD = {"white": "Ann", "black": "Bo", "round": "3", "board": "1", "pairing": published()[FIRST].id}


def played(winner: str | None, plies: int, *, is_over: bool = True, **head: str) -> PlayedGame:
    return PlayedGame(FIRST, {**HEAD, **head}, ("white", "black"), plies, winner, is_over)


@pytest.mark.parametrize(
    ("game", "score"),
    [
        (played("white", 40), Score.WIN),
        (played("black", 40), Score.LOSS),
        (played(None, 40), Score.DRAW),
        (played(None, 40, is_over=False), Score.OPEN),
        (played("black", 0), Score.FORFEIT_LOSS),
        (played("white", 0), Score.FORFEIT_WIN),
        (played("white", 1), Score.SHORT_WIN),
        (played(None, 0), Score.SHORT_DRAW),
    ],
)
def test_scores(game: PlayedGame, score: Score) -> None:
    assert game.score is score
    assert scored(PAIRS, [game], TODAY) == (
        Pair(1, "Ann", "Bo", 3, score),
        PAIRS[1],
    )


def test_of_several_games_the_last_counts_and_earlier_tournaments_do_not() -> None:
    again = played("black", 30, pairing=f"{HEAD['pairing']}-1")
    assert scored(PAIRS, [played("white", 40), again], TODAY)[0].score is Score.LOSS
    assert scored(PAIRS, [played("white", 40)], NEXT_WEEK)[0].score is Score.OPEN
    assert scored(PAIRS, [played("white", 40, pairing="else")], TODAY)[0].score is Score.OPEN


def test_a_score_that_the_file_has_stays() -> None:
    pair = Pair(1, "Ann", "Bo", 3, Score.DRAW)
    assert scored([pair], [played("white", 40)], TODAY) == (pair,)


def test_players_who_exchanged_their_places_have_each_their_own_result() -> None:
    exchanged = played("white", 40, white="Bo", black="Ann")
    assert scored(PAIRS, [exchanged], TODAY)[0].score is Score.LOSS
    assert scored(PAIRS, [replace(exchanged, winner=None)], TODAY)[0].score is Score.DRAW


CHANGED = {"white": "Cy", "black": "Di"}
"""The head of a game that was begun for the first pair, and played by the second."""


def test_a_game_is_of_the_pair_that_its_head_names() -> None:
    """It counts so only as long as that pair has no game of its own, and of the round that the head names."""
    assert by_pair(PAIRS, [played("white", 40, **CHANGED)]) == {PAIRS[1]: [played("white", 40, **CHANGED)]}
    own = played(None, 40, **CHANGED, pairing=published()[SECOND].id)
    claims = [played("white", 40, **CHANGED), own]
    assert by_pair(PAIRS, claims) == {PAIRS[1]: [own], None: claims[:1]}
    of_another_round = played("white", 40, **CHANGED, round="2")
    assert by_pair(PAIRS, [of_another_round]) == {PAIRS[0]: [of_another_round]}
    renumbered = (Pair(4, "Ann", "Bo", 3),)
    assert by_pair(renumbered, [played("white", 40)]) == {renumbered[0]: [played("white", 40)]}
    twins = (PAIRS[0], Pair(9, "Ann", "Bo", 3))
    assert by_pair(twins, [played("white", 40)]) == {PAIRS[0]: [played("white", 40)]}


STATE = BoardState(
    head=HEAD, game=Game(players=("white", "black")), last=Ply(n=12), outcome=Outcome("white", "checkmate")
)


def test_games_are_read_of_states_and_of_an_archive() -> None:
    assert of_state(FIRST, STATE) == played("white", 12)
    assert of_state(FIRST, replace(STATE, outcome=None, last=None)) == played(None, 0, is_over=False)
    assert of_state(FIRST, BoardState()) is None
    row = GameRow(
        GameKey("c0ffee", 1), FIRST, "chess", HEAD, 0.0, 12, "white", "checkmate", ("white", "black")
    )
    assert of_row(row) == replace(played("white", 12), began=date(1970, 1, 1))
    assert played("white", 12).pair == Pair(1, "Ann", "Bo", 3, Score.WIN)
    assert played("white", 12, round="").pair is None
