"""What leaves a table: one shape for every game and viewer, and no secret in it."""

import json
import random
from collections.abc import Iterator
from types import NoneType
from typing import Any

import pytest

from companion import games
from companion.core.game import Breach, Outcome
from companion.games.text import read_game, replay, split
from companion.record.session import ARBITER, Entry, Session, begin
from companion.referee import Belief, Finding
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.messages import Message
from companion.table.present import outcome_words, verdict_words
from companion.table.refusals import say_refusal
from companion.table.snapshot import Happening, PlayedAction, Question, Snapshot, Verdict
from companion.wire.events import GameOver, Restored, SourceFailed, TakenBack
from tests.companion.sensor import Sensor
from tests.shown import present, present_happening, present_ply, present_verdict
from tests.stores import open_store

MAGNET_TWINS = ("=K222333444tT", "=K2t2333444" + "2T")
"""Red's set-up, twice: a piece of value two and the trap of value two have changed places."""
STATE = {
    "state": str, "number": (int, NoneType), "plies": int, "head": dict, "game": dict, "turn": str,
    "to_act": str, "playing": list, "prompt": str, "pieces": dict, "checked": list,
    "gone": list, "fen": str, "seen": dict, "last": (dict, NoneType),
    "verdict": (dict, NoneType), "question": (dict, NoneType), "teller": (dict, NoneType),
    "offer": (dict, NoneType), "claim": str, "set_up": bool, "may_be_turned": bool, "moves": list,
    "companion": dict, "puzzle": str,
    "can_undo": bool, "can_redo": bool, "ruled": bool, "counts": list, "outcome": (dict, NoneType),
    "legal": list,
    "sources": list, "notice": str, "clock": (dict, NoneType), "proposal": (dict, NoneType),
}  # fmt: skip
LAST = {
    "n": int, "action": str, "written": str, "player": str, "sites": list, "words": list, "source": str,
    "tells_end": bool, "certainty": (float, int, NoneType),
}  # fmt: skip
MOVE = {"n": int, "round": int, "player": str, "action": str, "written": str, "words": str}
LEGAL = {"action": str, "path": list, "label": str}
COUNT = {"name": str, "values": dict, "total": (int, NoneType)}


def has_shape(value: dict[str, Any], shape: dict[str, Any]) -> bool:
    """Whether the keys are these and no others, and each value of its kind."""
    return value.keys() == shape.keys() and all(isinstance(value[key], kind) for key, kind in shape.items())


def snapshot(session: Session | None, **more: Any) -> Snapshot:
    return Snapshot(id=5, session=session, number=1, **more)


def played(text: str, seed: int, count: int) -> Iterator[Session]:
    """A random game, session by session."""
    chance = random.Random(seed)
    session = begin(read_game(text))
    for _ in range(count):
        yield session
        dealt = session.rules.deal(session.position, session.game.options, chance)
        choices = list(session.rules.legal(session.position)) if not dealt else [dealt]
        if session.outcome or not choices:
            return
        session = session.apply(Entry("action", chance.choice(choices), certainty=0.97))


@pytest.mark.parametrize("name", games.GAMES)
def test_every_viewer_of_every_game_gets_the_same_shape(name: str) -> None:
    text = "magnet setup=random" if name == "magnet" else name
    for session in played(text, 3, 12):
        for viewer in (None, ARBITER, *session.players):
            state = present(snapshot(session), viewer)
            assert has_shape(state, STATE)
            assert json.loads(json.dumps(state)) == state
            assert all(has_shape(move, MOVE) for move in state["moves"])
            plain = [{k: v for k, v in action.items() if k != "form"} for action in state["legal"]]
            assert all(has_shape(action, LEGAL) for action in plain)
            assert all(("form" in action) is ("?" in action["action"]) for action in state["legal"])
            assert all(has_shape(count, COUNT) for count in state["counts"])
            assert state["last"] is None or has_shape(state["last"], LAST)
            assert len(state["moves"]) == len(session.plies)


def test_a_table_without_a_game() -> None:
    assert present(Snapshot()) == {
        "state": "empty",
        "game": None,
        "sources": [],
        "notice": "",
        "clock": None,
        "proposal": None,
    }


