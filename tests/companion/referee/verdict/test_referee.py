"""The referee: what boards mean for a game, from nothing but evidence."""

from dataclasses import replace
from itertools import count
from random import Random

import pytest

from benchmarks.simulation.players import BREAKS, Hands, end_turn, opening, play_on, turn_of
from benchmarks.simulation.senses import Senses
from benchmarks.simulation.trials import fewest_steps, is_told, play, take_step
from companion.core.game import EMPTY, Look, Place
from companion.games.text import read_game, replay, split
from companion.record.session import Session, begin
from companion.referee import Belief, Evidence, Finding, Referee
from companion.referee.evidence.looks import bare
from companion.referee.evidence.timeline import HandlingTimeline
from companion.referee.hypotheses.choices import answerer, choices, keep_answered
from companion.referee.search.limits import STILL, THOROUGH, WHOLE_TURN, Limits
from companion.sensing.observation import Observation, Reading
from tests.companion.referee.patience import PATIENT
from tests.samples import few, first_few

TURNS = (
    "triune", "chess", "magnet", "trid", "escape", "ternion_factor", "ternion_spaces", "teleporters",
    "draughts", "draughts variant=international",
)  # fmt: skip
GAMES = (*TURNS, "queens")
ADDED = "ternion_factor e4 g7 h5 d7 d10 j9 c4 f6 f9 h3 j6 f3 f6-g6 h5-g6-h7 +c5 +i5"
CARRIED = (
    "ternion_spaces players=2 c8 h4 c5 i8 i3 g8 e7 h6 i3-I4-h4-i5 +f3 +g6 ~f3>e4 end"  # h4 to e9 comes next
)
PROMOTION = "chess a2a4 b7b5 a4b5 a7a6 b5a6 b8c6 a6a7 c6b8"


def session_of(text: str) -> Session:
    game, actions = split(text)
    return play(begin(game), actions)


def observe(session: Session, looks: dict[Place, Look]) -> Observation:
    places = (*session.game.board.sites, *session.game.board.places)
    known = session.rules.looks(session.position)
    seen = {p: read(looks.get(p, EMPTY), known) for p in places}
    return Observation(0.0, seen)


def look_at(session: Session, looks: dict[Place, Look], timeline: HandlingTimeline | None = None) -> Evidence:
    lay = frozenset(p for p, look in session.rules.look(session.position).items() if "+" in look)
    return Evidence(observe(session, looks), timeline=timeline or HandlingTimeline({}), laid=lay)


def read(look: Look, known: tuple[Look, ...]) -> Reading:
    return Reading({n: 0.0 if n == look else -8.0 for n in known}, -9.0 if look in known else 0.0)


def occupied(session: Session, places: set[Place], touched: set[Place]) -> Evidence:
    seen = {
        p: Reading({EMPTY: -5.0}, 0.0) if p in places else Reading({EMPTY: 0.0}, -5.0)
        for p in session.game.board.sites
    }
    lifted, placed = dict.fromkeys(touched, 1.0), dict.fromkeys(touched & places, 2.0)
    timeline = HandlingTimeline({}, frozenset(touched), lifted, placed)
    return Evidence(Observation(0.0, seen), timeline=timeline)


def judge(session: Session, looks: dict[Place, Look], whole: bool = False) -> Finding:
    referee = replace(PATIENT, limits=WHOLE_TURN if whole else Limits())
    return referee.judge(Belief(session), look_at(session, looks))


def test_a_board_is_explained_as_it_is_judged_or_not_at_all() -> None:
    session = session_of("triune a2-a3")
    after, belief = play_on(session, 1, Random(1)), Belief(session)
    played = look_at(session, dict(after.look))
    explained, judged = PATIENT.explain(belief, played), PATIENT.judge(belief, played)
    assert explained is not None
    assert (explained.kind, explained.played) == (judged.kind, judged.played) == ("played", after.actions[1:])
    looks = dict(session.look)
    looks["d5"] = looks.pop("a1")
    refused = look_at(session, looks)
    assert PATIENT.judge(belief, refused).kind == "refused"
    assert PATIENT.explain(belief, refused) is None


