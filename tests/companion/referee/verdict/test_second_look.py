"""The referee looks again: at what was misread, at part of a takeback, and at what touches tell."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from benchmarks.simulation.players import Hands, opening, play_on
from benchmarks.simulation.senses import Senses
from benchmarks.simulation.trials import is_told, play, reaches
from companion.core.game import EMPTY, Look, Place
from companion.games.text import read_game, split
from companion.record.session import Entry, Session, begin
from companion.referee import Belief, Evidence, Finding
from companion.referee.evidence.timeline import HandlingTimeline
from companion.referee.hypotheses.choices import choices, keep_answered
from companion.referee.hypotheses.histories import align, begins_with
from companion.referee.search.expansion import Expansion
from companion.referee.search.limits import Limits
from companion.sensing.observation import Observation, Reading
from companion.table.questions import next_question, question_after
from tests.companion.referee.boards import as_seen
from tests.companion.referee.patience import PATIENT

GAMES = (
    "triune", "chess", "trid", "escape", "ternion_factor", "ternion_spaces", "teleporters", "draughts",
)  # fmt: skip


def session_of(text: str) -> Session:
    game, actions = split(text)
    return play(begin(game), actions)


def look_of(session: Session) -> dict[Place, Look]:
    return dict(session.rules.look(session.position))


def see(session: Session, looks: dict[Place, Look], timeline: HandlingTimeline | None = None) -> Evidence:
    senses = Senses(session.game, "colours", Random(1), rate=0.0)
    return Evidence(senses.observe(looks), timeline=timeline or HandlingTimeline({}))


def feel(
    session: Session, looks: dict[Place, Look], touches: tuple[tuple[Place, bool], ...], misread: str = ""
) -> Evidence:
    """Switches that know no colours, and in which order they opened (True) and closed, a second apart."""
    seen = {
        p: Reading({EMPTY: -8.0}, 0.0) if (p in looks) != (p == misread) else Reading({EMPTY: 0.0}, -8.0)
        for p in session.game.board.sites
    }
    lifted: dict[Place, float] = {}
    placed: dict[Place, float] = {}
    for time, (place, is_lifted) in enumerate(touches):
        (lifted if is_lifted else placed)[place] = float(time)
    standing = {place: not is_lifted for place, is_lifted in touches}
    return Evidence(
        Observation(9.0, seen), timeline=HandlingTimeline({}, frozenset(standing), lifted, placed, standing)
    )


@pytest.mark.parametrize("head", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_an_illegal_change_leaves_nothing_behind_when_it_is_undone(head: str, seed: int) -> None:
    """However the board was explained that broke the rules, the truth is not lost."""
    rng = Random(f"{head} {seed}")
    truth = play_on(opening(head, rng), 16, rng)
    last = Belief(play(opening(head, Random(f"{head} {seed}")), truth.actions[:-1]))
    told = PATIENT.judge(last, see(truth, look_of(truth))).belief
    hands = Hands(truth, rng)
    wrong = hands.without(hands.looks, hands.pick(own=seed % 2 == 0))
    assert wrong is not None
    then = PATIENT.judge(told, see(truth, wrong)).belief
    assert reaches(PATIENT.judge(then, see(truth, look_of(truth))).belief, truth)


def test_a_story_of_a_misread_board_gives_way_to_the_true_one() -> None:
    """a8 was misread as gone, so that the rook seemed to have been taken back with the knight's move."""
    before = session_of("chess e2e4 e7e5")
    truth = play(before, ("g1f3", "b8c6"))
    misread = look_of(play(before, ("g1f3",)))
    first = PATIENT.judge(Belief(play(before, ("g1f3",))), see(before, {**misread, "c6": "black"}))
    assert first.kind in ("refused", "unclear")
    found = PATIENT.judge(first.belief, see(truth, look_of(truth)))
    assert found.played == ("b8c6",)


PLACED = "ternion_factor"


def told_at_once(head: str, actions: tuple[str, ...]) -> Finding:
    """Returns the finding when several actions are seen at one stop."""
    before = begin(read_game(head))
    after = play(before, actions)
    return PATIENT.judge(Belief(before), see(before, look_of(after)))


@pytest.mark.parametrize("gone", [("e5",), ("i8", "d7")])
def test_some_actions_of_one_stop_are_taken_back_in_whatever_order(gone: tuple[Place, ...]) -> None:
    told = told_at_once(PLACED, ("e5", "i8", "d7"))
    assert told.kind == "played"
    looks = {p: look for p, look in look_of(told.belief.accepted).items() if p not in gone}
    back = PATIENT.judge(told.belief, see(told.belief.accepted, looks))
    assert look_of(back.belief.accepted) == looks
    assert {*back.belief.accepted.actions} == {"e5", "i8", "d7"} - {*gone}