def test_who_may_act_is_told_what_is_legal() -> None:
    session = begin(read_game("triune"))
    legal = {viewer: present(snapshot(session), viewer)["legal"] for viewer in (None, "red", "blue", ARBITER)}
    counts = {viewer: len(actions) for viewer, actions in legal.items()}
    assert counts == {None: 0, "red": 38, "blue": 0, ARBITER: 38}
    flip = next(a for a in legal["red"] if a["action"] == "a2~")
    assert flip == {"action": "a2~", "path": ["a2"], "label": "flip a2"}


def handled(*messages: Message) -> Snapshot:
    desk = Desk(open_store())
    for message in messages:
        assert desk.handle(message)[0].ok
    return desk.snapshot


def test_the_last_action_in_words() -> None:
    state = present(handled(m.NewGame("triune", {"red": "Ann"}), m.Submit("a2-a3", "red")), None)
    assert state["head"] == {"red": "Ann"}
    assert state["last"] == {
        "n": 1, "action": "a2-a3", "written": "a2-a3", "player": "red", "sites": ["a2", "a3"],
        "words": ["Ann (Red) moves a solid piece from a2 to a3."], "tells_end": False,
        "source": "tablet", "certainty": 1.0,
    }  # fmt: skip
    assert state["moves"][0]["words"] == "Ann (Red) moves a solid piece from a2 to a3."
    assert (state["turn"], state["prompt"], state["can_undo"]) == ("blue", "move or flip one piece", True)


def test_an_offer_a_result_and_a_takeback() -> None:
    begun = (m.NewGame("triune"), m.Submit("a2-a3"))
    assert present(handled(*begun, m.Deed("offer", "red")))["offer"] == {"kind": "draw", "by": "red"}
    drawn = present(handled(*begun, m.Deed("offer", "red"), m.Deed("accept", "blue")))
    assert (drawn["state"], drawn["outcome"]["winner"], drawn["legal"]) == ("over", None, [])
    assert drawn["outcome"]["words"].startswith("Drawn")
    won = present(handled(*begun, m.Deed("resign", "blue")))
    assert won["outcome"]["words"] == "Red wins: Blue resigned."
    back = present(handled(*begun, m.TakeBack()))
    assert (back["moves"], back["can_redo"], back["last"]) == ([], True, None)


def test_who_has_accepted_a_draw_is_shown_until_all_have() -> None:
    begun = (m.NewGame("trid players=3"), m.Deed("offer", "red"), m.Deed("accept", "blue"))
    assert present(handled(*begun))["offer"] == {"kind": "draw", "by": "red", "agreed": ["blue"]}


def test_who_is_out_of_the_game_plays_no_more() -> None:
    looks = {p: look for p, look in begin(read_game("trid players=3")).look.items() if look[:3] != "red"}
    state = present(handled(m.NewGame("trid players=3"), m.Correct(looks, "black")))
    assert (state["game"]["players"], state["playing"]) == (["black", "blue", "red"], ["black", "blue"])


@pytest.mark.parametrize("end", [m.Deed("resign", "red"), m.RuleResult("blue")])
def test_when_a_game_is_over_everything_is_public(end: Message) -> None:
    begun = (m.NewGame("magnet"), m.Submit("=K222333444tT", "red"), m.Submit("=K222333444tT", "blue"))
    hidden, shown = present(handled(*begun), "red"), present(handled(*begun, end), "red")
    assert "blue/K1" not in hidden["pieces"].values()
    assert "blue/K1" in shown["pieces"].values()


def test_a_correction_has_words_and_no_sites() -> None:
    taken = {place: look for place, look in begin(read_game("triune")).rules.look(
        begin(read_game("triune")).position).items() if place != "a1"}  # fmt: skip
    state = present(handled(m.NewGame("triune"), m.Correct(taken, "blue")))
    assert state["last"]["words"] == ["The arbiter corrects the position."]
    assert state["last"]["sites"] == []
    assert [move["action"] for move in state["moves"]] == ["position corrected (1 place)"]
    assert (state["turn"], "a1" in state["pieces"]) == ("blue", False)