@pytest.mark.parametrize("head", GAMES)
@pytest.mark.parametrize("seed", first_few(1, range(3)))
def test_each_action_is_found_from_its_board(head: str, seed: int) -> None:
    session = play_on(opening(head, Random(seed)), 12 + seed, Random(seed))
    for n in range(8):
        after = play_on(session, 1, Random(n))
        looks = dict(after.rules.look(after.position))
        found = judge(session, looks)
        told = found.belief.accepted
        assert after.rules.look(told.position) == looks
        believed = [s for s, _ in found.belief.all()]
        assert any(is_told(s, after) for s in believed)
        session = after


@pytest.mark.parametrize("head", TURNS)
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_turn_is_found_from_the_boards_before_and_after_it(head: str, seed: int) -> None:
    rng = Random(seed)
    session = end_turn(play_on(opening(head, rng), 14, rng), rng)
    after = play(session, turn_of(session, rng))
    found = judge(session, dict(after.rules.look(after.position)), whole=True)
    assert any(is_told(s, after) for s, _ in found.belief.all())


@pytest.mark.parametrize("name", BREAKS)
@pytest.mark.parametrize("head", ["triune", "chess"])
def test_an_illegal_change_is_refused_by_a_broken_rule_and_put_right(head: str, name: str) -> None:
    rng = Random(name)
    session = play_on(opening(head, rng), 10, rng)
    looks = BREAKS[name](Hands(session, rng))
    if looks is None:
        pytest.skip("these hands cannot do that in this game")
    found = judge(session, looks)
    if found.kind == "begun":
        assert all(not play(session, begun.done).judge(begun.action) for begun in found.begun)
        return
    if found.kind != "refused":
        assert found.belief.accepted.rules.look(found.belief.accepted.position) == looks
        return
    before = play(session, found.after)
    broken = {b.rule for b in before.judge(found.attempt)} if found.attempt else set()
    assert {b.rule for b in found.breaches} <= broken | {"GEN-2", "GEN-4"}
    are_two = any("Two pieces were moved" in breach.words for breach in found.breaches)
    stands = session if are_two else before  # what was allowed may stand
    should = dict(stands.rules.look(stands.position))
    seen = look_at(session, looks).seen(should)
    assert len(found.steps) == fewest_steps(should, seen)
    aside: dict[Place, Look] = {}
    for step in found.steps:
        take_step(looks, step, aside)
    assert looks == should


@pytest.mark.parametrize("count", few(range(1, 11), 3))
@pytest.mark.parametrize("head", ["triune", "trid", "escape"])
def test_actions_are_taken_back_by_moving_the_pieces_back(head: str, count: int) -> None:
    session = play_on(opening(head, Random(5)), 16, Random(5))
    before = session.positions()[-1 - count]
    found = judge(session, dict(session.rules.look(before)))
    assert len(found.played) < count
    assert found.belief.accepted.rules.look(found.belief.accepted.position) == session.rules.look(before)
    assert found.withdrawn <= count


@pytest.mark.parametrize(
    ("first", "second"),
    [("a2-a3 b7-b6 c2-c3", ("a2-a3", "c2-c3")), ("c2-c3 b7-b6 a2-a3", ("c2-c3", "a2-a3"))],
)
def test_quick_actions_come_in_the_order_in_which_they_were_seen(first: str, second: tuple[str, str]) -> None:
    session = session_of("triune")
    _, position, actions = replay(f"triune {first}")
    since = {place: n for n, action in enumerate(actions) for place in session.rules.path(action)}
    found = PATIENT.judge(
        Belief(session), look_at(session, session.rules.look(position), HandlingTimeline(since))
    )
    assert (found.played[0], found.played[2]) == second


def test_markers_need_not_be_laid() -> None:
    rng = Random(2)
    session = opening("ternion_factor", rng)
    while not any("+" in look for look in session.rules.look(session.position).values()):
        session = play_on(session, 1, rng)
    marked = session.rules.look(session.position)
    looks = {p: bare for p, look in marked.items() if (bare := look.split("+")[0])}
    assert judge(session, looks).kind == "same"


def test_touches_tell_which_piece_was_taken() -> None:
    session = session_of("chess e2e4 d7d5 b1c3 b7b5")
    places = set(session.rules.look(session.position)) - {"c3"}
    for taken in ("d5", "b5"):
        found = PATIENT.judge(Belief(session), occupied(session, places, {"c3", taken}))
        assert found.played == (f"c3{taken}",)