@pytest.mark.parametrize(
    ("margin", "is_unaided", "kind", "withdrawn"),
    [(4.0, True, "takeback", 1), (4.0, False, "begun", 0), (8.0, True, "begun", 0)],
)
def test_a_move_made_of_an_offence_and_a_phantom_is_withdrawn_with_the_phantom(
    margin: float, is_unaided: bool, kind: str, withdrawn: int
) -> None:
    """A knight was taken off, and seemed to stand where it might have gone; no hand took it from there."""
    before = session_of("chess e2e4 e7e5")
    gone = {place: look for place, look in look_of(before).items() if place != "g1"}
    senses = Senses(before.game, "colours", Random(1), rate=0.0)
    readings = senses.observe({**gone, "f3": "white"}).readings
    glimpsed = Reading({"white": 0.0, EMPTY: -margin, "black": -9.0}, -9.0)
    seen = Evidence(Observation(0.0, {**readings, "f3": glimpsed}))
    told = PATIENT.judge(Belief(before), seen).belief
    assert told.accepted.actions[-1] == "g1f3"
    found = PATIENT.judge(told, see(before, gone, HandlingTimeline({}, is_unaided=is_unaided)))
    assert (found.kind, found.withdrawn) == (kind, withdrawn)
    if withdrawn:
        left = PATIENT.judge(found.belief, see(before, gone))
        assert {begun.action[:2] for begun in left.begun} == {"g1"}


def test_some_actions_of_one_stop_are_taken_back_with_later_ones() -> None:
    """Blue's two moves came at one stop, in an order that nobody knows; then a piece went on over a place
    that is empty now as it was before."""
    before = session_of("triune c2-b3 c7~ d2-c2 a7-a6 f2-f3")
    belief = Belief(before)
    for actions in (("a6-a7", "b3-a4", "g7-g6"), ("a4-a5",), ("g6-f5",)):
        after = play(belief.accepted, actions)
        belief = PATIENT.judge(belief, see(after, look_of(after))).belief
        belief = replace(belief, accepted=after, rivals=())
    left = play(before, ("g7-g6", "b3-a4"))
    found = PATIENT.judge(belief, see(left, look_of(left)))
    assert found.belief.accepted.actions == left.actions


@pytest.mark.parametrize("moved_back", range(3))
def test_a_pawn_that_goes_back_was_taken_back(moved_back: int) -> None:
    """The other player, who may move any pawn, might move it back: that is what hands mean less often."""
    before = session_of("ternion_factor e5 i8 i10 d6 h4 g9 g6 j6 c8 f3 c3 j4")
    after = play(before, ("f3-f4", "h4-h3", "c8-c9"))
    told = PATIENT.judge(Belief(before), see(before, look_of(after)))
    moves = told.belief.accepted.actions[len(before.plies) :]
    left = moves[:moved_back] + moves[moved_back + 1 :]
    truth = play(before, left)
    back = PATIENT.judge(told.belief, see(before, look_of(truth)))
    assert back.belief.accepted.actions == truth.actions


@pytest.mark.parametrize(("timeline", "is_ahead"), [(("E7", "d7"), True), (("d7", "E7"), False)])
def test_a_piece_seen_back_before_it_left_is_as_doubtful_taken_back_as_moved_back(
    timeline: tuple[Place, Place], is_ahead: bool
) -> None:
    """In a puzzle a piece may be moved back: that is asked, however its places were seen to change."""
    before = session_of("jump_to_center")
    told = PATIENT.judge(Belief(before), see(before, look_of(play(before, ("E7-d7",)))))
    seen = HandlingTimeline({place: float(n) for n, place in enumerate(timeline)})
    back = PATIENT.judge(told.belief, see(before, look_of(before), seen))
    assert set(back.choices) == {(), ("E7-d7", "d7-E7")}
    assert back.is_ahead is is_ahead