def test_a_verdict_names_rules_and_steps() -> None:
    desk = Desk(open_store())
    desk.handle(m.NewGame("triune"))
    sensor = Sensor(read_game("triune"))
    sensor.show(desk)
    sensor.move("a2", "a5")
    sensor.show(desk, 4.0)
    verdict = present(desk.snapshot)["verdict"]
    assert (verdict["kind"], verdict["action"]) == ("refused", "a2-a5")
    assert [b["rule"] for b in verdict["breaks"]] == ["TR-3"]
    assert {"rule", "title", "here", "text", "sites"} == verdict["breaks"][0].keys()
    assert verdict["breaks"][0]["here"] == "A solid piece moves exactly one square; a2 to a5 is 3."
    assert verdict["words"] == f"a2-a5 is not allowed. TR-3: {verdict['breaks'][0]['here']}"
    assert [(s["from"], s["to"], s["look"]) for s in verdict["steps"]] == [("a5", "a2", "red/solid")]


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Verdict("restore", "Put it back."), "Put it back."),
        (Verdict("refused", "", "a2-a5", (Breach("GEN-3"),)), "a2-a5 is not allowed. "),
        (Verdict("refused", "", "", (Breach("GEN-3"),)), "That is not allowed. "),
        (Verdict("refused", "", "c2-c3", (Breach("GEN-2"),), after=("a2-a3",)),
         "After a2-a3, c2-c3 is not allowed. "),
        (Verdict("refused", "", "", (Breach("GEN-4", words="The red piece is missing on a2."),)),
         "That is not allowed. GEN-4: The red piece is missing on a2."),
        (Verdict("refused", "", "a2-a5", (Breach("TR-3"),)),
         "a2-a5 is not allowed. TR-3: A piece with its solid side up moves exactly one square."),
    ],
)  # fmt: skip
def test_verdicts_in_words(verdict: Verdict, words: str) -> None:
    assert verdict_words(begin(read_game("triune")), verdict).startswith(words)


@pytest.mark.parametrize(
    ("text", "attempt", "written"),
    [
        ("chess", "a1h8", "Ra1xh8"),
        ("chess", "a1a4", "Ra1-a4"),
        ("chess", "e2e5", "e2-e5"),
        ("chess", "e2e8q", "e2xe8=Q"),
        ("draughts", "a3-b5", "21-13/14"),
        ("triune", "a2-a5", "a2-a5"),
    ],
)
def test_what_is_refused_is_said_as_players_write_it(text: str, attempt: str, written: str) -> None:
    session = begin(read_game(text))
    shown = present_verdict(session, Verdict("refused", "", attempt, (Breach("GEN-3"),)))
    finding = Finding("refused", Belief(session), attempt=attempt, breaches=(Breach("GEN-3"),))
    assert (shown["action"], shown["written"]) == (attempt, written)
    assert shown["words"].startswith(f"{written} is not allowed.")
    assert say_refusal(finding) == f"{written} (GEN-3)"


def test_a_refusal_after_an_action_that_was_allowed_has_both_as_players_write_them() -> None:
    session = begin(read_game("chess"))
    verdict = Verdict("refused", "", "g8g6", (Breach("CH-4"),), after=("g1f3",))
    assert verdict_words(session, verdict).startswith("After Nf3, Ng8-g6 is not allowed.")


def test_a_question_offers_its_choices() -> None:
    session = begin(read_game("triune"))
    asked = snapshot(session, question=Question(3, (("a2-a3",), ("a2~", "b7~")), "red"))
    assert present(asked)["question"] == {
        "id": 3,
        "by": "red",
        "words": "Which of these was it?",
        "choices": [
            {"action": "a2-a3", "words": "a2-a3", "sites": ["a2", "a3"]},
            {"action": "a2~ b7~", "words": "flip a2, then flip b7", "sites": ["a2", "b7"]},
        ],
        "parts": [],
    }