def test_a_disc_that_was_lifted_and_put_back_is_asked_about() -> None:
    session = session_of("triune a2-a3 b7-b6")
    everything = set(session.rules.look(session.position))
    found = PATIENT.judge(Belief(session), occupied(session, everything, {"c2"}))
    assert found.played == ("c2~",)
    assert found.choices == (("c2~",), ())
    assert answerer(found.belief) == "red"
    assert keep_answered(found.belief, ()).accepted.actions == session.actions
    assert keep_answered(found.belief, ("c2~",)).accepted.actions == (*session.actions, "c2~")


def test_a_change_that_nobody_felt_is_not_believed() -> None:
    session = session_of("triune a2-a3")
    lifted = set(session.rules.look(session.position)) - {"b8"}
    assert PATIENT.judge(Belief(session), occupied(session, lifted, {"b8"})).kind in ("begun", "unclear")


def test_a_takeback_on_touches_alone_is_none() -> None:
    session = session_of("triune a2-a3 b7~")
    everything = set(session.rules.look(session.position))
    assert PATIENT.judge(Belief(session), occupied(session, everything, {"b7"})).kind == "same"


def test_a_promotion_is_asked_and_settled() -> None:
    session = session_of(PROMOTION)
    looks = dict(session.rules.look(session.position))
    looks["b8"] = looks.pop("a7")
    found = judge(session, looks)
    assert found.played == ("a7b8q",)
    assert {c[0] for c in found.choices} == {"a7b8q", "a7b8r", "a7b8b", "a7b8n"}
    assert keep_answered(found.belief, ("a7b8n",)).accepted.actions[-1] == "a7b8n"
    assert choices(keep_answered(found.belief, ("a7b8n",))) == ()


def test_a_piece_moved_out_of_turn_is_named_as_that() -> None:
    session = session_of("triune")
    looks = dict(session.rules.look(session.position))
    looks["b6"] = looks.pop("b7")
    found = judge(session, looks)
    assert (found.kind, found.reason, found.attempt) == ("refused", "turn", "b7-b6")
    assert found.words == "It is Red's turn: move or flip one piece."


@pytest.mark.parametrize("kind", ["colours", "occupancy"])
def test_simulated_sensors_report_the_looks_of_the_board(kind: str) -> None:
    senses = Senses(read_game("triune"), kind, Random(1), rate=0.0)
    readings = senses.readings({"a1": "red/solid"}, blind=["h8"])
    assert readings["a2"].best() == EMPTY
    assert readings["a1"].best() == ("red/solid" if kind == "colours" else None)
    assert "h8" not in readings


def test_actions_that_may_have_come_in_another_order_are_all_held() -> None:
    """Which of two white moves came first is seen by nobody; only the counters of chess tell."""
    session = session_of("chess")
    after = play(session, ("e2e3", "a7a6", "g1f3"))
    found = judge(session, dict(after.rules.look(after.position)))
    held = {s.actions for s, _ in found.belief.all()}
    assert {("e2e3", "a7a6", "g1f3"), ("g1f3", "a7a6", "e2e3")} <= held


def test_moves_there_and_back_are_not_asked_about() -> None:
    session = session_of("jump_to_center")
    after = play_on(session, 2, Random(5))
    found = judge(session, dict(after.rules.look(after.position)))
    assert all(len(choice) <= 2 for choice in found.choices)
    assert () not in found.choices


def test_rivals_are_taken_back_with_the_accepted_session() -> None:
    session = session_of("magnet values=declared")
    after = play(session, ("@a6", "a5+"))
    turn = judge(session, dict(after.rules.look(after.position)))
    assert {s.actions[-1] for s, _ in turn.belief.all()} >= {"a5", "a5+"}
    further = play(turn.belief.accepted, (next(iter(after.rules.legal(turn.belief.accepted.position))),))
    rivals = tuple((play(s, further.actions[-1:]), cost) for s, cost in turn.belief.rivals)
    looks = dict(after.rules.look(after.position))
    back = PATIENT.judge(Belief(further, rivals), look_at(further, looks))
    assert back.kind == "takeback"
    assert {s.actions[-1] for s, _ in back.belief.all()} >= {"a5", "a5+"}