@pytest.mark.parametrize(("certainty", "kind"), [(0.3, "takeback"), (1.0, "refused")])
def test_a_secret_that_was_merely_guessed_is_taken_back_too(certainty: float, kind: str) -> None:
    """A knocked piece seemed to capture: of what, the referee guessed; its owner has said nothing."""
    rng = Random(3)
    told = opening("magnet values=declared", rng)
    while not any(action.startswith("reveal:") for action in told.rules.legal(told.position)):
        told = play_on(told, 1, rng)
    before = play(opening("magnet values=declared", rng), told.actions[:-1])
    reveal = next(a for a in told.rules.legal(told.position) if a[-1] not in "KtT")
    told = told.apply(Entry("action", reveal, source="sensor", certainty=certainty))
    back = PATIENT.judge(Belief(told), see(told, look_of(before)))
    assert back.kind == kind
    assert back.withdrawn == (2 if kind == "takeback" else 0)


def test_three_pieces_that_are_taken_off_are_no_takeback_of_many_actions() -> None:
    """The puzzle's board is as it was thirteen actions ago: too much to be taken back without a word."""
    told = session_of("queens +a1 +b3 +c5 -a1 +d2 -d2 +d2 -d2 +d2 -d2 +d2 -d2 +d2 +a1")
    assert len(told.plies) == 14
    found = PATIENT.judge(Belief(told), see(told, look_of(session_of("queens +a1"))))
    assert (found.kind, found.withdrawn, {*found.played}) == ("played", 0, {"-b3", "-c5", "-d2"})


def test_a_piece_of_an_earlier_stop_that_is_gone_is_no_takeback() -> None:
    first = told_at_once(PLACED, ("e5", "i8")).belief
    after = play_on(first.accepted, 2, Random(1))
    later = PATIENT.judge(first, see(after, look_of(after))).belief
    looks = {p: look for p, look in look_of(later.accepted).items() if p != "i8"}
    assert PATIENT.judge(later, see(later.accepted, looks)).kind == "refused"


CARRIED = (("c2", True), ("c4", False), ("d7", True), ("d5", False))
CROSSED = (("c2", True), ("d7", True), ("d5", False), ("c4", False))
BACKWARDS = (("c4", False), ("c2", True), ("d7", True), ("d5", False))


@pytest.mark.parametrize(
    ("touches", "least", "most"),
    [(CARRIED, 0.0, 0.0), (CROSSED, 2.0, 3.0), (BACKWARDS, 9.0, 9.0), (CARRIED[:2], 18.0, 18.0)],
    ids=["one after the other", "both at once", "down before up", "not felt"],
)
def test_touches_speak_against_impossible_handling(
    touches: tuple[tuple[Place, bool], ...], least: float, most: float
) -> None:
    session = session_of("chess")
    moves = [("c2", "c4"), ("d7", "d5")]
    evidence = feel(session, look_of(session), touches)
    timeline = evidence.timeline
    doubt = timeline.crossing(moves) + sum(evidence.unfelt(m) + timeline.backwards(*m) for m in moves)
    assert least <= doubt <= most


def test_a_piece_in_somebodys_hand_stands_nowhere() -> None:
    """The switch under f3 sticks: a disc that was lifted there has not been turned over."""
    session = session_of("triune")
    place = next(p for p in look_of(session) if f"{p}~" in session.rules.legal(session.position))
    turned = feel(session, look_of(session), ((place, True), (place, False)))
    in_hand = feel(session, look_of(session), ((place, True),))
    assert (f"{place}~",) in {s.actions for s, _ in PATIENT.judge(Belief(session), turned).belief.all()}
    assert PATIENT.judge(Belief(session), in_hand).kind in ("refused", "unclear")


def test_fumbling_hands_do_not_hide_the_next_move() -> None:
    """Six pieces fell over and were set up again: the move that follows is told all the same."""
    session = session_of("chess")
    fallen = tuple(p for p in look_of(session) if p[1] in "12" and p[0] in "fgh")
    fumbled = tuple((p, up) for p in fallen for up in (True, False))
    after = play(session, ("d2d4",))
    found = PATIENT.judge(
        Belief(session), feel(session, look_of(after), (*fumbled, ("d2", True), ("d4", False)))
    )
    assert found.played == ("d2d4",)


def test_hands_that_put_a_board_right_may_touch_anything() -> None:
    session = session_of("chess")
    evidence = feel(session, look_of(session), (("a1", True), ("a1", False), ("b1", True), ("b1", False)))
    assert evidence.timeline.stray(frozenset(), ()) > 0
    evidence.timeline = replace(evidence.timeline, is_restored=True)
    assert evidence.timeline.stray(frozenset(), ()) == 0