@pytest.mark.parametrize(
    ("text", "choices", "words", "answers"),
    [
        (
            "chess fen=7k/P7/8/8/8/8/8/K7_w_-_-_0_1 a7a8q",
            (("a7a8q",), ("a7a8r",)),
            "What did the pawn become?",
            ["queen", "rook"],
        ),
        ("chess e2e4", (("e2e4",), ()), "Which of these was it?", ["e4", "nothing was played"]),
        ("draughts b6-a5", (("b6-a5",), ()), "Which of these was it?", ["9-13", "nothing was played"]),
        (
            "magnet =K222333444tT =K222333444tT @d6 i8",
            (("i8", "d9"), ("i8+", "d9")),
            "Was the piece from i8 promoted?",
            ["no", "yes, to rank 2"],
        ),
        (
            "ternion_factor pawns=4 e6 d5 e9 g5 h9 j8 c3 i3 d5-c4 c3-d3",
            (("c3-d3",), ("c3-c4-d3", "end")),
            "How did the pawns go?",
            ["Black's pawn stepped from c3 to d3.", "Black's pawn jumped from c3 over c4 to d3."],
        ),
        (  # what followed is the same, and is not told
            "ternion_factor pawns=4 e6 d5 e9 g5 h9 j8 c3 i3 d5-c4 c3-d3",
            (("c3-d3", "+h5"), ("c3-c4-d3", "+h5", "end")),
            "How did the pawns go?",
            ["Black's pawn stepped from c3 to d3.", "Black's pawn jumped from c3 over c4 to d3."],
        ),
        (
            "ternion_factor pawns=4 e6 d5 e9 g5 h9 j8 c3 i3 d5-c4 c3-d3",
            (("c3-d3",), ("c3-d3", "+h5")),
            "How did the pawns go?",
            [
                "Black's pawn stepped from c3 to d3.",
                "Black's pawn stepped from c3 to d3. Then add on h5.",
            ],
        ),
    ],
)
def test_a_game_asks_in_its_own_words(
    text: str, choices: tuple[tuple[str, ...], ...], words: str, answers: list[str]
) -> None:
    game, _, actions = replay(text)
    session = begin(game)
    for action in actions:
        session = session.apply(Entry("action", action))
    by = session.plies[-1].player
    asked = present(snapshot(session, question=Question(1, choices, by)), by)["question"]
    assert asked["words"] == words
    assert [choice["words"] for choice in asked["choices"]] == answers


def magnet_pair(seed: int, count: int) -> Iterator[tuple[Session, Session]]:
    """Two games that nobody but Red can tell apart, until a piece is taken."""
    chance = random.Random(seed)
    blue = "=4T23t4K23324"
    pair = [begin(read_game("magnet")) for _ in MAGNET_TWINS]
    for n in range(count):
        yield pair[0], pair[1]
        legal = [a for a in pair[0].rules.legal(pair[0].position) if a != "declare"]
        if pair[0].outcome or not legal:
            return
        chosen = [*MAGNET_TWINS] if n == 0 else [blue] * 2 if n == 1 else [chance.choice(legal)] * 2
        if any(session.judge(action) for session, action in zip(pair, chosen, strict=True)):
            return
        pair = [s.apply(Entry("action", a, certainty=0.9)) for s, a in zip(pair, chosen, strict=True)]


def look_alike(a: Session, b: Session, viewer: str | None) -> bool:
    """Whether a viewer who followed both games from the beginning saw the same positions."""
    positions = zip(a.positions(), b.positions(), strict=True)
    return all(a.rules.view(x, viewer) == b.rules.view(y, viewer) for x, y in positions)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("viewer", ["blue", None, ARBITER])
def test_magnets_secrets_do_not_leave(seed: int, viewer: str | None) -> None:
    compared = 0
    for a, b in magnet_pair(seed, 60):
        if a.outcome or not look_alike(a, b, viewer):
            break
        compared += len(a.plies) > 1
        question = Question(1, ((a.actions[-1] if len(a.plies) > 2 else "@f6",),), "red")
        for asked in (None, question if len(a.plies) > 1 else None):  # that Red is asked tells something
            assert present(snapshot(a, question=asked), viewer) == present(snapshot(b), viewer)
    assert compared > 2


def test_magnets_owner_sees_the_own_pieces() -> None:
    pair = list(magnet_pair(0, 2))[-1]
    assert present(snapshot(pair[0]), "red") != present(snapshot(pair[1]), "red")
    shown = [present_ply(session, 1, "red")["action"] for session in pair]
    assert tuple(shown) == MAGNET_TWINS
    assert {present_ply(session, 1, "blue")["action"] for session in pair} == {"=?"}