@pytest.mark.parametrize("head", ["triune", "trid", "ternion_factor", "teleporters"])
def test_a_piece_on_a_wrong_place_is_refused_and_nothing_invented(head: str) -> None:
    """No story of pieces that go away and come back is made up to explain it."""
    rng = Random(head)
    session = play_on(opening(head, rng), 12, rng)
    hands = Hands(session, rng)
    looks = hands.without(hands.looks, hands.pick(own=False))
    assert looks is not None
    found = judge(session, looks)
    assert found.kind == "refused" or found.played == ()


@pytest.mark.parametrize(
    ("text", "start", "end", "rules"),
    [
        ("teleporters", "d1", "d4", ["TP-3"]),
        ("teleporters d1-d3", "d3", "d5", ["TP-2"]),
        ("teleporters d1-d3 e1-e3", "f1", "f2", ["TP-1"]),
        ("teleporters", "e8", "e6", ["GEN-2"]),
        ("teleporters d1-d3 end", "e1", "e3", ["GEN-2"]),
    ],
    ids=["too far", "twice", "one too many", "another player's", "after the turn"],
)
def test_no_passed_turn_is_made_up_for_a_slip(text: str, start: Place, end: Place, rules: list[str]) -> None:
    session = session_of(text)
    looks = {place: look for place, look in session.look.items() if place != start}
    found = judge(session, looks | {end: session.look[start]})
    assert (found.kind, [breach.rule for breach in found.breaches]) == ("refused", rules)


@pytest.mark.parametrize("action", ["e7-d7", "e7-e8"])
def test_a_pawn_whose_way_no_marker_shows_went_the_shortest(action: str) -> None:
    """Over the diamond E7 it may also have gone."""
    session = session_of("ternion_spaces players=2 i5 g8 c6 e9 e7 c4 i7 g6")
    after = session.rules.play(session.position, action).position
    pieces = {place: bare(look) for place, look in session.rules.look(after).items()}
    assert judge(session, pieces).played == (action,)


def test_no_bounce_is_made_up_for_a_port_that_glides_to_a_portpad() -> None:
    """It might have struck a Port farther on, and been put there by its owner."""
    session = session_of("teleporters f3ne-h3 c3nw@ne end end")
    after = session.rules.play(session.position, "c3ne-f3").position
    assert judge(session, dict(session.rules.look(after))).played == ("c3ne-f3",)


def test_an_owed_port_on_the_right_portpad_is_only_to_be_turned() -> None:
    session = session_of("teleporters e1-e3 c1-c3 c3nw@ne b2nw-f2 end d1-d3 e3-e5 f3ne-f6")
    found = judge(session, dict(session.look) | {"b2ne": "south/port"})
    assert (found.kind, found.attempt) == ("begun", "port:b2")
    assert [(step.start, step.end) for step in found.steps] == [("b2ne", "b2nw")]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("ternion_factor pawns=4 f8 h3 c5 f4 j10 g10 e10 e6", "e10", "c3"),
        ("ternion_spaces f6 h3 c5 e3 h8 i6 d9 f8", "f6", "i9"),
    ],
)
def test_no_ternion_is_made_up_for_a_pawn_that_was_carried_too_far(
    text: str, start: Place, end: Place
) -> None:
    """It may make a ternion on its way, be removed there, and another be added where it was put."""
    session = session_of(text)
    looks = {place: look for place, look in session.look.items() if place != start}
    assert judge(session, looks | {end: session.look[start]}).kind == "refused"