def test_after_three_moves_the_turn_only_waits_to_be_ended() -> None:
    """Anybody may move any pawn: the next move is the other player's first, and no quick reply."""
    before = session_of("ternion_factor e5 i8 i10 d6 h4 g9 g6 j6 c8 f3 c3 j4 f3-f4 h4-h3 c8-c9")
    after = play(before, ("end", "g9-f9"))
    found = PATIENT.judge(Belief(before), see(before, look_of(after)))
    assert found.played == ("end", "g9-f9")
    assert is_told(found.belief.accepted, after)


def test_a_stray_marker_makes_no_board_illegal() -> None:
    """A T lies under a pawn of no ternion: doubtful, but the pawn stands where it should."""
    session = session_of("ternion_factor e5 i8")
    found = PATIENT.judge(Belief(session), see(session, {**look_of(session), "e5": "black+T"}))
    assert found.kind == "same"
    assert found.doubt > 1


def test_a_turn_is_not_taken_for_passed_that_nobody_passed_on_the_page() -> None:
    """A third move of a Pole does not begin the next turn but one. Ended on the page, the turn goes on."""
    before = session_of("teleporters f1-f3 end c8*a8 c6sw-d6 d8*b8 f6se@nw")
    after = play(before, ("end", "e8-c8"))
    refused = PATIENT.judge(Belief(before), see(before, look_of(after)))
    assert (refused.kind, [b.rule for b in refused.breaches]) == ("refused", ["GEN-2"])
    passed = PATIENT.judge(Belief(play(before, ("end",))), see(before, look_of(after)))
    assert passed.played == ("e8-c8",)


def test_actions_are_not_aligned_across_turns() -> None:
    """Both lead to the same position: in one North ends the turn early, in the other South's is passed."""
    early = session_of("teleporters f1-f3 end c8-a8 end end c6sw-d6 d8-b8 f6se@nw e8-c8")
    late = session_of("teleporters f1-f3 end c8-a8 c6sw-d6 d8-b8 f6se@nw end e8-c8 end")
    assert early.rules.future(early.position) == late.rules.future(late.position)
    assert align(early, late).actions == early.actions


@pytest.mark.parametrize("seed", [1, 14, 28])
def test_nothing_is_withdrawn_for_an_equal(seed: int) -> None:
    """Nobody sees which way a pawn went: the accepted one stays when a phantom has come and gone."""
    rng = Random(f"ternion_spaces {seed}")
    truth = play_on(opening("ternion_spaces", rng), 9, rng)
    belief = Belief(truth)
    for _ in range(4):
        truth = play_on(truth, 1, rng)
        belief = PATIENT.judge(belief, see(truth, look_of(truth))).belief
    wrong = Hands(truth, rng).added(own=True)
    assert wrong is not None
    refused = PATIENT.judge(belief, see(truth, wrong))
    assert refused.kind == "refused"
    truth = play_on(truth, 1, rng)
    after = PATIENT.judge(refused.belief, see(truth, look_of(truth))).belief
    assert begins_with(after.accepted, belief.accepted)


def asked_of_a_promotion(rng: Random) -> Belief:
    """A piece was promoted, perhaps: nobody sees that."""
    truth = opening("magnet setup=random", rng)
    belief = Belief(truth)
    while not choices(belief):
        truth = play_on(truth, 1, rng)
        belief = PATIENT.judge(belief, see(truth, look_of(truth))).belief
    return belief


def test_sessions_that_an_answer_ruled_out_are_not_remembered() -> None:
    """Its player says so when more has been played."""
    rng = Random(5)
    asked = asked_of_a_promotion(rng)
    truth = play_on(asked.accepted, 1, rng)
    later = PATIENT.judge(asked, see(truth, look_of(truth))).belief
    answered = keep_answered(later, choices(later)[1])
    remembered = [session for memory in answered.past for session, _ in memory.belief.all()]
    known = [session for session, _ in answered.all()]
    assert remembered
    assert all(any(begins_with(later, session) for later in known) for session in remembered)


@pytest.mark.parametrize("seed", [5, 6, 8, 13])
def test_an_answer_is_not_read_anew(seed: int) -> None:
    """Four quick actions are odd enough to ask what may have been misread: not what a player has said."""
    rng = Random(seed)
    asked = asked_of_a_promotion(rng)
    answered = keep_answered(asked, choices(asked)[1])
    truth = play_on(answered.accepted, 4, rng)
    after = PATIENT.judge(answered, see(truth, look_of(truth))).belief
    assert after.accepted.actions != answered.accepted.actions
    assert all(begins_with(session, answered.accepted) for session, _ in after.all())