def test_a_set_up_is_called_one_and_a_drawn_piece_is_shown_from_start_to_end() -> None:
    session = begin(read_game("magnet"))
    for action in ("=K222333444tT", "=K222333444tT", "@f8", "a3"):
        session = session.apply(Entry("action", action))
    plies = [present_ply(session, n, viewer) for n in (1, 2) for viewer in ("red", None)]
    assert {ply["written"] for ply in plies} == {"set up"}
    assert present_ply(session, 4, None)["sites"] == ["a3", "b4"]


CAPTURING = (
    "@f8 i8+ @g4 k4 j1 g1 c1+ @j3 j7 b7 @a5 i2 @g10 c7+ @b4 i1+ b1 @i8 h9+ @b3 g2 b2 @k4 d9 @j2 h2 j4+ @b4"
    " h8+ a3 @i7 k5+"
)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("teleporters end", "end the turn"),
        (f"magnet values=declared {CAPTURING} reveal:2", "reveal: piece of value 2"),
        ("triune a2-a3", "a2-a3"),
    ],
)
def test_an_action_that_names_no_place_is_written_in_words(text: str, written: str) -> None:
    game, actions = split(text)
    session = begin(game)
    for action in actions:
        session = session.apply(Entry("action", action))
    assert present_ply(session, len(session.plies), None)["written"] == written


def test_whoever_is_asked_sees_the_own_question() -> None:
    session, _ = list(magnet_pair(0, 3))[-1]
    asked = snapshot(session, question=Question(2, (("@f6",), ("@f7",)), "red"))
    assert [c["action"] for c in present(asked, "red")["question"]["choices"]] == ["@f6", "@f7"]
    assert [present(asked, viewer)["question"] for viewer in ("blue", None, ARBITER)] == [None] * 3


@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_whoever_is_to_act_is_sent_every_legal_action(name: str) -> None:
    for session in played(f"{name} setup=random" if name == "magnet" else name, 3, 30):
        sent = [entry["action"] for entry in present(snapshot(session), session.position.to_act)["legal"]]
        assert sent == ([] if session.outcome else list(session.rules.legal(session.position)))


@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_every_legal_action_can_be_tapped(name: str) -> None:
    """Its places are on the board; actions with the same places are told apart by their words."""
    for session in played(f"{name} setup=random" if name == "magnet" else name, 4, 40):
        legal, board = list(session.rules.legal(session.position)), session.game.board
        paths = {action: session.rules.path(action) for action in legal}
        assert {p for path in paths.values() for p in path} <= {*board.sites, *board.places}
        assert len({(path, session.rules.label(action)) for action, path in paths.items()}) == len(legal)


def test_what_watch_prints_of_an_action() -> None:
    session = begin(read_game("triune")).apply(Entry("action", "a2-a3", "", "camera:0", 0.98765))
    told = present_happening(PlayedAction(session.plies[-1], is_marked=True), session)
    assert told == {
        "event": "action", "action": "a2-a3", "player": "red",
        "words": ["Red moves a solid piece from a2 to a3."], "source": "camera:0", "certainty": 0.9877,
        "settled": "likeliest",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("happening", "told"),
    [
        (TakenBack(count=2), {"event": "takeback", "count": 2}),
        (Restored(), {"event": "restored"}),
        (SourceFailed(event="lost", words="x"), {"event": "lost", "words": "x"}),
        (GameOver(winner=None, reason="x"), {"event": "over", "winner": None, "reason": "x"}),
    ],
)
def test_other_happenings_are_told_as_they_are(happening: Happening, told: dict[str, object]) -> None:
    assert present_happening(happening, None) == told


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome("red", "blue resigned"), "Red wins: blue resigned."),
        (Outcome(None, "agreed"), "Drawn: agreed."),
        (Outcome("solver", "solved"), "Solved."),
    ],
)
def test_how_a_game_ended_is_one_sentence(outcome: Outcome, words: str) -> None:
    assert outcome_words(outcome) == words