@pytest.mark.parametrize(
    ("text", "path", "captured"),
    [
        ("draughts fen=W:W18:B15,1", "d4 f6", ["e5"]),
        ("draughts fen=W:W18:B15,8", "d4 h8", ["e5", "g7"]),
        ("chess e2e4 a7a6 e4e5 d7d5", "e5 d6", ["d5"]),
    ],
)
def test_a_capture_is_not_finished_before_the_captured_pieces_are_off_the_board(
    text: str, path: str, captured: list[Place]
) -> None:
    session, (start, end) = session_of(text), path.split()
    looks = {place: look for place, look in session.look.items() if place != start}
    found = judge(session, looks | {end: session.look[start]})
    assert found.kind == "begun"
    assert sorted((step.start, step.end) for step in found.steps) == [(place, None) for place in captured]
    assert str(found.words).startswith("Captured, and still on the board")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("draughts fen=W:W18:B15,1", "d4", "The white man is missing on 18."),
        ("draughts fen=W:W18:BK15,1", "e5", "The black king is missing on 15."),
        ("chess e2e4 d7d5", "d5", "The black pawn is missing on d5."),
        ("chess", "g1", "The white knight is missing on g1."),
    ],
)
def test_a_piece_that_is_gone_is_called_by_its_kind(text: str, place: Place, words: str) -> None:
    session = session_of(text)
    found = judge(session, {there: look for there, look in session.look.items() if there != place})
    assert str(found.words).startswith(words)


MASTER_IN_REACH = (
    "trid a8-b8 j6-i6 b8-c10 i6-i5 a7-a9 j5-i7 c10-b10 j7-i8 a9-b9 j4-i6 b9-a7 j8-j7 a6-b6 j7-j6 a5-a6 a6%b6 "
    "i6-i4 a6-a5 j6-j11 a7-b7 i8-j6 a5-b5"
)


def test_what_a_capture_ends_is_said_before_its_pieces_are_off_the_board() -> None:
    session = session_of(MASTER_IN_REACH)
    looks = {place: look for place, look in session.look.items() if place != "j11"}
    found = judge(session, looks | {"b5": session.look["j11"]})
    assert found.kind == "begun"
    assert found.words == (
        "Captured, and still on the board: a4, b10, b6 and b7. "
        "Black has lost the master and is out of the game. Blue wins: no opponent is left."
    )


OPENED = "ternion_spaces e4 i6 i9 d7 f9 h4 g7 c4"
"""After the placements: black's first turn."""


def unmarked(session: Session) -> dict[Place, Look]:
    """The board of players who lay no markers."""
    looks = session.rules.look(session.position)
    return {p: bare(look) for p, look in looks.items() if bare(look) != EMPTY}


def test_stories_from_which_the_same_may_follow_are_one() -> None:
    """Which crossings the markers lie on makes no difference once all three are laid."""
    step, over = session_of(f"{OPENED} c4-c3"), session_of(f"{OPENED} c4-D4-c3")
    future = step.rules.future
    assert future(step.position) != future(over.position)
    step, over = play(step, ("d7-D9-d8",)), play(over, ("d7-d8",))
    assert step.position != over.position
    assert future(step.position) == future(over.position)


def test_markers_that_are_seen_tell_ways_apart_from_which_the_same_may_follow() -> None:
    session = session_of(OPENED)
    for way in ("c4-D4-e4-d4", "c4-D4-e4-d5", "d7-D9-d8"):
        after = play(session, (way,))
        looks, on = dict(after.rules.look(after.position)), after.rules.marks(after.position)
        found = PATIENT.judge(Belief(session), marked(session, looks, on, frozenset()))
        assert found.belief.accepted.actions[-1] == way


def test_markers_that_were_seen_speak_against_a_rereading() -> None:
    """A move marker showed how a pawn went; that is not forgotten when the marker is gone."""
    start = "ternion_factor f3 f9 i8 c4 h7 h10 i3 e8 j5 c8 e6 g5 e8-f8 h10-h9 h7-g6 end c4-c5 i8-j9 j5-j6 end"
    turns = "c5-d6 g6-g5-f6 T:e6,f6,g5 -f6 +c4 +j10 end j9-j8 h9-h8 f8-e8 end f3-g4"
    belief, laid = Belief(session_of(f"{start} {turns}")), frozenset[str]()
    for action in ("j10-j9", "i3-j3", "end"):
        after = play(belief.accepted, (action,))
        looks, on = dict(after.rules.look(after.position)), after.rules.marks(after.position)
        belief = PATIENT.judge(belief, marked(after, looks, on, laid)).belief
        laid = on or laid
    assert belief.accepted.actions[-3:] == ("j10-j9", "i3-j3", "end")
    found = PATIENT.judge(belief, marked(belief.accepted, {**looks, "e3": "black"}, on, laid))
    assert (found.kind, found.attempt) == ("refused", "+e3")