def test_one_place_that_changed_counts_once_as_an_offence() -> None:
    """It leaves room for two actions (moved, and removed), and speaks for hands that broke the rules once."""
    session = session_of("chess e2e4")
    looks = {place: look for place, look in look_of(session).items() if place != "d8"}
    expansion = Expansion(session.rules, see(session, looks), Limits(), [(session.position, 0.0)])
    assert (expansion.disturbed, expansion.changed) == ({"d8"}, 2)


CAPTURING = (
    "magnet values=declared @k2 b7+ @a2 g1+ @f8 a3 i8 c8 @e3 c1+ k4 h1 e1 @j2 j7 @b7 k2 b1+ @h4 h8 @e9 e2"
    " @j3 c7 j6+ @a5 j1+ @j2 j5 reveal:3 reveal:2 @h3"
)


def amid_turn(moved: tuple[str, ...]) -> Belief:
    """Five pieces of Magnet move in this turn; any of those that have may be promoted, which nobody sees."""
    start = opening("magnet setup=random", Random(8))
    turn = play(start, ("@e3", "e10", "@e6", "e1+", "@h5", "b7+", "h9", "@e6", "e2", "@b5", "a5+", "@g3"))
    told, *others = (
        play(turn, tuple(map("".join, zip(moved, marks, strict=True))))
        for marks in product(("", "+"), repeat=len(moved))
    )
    costs = [0.5 * "".join(session.actions[-len(moved) :]).count("+") for session in others]
    return Belief(told, tuple(zip(others, costs, strict=True)))


@pytest.mark.parametrize(("moved", "is_asked"), [(("d1", "g1"), False), (("d1", "g1", "i1", "k3"), True)])
def test_many_rivals_are_asked_about_before_the_turn_is_over(moved: tuple[str, ...], is_asked: bool) -> None:
    belief = amid_turn(moved)
    assert belief.accepted.position.turn == belief.accepted.plies[-1].player
    assert choices(belief) == ((("d1",), ("d1+",)) if is_asked else ())


def test_rivals_are_asked_about_where_another_player_owes_an_answer() -> None:
    """The owner of what was captured says what it was; no board shows that: there is nothing to wait for."""
    turn = session_of(CAPTURING)
    told, rival = (play(turn, (action, "i2+")) for action in ("d1+", "d1"))
    assert choices(Belief(told, ((rival, 0.5),))) == ()
    told, rival = (play(session, ("k3",)) for session in (told, rival))
    assert told.position.to_act != told.position.turn
    assert choices(Belief(told, ((rival, 0.5),))) == (("d1+", "i2+", "k3"), ("d1", "i2+", "k3"))


def test_rivals_are_held_with_each_variant_of_the_next_action() -> None:
    """Two pieces may have been promoted or not, and so may a third: that is eight stories, soon found."""
    belief = amid_turn(("d1", "g1"))
    after = play(belief.accepted, ("i1",))
    hasty = replace(PATIENT, limits=Limits(rest=20))
    found = hasty.judge(belief, see(after, look_of(after))).belief
    stories = {session.actions[-3:] for session, _ in found.all()}
    assert stories == set(product(("d1", "d1+"), ("g1", "g1+"), ("i1", "i1+")))


@pytest.mark.parametrize("most", [0.5, 1.0])
def test_a_question_stays_open_while_its_choices_stand(most: float) -> None:
    belief = amid_turn(("d1", "g1", "i1", "k3"))
    question = next_question(belief, {})
    assert question is not None
    counts = {question.by: question.id}
    fewer = replace(belief, rivals=tuple(rival for rival in belief.rivals if rival[1] <= most))
    assert choices(fewer) == ()
    assert question_after(fewer, question, counts, is_news=False) is question
    only = Belief(belief.accepted)
    assert question_after(only, question, counts, is_news=False) is None


def test_a_near_equal_is_held_beside_an_unlikely_story() -> None:
    """A piece moved: all but as unlikely as that hands broke the rules. It may have been promoted too."""
    before = play(opening("magnet setup=random", Random(5)), ("@g5",))
    found = replace(PATIENT, limits=Limits(offence=0.0, place=0.45)).judge(
        Belief(before), see(before, look_of(play(before, ("g10",))))
    )
    assert found.choices == (("g10",), ("g10+",))