@pytest.mark.parametrize("count", [0, 4])
def test_markers_that_lie_wrong_either_way_are_no_reason_to_refuse(count: int) -> None:
    """What a camera takes for markers lies there too if hands broke the rules."""
    before = session_of(AMID_TERNION)
    moved = play(before, ("f8-g7-g6",))
    owing = play(moved, ("-g6",))
    after = play(owing, ("+j10",))
    spots = [spot for spot in owing.game.board.marks if spot not in after.rules.marks(after.position)]

    def see(session: Session, looks: dict[Place, Look]) -> Finding:
        return PATIENT.judge(Belief(session), marked(session, looks, frozenset(spots[:count]), frozenset()))

    assert see(owing, unmarked(after)).played == ("+j10",)
    assert see(moved, unmarked(before)).belief.accepted.actions == before.actions
    assert see(owing, {**unmarked(owing), "c4": EMPTY}).kind == "refused"


@pytest.mark.parametrize("are_laid", [False, True])
def test_a_pawn_that_is_carried_is_no_whole_turn_where_players_lay_markers(are_laid: bool) -> None:
    """Moved, removed there and added: of three actions in one still their markers would tell."""
    session = session_of(CARRIED)
    looks = {**unmarked(session), "h4": EMPTY, "e9": session.look["h4"]}
    evidence = Evidence(observe(session, looks), are_markers_laid=are_laid)
    found = replace(PATIENT, limits=STILL).judge(Belief(session), evidence)
    assert (found.kind == "played") is not are_laid


def marked(session: Session, looks: dict[Place, Look], on: frozenset[str], laid: frozenset[str]) -> Evidence:
    """A board with move markers on these spots, where others were seen before."""
    marks = {spot: 4.0 if spot in on else -4.0 for spot in session.game.board.marks}
    return Evidence(replace(observe(session, looks), marks=marks), laid=laid)


def test_a_move_that_refuted_a_rival_may_be_taken_back() -> None:
    """After one more move it makes no difference by which way the first went; without it, it does."""
    session = session_of(OPENED)
    first = play(session, ("c4-c3",))
    second = play(first, ("d7-D9-d8",))
    ways = {"c4-c3", "c4-D4-c3"}
    held = judge(session, unmarked(first)).belief
    assert ways <= {s.actions[-1] for s, _ in held.all()}
    held = PATIENT.judge(held, look_at(first, unmarked(second))).belief
    back = PATIENT.judge(held, look_at(first, unmarked(first)))
    assert back.kind == "takeback"
    assert ways <= {s.actions[-1] for s, _ in back.belief.all()}


def test_an_answer_is_not_asked_for_again_when_pieces_go_back() -> None:
    session = session_of(PROMOTION)
    after = play(session, ("a7b8n",))
    found = judge(session, dict(after.rules.look(after.position)))
    belief = keep_answered(found.belief, ("a7b8n",))
    reply = play(belief.accepted, ("h7h6",))
    looks = dict(reply.rules.look(reply.position))
    further = PATIENT.judge(belief, look_at(after, looks)).belief
    back = PATIENT.judge(further, look_at(reply, dict(after.rules.look(after.position))))
    assert [s.actions[-1] for s, _ in back.belief.all()] == ["a7b8n"]


def test_a_question_offers_the_truth_however_unlikely() -> None:
    """Neither of two promotions is likely; that the first was one leaves the second open."""
    session = session_of(PROMOTION)
    queen, rook, knight = (play(session, (f"a7b8{kind}", "h7h6")) for kind in "qrn")
    later = play(session, ("a7b8r", "g7g6"))
    found = choices(Belief(queen, ((rook, 0.5), (later, 2.5), (knight, 2.0))))
    assert found == (("a7b8q",), ("a7b8r",))
    assert later in [s for s, _ in keep_answered(Belief(queen, ((rook, 0.5), (later, 2.5))), found[1]).all()]


def test_markers_that_are_not_laid_speak_against_nothing() -> None:
    session = session_of(f"{AMID_TERNION} f8-g7-g6 -g6")
    assert any("+" in look for look in session.rules.look(session.position).values())
    evidence = Evidence(observe(session, unmarked(session)))
    assert evidence.board_misfit(session.rules.look(session.position)) == 0.0


AMID_TERNION = (
    "ternion_factor e4 g7 h5 d7 d10 j9 c4 f6 f9 h3 j6 f3 f6-g6 h5-g6-h7 +c5 +i5 end h7-g7-f8 g6-h5 end"
)


@pytest.mark.parametrize("laid", [True, False])
def test_actions_that_a_ternion_owes_belong_to_its_move(laid: bool) -> None:
    """The pawn that moved is removed and another added: two places change by three actions. A marker tells of
    it, or that it was seen on its way."""
    session = session_of(AMID_TERNION)
    after = play(session, ("f8-g7-g6", "-g6", "+j10"))
    looks = dict(after.rules.look(after.position)) if laid else unmarked(after)
    timeline = HandlingTimeline({} if laid else {"f8": 1.0, "g6": 2.0, "j10": 3.0})
    found = PATIENT.judge(Belief(session), look_at(session, looks, timeline))
    assert found.played == ("f8-g7-g6", "-g6", "+j10")


def test_a_magnet_that_is_gone_again_makes_no_story_unlikely() -> None:
    session = session_of("magnet =423423TK2t43 =442333tTK422 @h4 h9+")
    after = play(session, ("@a2", "g1", "@g1"))
    assert judge(session, dict(after.rules.look(after.position))).played == ("@a2", "g1", "@g1")


TRAPPED = (
    "magnet values=declared @a3 i8+ @k5 b1+ @e5 e10 a5+ @d4 i1 d1+ @d2 a2 d9+ @d1 k3+ e1+ @i1 a4+ @f3 d1+ h1+"
    " j3 @j4 d8+ j7+"
)


def test_each_secret_that_would_look_alike_is_held() -> None:
    """A piece that is gone with what it took met one of two traps: what nobody can see is a choice too."""
    session = session_of(TRAPPED)
    after = play(session, ("@h8", "h3+", "k5+", "reveal:T"))
    hasty = replace(PATIENT, limits=Limits(rest=50))
    held = hasty.judge(Belief(session), look_at(session, dict(after.rules.look(after.position)))).belief.all()
    assert {a for s, _ in held for a in s.actions if a.startswith("reveal")} == {"reveal:t", "reveal:T"}


def test_variants_are_found_when_time_is_short() -> None:
    """A search that takes all its time still has some left for ways that nobody sees."""
    session = session_of(TRAPPED)
    after = play(session, ("@h8", "h3+", "k5+", "reveal:T"))
    ticks = count()
    hasty = Referee(THOROUGH, clock=lambda: next(ticks) / 250)
    found = hasty.judge(Belief(session), look_at(session, dict(after.rules.look(after.position))))
    assert not found.is_exhaustive
    assert {s.actions[-3] for s, _ in found.belief.all()} == {"h3", "h3+"}


def test_a_magnet_that_is_gone_again_may_have_stood_elsewhere() -> None:
    """Three places of the magnet move these pieces so, and none of them tells which it was."""
    before = "magnet =22t34K443T23 =43224t233K4T @d7 b7 @k2 e1 @a1 a2+ @d2 f2 c1 k4+ @g8 g10 d9+ i8+ a3"
    session = session_of(before)
    after = play(session, ("@e10", "e2"))
    hasty = replace(PATIENT, limits=Limits(rest=90))
    held = hasty.judge(Belief(session), look_at(session, dict(after.rules.look(after.position)))).belief.all()
    assert {s.actions[-2] for s, _ in held} == {"@e3", "@e9", "@e10"}


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("chess", ("e2e4", "d7d5", "g1f3", "b8c6", "h2h3")),
        ("ternion_factor j8", ("c3", "c7", "g5")),
        ("triune", ("a2~", "b7~", "c2~")),
    ],
)
def test_several_turns_that_nobody_saw_are_caught_up_with(text: str, actions: tuple[str, ...]) -> None:
    session = session_of(text)
    after = play(session, actions)
    found = judge(session, dict(after.rules.look(after.position)))
    assert any(is_told(s, after) for s, _ in found.belief.all())