def test_nobody_is_asked_whether_a_turn_was_passed_before_another_player_moved() -> None:
    """South and North both moved at one stop: who passes says so on the page."""
    before = session_of("teleporters")
    after = play(before, ("d1-d2", "end", "g7se-e7"))
    found = PATIENT.judge(Belief(before), see(before, look_of(after)))
    assert (found.played, found.choices) == (("d1-d2", "end", "g7se-e7"), ())


@pytest.mark.parametrize("is_unaided", [True, False])
def test_a_change_with_no_hand_near_was_misread_before(is_unaided: bool) -> None:
    """The pawn that was put back on g1 was not seen there: it seemed to have escaped."""
    before = session_of(
        "escape i3>g4 g10~g9 f3>f4 h12>g12 f4>g5 d11>h8 d2>c4 h8>j9 f2>h4 j10>f8 c2>g6 h10>f1 d1>i8 b10>e4"
        " j3>e9 g9~f9 h3>l4=d1 i12>d5 i1>h8 e4>j8 c4>k9 d10>i1 i2>c4 e11>f3 d3>g7 f12>g9 c4>f12 i11~i12"
        " g1>i2 j11>e11"
    )
    truth = play(before, ("g7>l9=g1",))
    shown = look_of(truth)
    misread = {place: look for place, look in shown.items() if place != "g1"}
    told = PATIENT.judge(Belief(before), see(before, misread))
    assert told.played == ("g7>f12",)
    found = PATIENT.judge(told.belief, see(truth, shown, HandlingTimeline({}, is_unaided=is_unaided)))
    assert found.kind == "played"
    assert look_of(found.belief.accepted) == shown


@pytest.mark.parametrize(("then", "is_asked"), [(("end", "f5-f6-g5"), True), (("end",), False)])
def test_it_is_asked_in_the_middle_of_a_turn_whether_another_has_begun(
    then: tuple[str, ...], is_asked: bool
) -> None:
    """A ternion may have carried a pawn, or the next player have moved it: who is to move?"""
    before = session_of(
        "ternion_spaces e7 f5 i4 g9 c7 h6 d5 c9 e7-G8-f6 i4-i3 end f6-H6-h6-h5 end c9-D9-c7-c8 end"
        " f5-H6-i5 -h6 +f3 +e8 d5-e6 end e8-E7-d7 e6-f6 end c7-c8-d7-d6 end h5-i5-I4-h4 end"
        " c8-c9 f3-e4 d7-c8 end i5-h4-H6-h5 end h5-h4-h3 +f4 +f5 e4-f3"
    )
    belief = Belief(play(before, ("~f5>g5",)), ((play(before, then), 1.6),))
    assert bool(choices(belief)) == is_asked


def test_a_former_session_is_asked_about_when_its_board_is_back() -> None:
    """A piece was carried off and put back: only had another been promoted, would that have been allowed."""
    played = "magnet =24t43T2K3432 =22243344TK3t @e6 e10 @e10 e1+ k5 @f9 e9 a4+ {} @g7 k3 g1+"
    truth, other = as_seen(session_of(played.format("h9"))), session_of(played.format("h9+"))
    told = PATIENT.judge(Belief(truth), see(truth, look_of(play(other, ("@e10", "g9"))))).belief
    assert "h9+" in told.accepted.actions
    back = PATIENT.judge(told, see(truth, look_of(truth)))
    assert back.choices == (("h9+",), ("h9",))
    assert keep_answered(back.belief, ("h9",)).accepted.actions == truth.actions


@pytest.mark.parametrize("moves", [("e1>d5", "d11>d10", "c3>e3"), ("c3>d5", "d11>d10", "e1>e3")])
def test_of_two_pieces_that_may_have_gone_either_way_each_was_seen_where_it_left_first(
    moves: tuple[str, ...],
) -> None:
    """Which pawn is which is seen by nobody; but one of the two places was still full when d5 was taken."""
    before = session_of(
        "escape g2>h4 j10>h9 e1>f1 d10>f9 h2>g4 b10>i8 e3>c4 c10>i7 i3>h2 i11>j10 c4>e3 j10>c10 h3>j4"
        " h10>h8 e3>i3 e11>j10 i3>k4 j10>i6 d1>l5=e1 d12>e4"
    )
    truth = play(before, moves)
    times = {place: float(n > 0) for n, move in enumerate(moves) for place in move.split(">")}
    found = PATIENT.judge(Belief(before), see(before, look_of(truth), HandlingTimeline(times)))
    assert tuple(action.replace("~", ">") for action in found.played) == moves
    assert not found.is_ahead