@pytest.mark.parametrize(
    ("text", "actions", "start", "end", "is_ahead"),
    [
        ("triune", ("a2-a3",), "a2", "a3", True),
        ("triune", ("a2-a3",), "a3", "a2", False),
        (PROMOTION, ("a7b8q",), "a7", "b8", False),
        (ADDED, ("~c5>c7", "end"), "c5", "c7", True),  # its marker is taken off as the turn ends
    ],
)
def test_a_piece_seen_where_it_went_before_it_left_is_doubtful(
    text: str, actions: tuple[str, ...], start: Place, end: Place, is_ahead: bool
) -> None:
    """Unless it is of another kind: a queen may come from beside the board before the pawn is gone."""
    session = session_of(text)
    after = play(session, actions)
    timeline = HandlingTimeline({end: 1.0, start: 2.0})
    found = PATIENT.judge(Belief(session), look_at(session, dict(after.rules.look(after.position)), timeline))
    assert found.played[0] == actions[0]
    assert found.is_ahead is is_ahead


def test_a_ternion_that_is_chosen_carries_no_piece() -> None:
    """The pawns that form it have stood there for long, but for the one that moved."""
    session = session_of(
        "ternion_factor f9 c10 g4 d6 c8 h8 j4 i10 e5 j8 c3 e3"
        " f9-e9 d6-d5 c3-c4 -e5 +f9 +e8 end c4-d5-d6 c8-c9 end"
    )
    after = play(session, ("c9-d8",))
    timeline = HandlingTimeline({"e8": 0.1, "e9": 0.2, "f9": 0.3, "c9": 2.0, "d8": 2.1})
    found = PATIENT.judge(Belief(session), look_at(session, dict(after.rules.look(after.position)), timeline))
    held = {session.actions[-1] for session, _ in found.belief.all()}
    assert held >= {"T:d8,e8,e9", "T:d8,e9,f9"}


def test_a_place_that_another_piece_took_does_not_tell_when_it_was_left() -> None:
    session = session_of("chess e2e4 d7d5")
    actions = ("e4d5", "d8d5")
    after = play(session, (*actions, "d1e2"))
    timeline = HandlingTimeline({"d5": 1.0, "e4": 0.5, "d8": 1.0, "d1": 2.0, "e2": 2.5})
    quick = session_of("triune")
    followed = play(quick, ("a2-a3", "a7-a6", "a1-a2"))
    taken = HandlingTimeline({"a3": 1.0, "a7": 2.0, "a6": 2.2, "a1": 3.0, "a2": 3.2})
    for before, end, seen in ((session, after, timeline), (quick, followed, taken)):
        looks = dict(end.rules.look(end.position))
        found = PATIENT.judge(Belief(before), look_at(before, looks, seen))
        assert is_told(found.belief.accepted, end)
        assert not found.is_ahead


def test_the_second_of_two_actions_is_the_offence_where_the_first_was_allowed() -> None:
    session = session_of("triune")
    looks = dict(session.rules.look(session.position))
    looks["a3"], looks["c3"] = looks.pop("a2"), looks.pop("c2")
    found = judge(session, looks)
    assert (found.kind, found.after, found.attempt) == ("refused", ("a2-a3",), "c2-c3")
    further = play(session, found.after)
    assert [b.rule for b in found.breaches] == [b.rule for b in further.judge("c2-c3")] == ["TR-1"]
    assert found.breaches[0].words == "Two pieces were moved: put one of them back."


@pytest.mark.parametrize(
    ("text", "changed", "facts"),
    [
        ("triune", {"d4": "blue/marked"}, "There is a marked blue piece on d4."),
        ("triune", {"a2": "blue/solid"}, "There is a solid blue piece on a2, not the solid red piece."),
        ("triune", {"d4": "green"}, "There is an unknown piece on d4."),
        (
            "teleporters",
            {"d1": EMPTY, "f3se": "south/pole"},
            "The Pole of South is missing on d1. There is a Pole of South on f3se.",
        ),
    ],
)
def test_a_change_that_is_no_action_is_said_in_words(
    text: str, changed: dict[Place, Look], facts: str
) -> None:
    session = session_of(text)
    found = judge(session, {**session.rules.look(session.position), **changed})
    assert ([b.rule for b in found.breaches], found.breaches[0].words) == (["GEN-4"], facts)
