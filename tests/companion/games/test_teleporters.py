"""Teleporters: the rulebook's words, each rule kept and broken, perft, and `judge` over all spellings."""

import random
from itertools import product
from pathlib import Path

import pytest

from companion import games
from companion.core.game import Action, PositionError
from companion.core.perft import perft
from companion.games.reasons import explained
from companion.games.teleporters.board import CORNERS, NAMES, QUADRANTS
from companion.games.teleporters.position import Position
from companion.games.text import read_game, replay

RULES = games.rules("teleporters")
START: Position = read_game("teleporters").start()
SOUTH = "c1 d1 e1 f1 b2nw c3nw f3ne g2ne"
NORTH = "c8 d8 e8 f8 b7sw c6sw f6se g7se"


def lay(south: str = SOUTH, north: str = NORTH, turn: str = "south", played: str = "") -> Position:
    """Returns the position with these Poles (`c1`) and Ports (`b2nw`) on the board, after these actions."""
    looks = {
        place: f"{player}/{'port' if len(place) > 2 else 'pole'}"
        for player, places in (("south", south), ("north", north))
        for place in places.split()
    }
    assert len(looks) >= 15
    return after(RULES.arrange(START, looks, turn), played)


def after(position: Position, played: str) -> Position:
    for action in played.split():
        assert RULES.judge(position, action) == (), action
        position = RULES.play(position, action).position
    return position


def broken(position: Position, action: Action) -> list[str]:
    return [breach.rule for breach in RULES.judge(position, action)]


def kinds(position: Position, action: Action) -> list[str]:
    assert RULES.judge(position, action) == (), action
    return [event.kind for event in RULES.play(position, action).events]


# South's Pole on d5 among four of North's; South's Ports on their portpads cannot help.
SURROUNDED = {"south": "d5 d2 e1 f1 b2nw c3nw f3ne g2ne", "north": "d6 c5 e5 d4 b7sw c6sw f6se g7se"}
# The same, but a Port on a4 can make a Teleport around the Pole on d4 with the Port there.
RELIEVED = SURROUNDED | {"south": "d5 d2 e1 f1 d4se a4nw f3ne g2ne"}
# A wall of North's on e5 is part of the blockade; the Port on g5 can repel it.
WALLED = {"south": "d5 d1 e1 f1 b2nw c3nw f3ne g5ne", "north": "d6 c5 h8 d4 b7sw c6sw e5sw g7se"}
# South's Pole on b3 is surrounded; a Port that bounces off b7 can be put around the Pole on b2.
BOUNCER = {"south": "b3 d1 e1 f1 b2se c4nw f4ne e7nw", "north": "b4 a3 c3 b2 b7sw h6sw h5se h4se"}
# An own Pole shuts one of the sides.
OWN_POLE = {"south": "d5 c5 e1 f1 b2nw c3nw f3ne g2ne", "north": "d6 a8 e5 d4 b7sw c6sw f6se g7se"}
UNIT = {"south": "c3 d1 e1 f1 c3nw c3se f3ne g2ne"}
TWO_UNITS = {"south": "c3 d1 e1 f1 c3nw c3se f3ne f3sw"}
JOINED = {"south": "c1 d1 e1 f1 c3nw f3se f2ne g2ne"}
VAULT = {"south": "c1 d1 e1 f1 c3nw f3se f2ne g2ne", "north": "f3 d8 e8 f8 b7sw c6sw f6se g7se"}
REPEL = {"south": "c1 d1 e1 f1 d4nw c3nw f3ne g2ne", "north": "c8 d8 e8 f8 b7sw c6sw d6se g7se"}
BOUNCE = {"south": "c1 d1 e1 f1 e7nw c3nw f3ne g2ne"}
NO_ROOM = {"south": "c1 d1 e1 f1 e7nw c3nw f3ne b2nw", "north": "c8 d8 e8 f8 b7sw g2sw f6se g7se"}
CHAIN = {"south": "b7 d1 e1 f1 d4nw c3nw f3ne g2ne", "north": "c8 d8 e8 f8 b7ne c6sw d6se g7se"}
POLE_AHEAD = {"south": "b5 d1 e1 f1 b2nw c3sw f3ne g2ne"}
POLE_TO_TAKE = {"south": "c5 d1 e1 f1 b2nw c3sw f3ne g2ne"}
NEAR_GOAL = {"south": "a8 b8 g8 d7 b2nw c3nw f3ne g2ne", "north": "c8 e8 f8 h5 b7sw c6sw f6se g7se"}

KEPT_AND_BROKEN: list[tuple[str, dict[str, str], str, str, str]] = [
    # rule, position, what is played first, what the rule allows, what it forbids
    ("TP-1", {}, "", "end", "c8-c7"),
    ("TP-1", {}, "c1-c2 d1-d2", "b2nw@se", "e1-e2"),
    ("TP-1", {}, "b2nw@se f3ne@se", "c1-c2", "g2ne@se"),
    ("TP-2", {}, "c1-c2", "d1-d2", "c2-d2"),
    ("TP-2", {}, "b2nw-a2", "c3nw@se", "a2nw@se"),
    ("TP-2", JOINED, "c3nw-f3", "=f3-f5", "f3nw-f4"),
    ("TP-2", UNIT, "=c3-c5", "c5nw-b5", "=c5-c4"),
    ("TP-3", {}, "", "c1-b2", "c1-c4"),
    ("TP-3", {}, "", "c1-a1", "c1-e1"),
    ("TP-3", {}, "", "c1-d2", "c1-d1"),
    ("TP-3", {}, "", "c1-b1", "c1-c1"),
    ("TP-4", {"south": "b3 d1 e1 f1 b2nw c3nw f3ne g2ne"}, "", "b3-b4", "b3-c3"),
    ("TP-4", UNIT, "", "d1-d3", "c3-c4"),
    ("TP-5", {"south": "a4 b1 e1 f1 b2nw c3nw f3ne g2ne"}, "", "a4-h4", "b1-h1"),
    ("TP-4", {"south": "a4 b1 e1 f1 b2nw c3nw h4ne g2ne"}, "", "a4-a5", "a4-h4"),
    ("TP-6", {}, "", "c1*a1", "c1*c8"),
    ("TP-6", {}, "", "c1*h1", "c1*d1"),
    ("TP-6", JOINED | {"south": "c1 d1 e1 f1 c3nw c3se f3ne g2ne"}, "", "c1*c3", "c1*f3"),
    ("TP-6", TWO_UNITS, "", "c3*f3", "c3*c8"),
    ("TP-6", NEAR_GOAL, "", "a8*d8", "a8*a7"),
    ("TP-7", SURROUNDED, "", "d5*a1", "d2*a1"),
    ("TP-7", RELIEVED, "f3ne@se g2ne@se", "d5*a1", "d2*a1"),
    ("TP-8", {}, "", "b2nw@se", "b2nw@nw"),
    ("TP-8", UNIT, "", "=c3@", "c3nw@ne"),
    ("TP-9", {}, "", "b2nw-b6", "b2nw-c4"),
    ("TP-9", {}, "", "b2nw-b3", "b2nw-b1"),
    ("TP-9", UNIT, "", "=c3-c5", "=c3-d5"),
    ("TP-10", UNIT, "", "c3nw-b3", "c3nw-d3"),
    ("TP-10", {"south": "c3 d1 e1 f1 b2nw c3nw f3ne g2ne"}, "", "c3nw-c5", "c3nw-c2"),
    ("TP-10", {}, "", "c3nw-e3", "c3nw-h3"),
    ("TP-11", POLE_TO_TAKE, "", "c3sw-f3", "g2ne-b2"),
    ("TP-11", POLE_AHEAD, "", "b2nw-b4", "b2nw-b5"),
    ("TP-11", JOINED, "", "c3nw-f3", "f2ne-f3"),
    ("TP-11", TWO_UNITS, "", "c3nw-c4", "f3sw-c3"),
    ("TP-12", POLE_TO_TAKE, "", "c3sw-c5@ne", "b2nw-b5@se"),
    ("TP-12", POLE_TO_TAKE, "", "c3sw-c5@se", "c3sw-c5@sw"),
    ("TP-13", REPEL, "d4nw-d6", "port:f6", "port:d4"),
    ("TP-14", REPEL, "d4nw-d6", "port:f6", "port:b7"),
    ("TP-15", BOUNCE, "", "e7nw-b7", "e7nw-b7@se"),
    ("TP-15", BOUNCE, "e7nw-b7", "port:b2", "port:d4"),
    ("TP-15", NO_ROOM, "", "e7nw-c7", "e7nw-b7"),
    ("TP-16", UNIT, "", "=c3-e3", "=c3-f3"),
    ("TP-16", UNIT, "", "=c3*a1", "=c3*d1"),
    ("TP-16", TWO_UNITS, "", "=c3*f3", "=f3*a1"),
    ("TP-16", UNIT, "", "=c3@", "=f3@"),
    ("TP-17", VAULT, "c3nw-f3", "pole:a8", "pole:a1"),
    ("TP-17", VAULT, "c3nw-f3", "pole:c8", "pole:d8"),
    ("TP-18", CHAIN, "d4nw-d6", "port:b7", "pole:a8"),
    ("TP-18", CHAIN, "d4nw-d6 port:b7", "pole:a1", "port:b2"),
]


@pytest.mark.parametrize(("rule", "laid", "played", "kept", "forbidden"), KEPT_AND_BROKEN)
def test_a_rule_kept_and_broken(
    rule: str, laid: dict[str, str], played: str, kept: str, forbidden: str
) -> None:
    position = lay(**laid, played=played)
    legal = set(RULES.legal(position))
    assert broken(position, kept) == []
    assert kept in legal
    assert rule in broken(position, forbidden)
    assert all(
        breach.words for breach in explained(RULES, position, forbidden, RULES.judge(position, forbidden))
    )
    assert forbidden not in legal


def test_tp_19_the_fourth_pole_on_the_goal_wins_at_once() -> None:
    position = lay(**NEAR_GOAL)
    assert RULES.outcome(position) is None
    assert kinds(position, "d7-d8") == ["walked", "won"]
    won = after(position, "d7-d8")
    outcome = RULES.outcome(won)
    assert outcome
    assert (outcome.winner, broken(won, "end"), list(RULES.legal(won))) == ("south", ["GEN-3"], [])


@pytest.mark.parametrize(
    ("laid", "played", "rules"),
    [
        (SURROUNDED, "", []),
        (RELIEVED, "", ["TP-7"]),
        (RELIEVED, "f3ne@se g2ne@se", []),  # no Port move is left
        (RELIEVED, "a4nw@sw", []),  # that Port has moved
        (WALLED, "", ["TP-7"]),
        (WALLED, "g5ne@nw", []),
        (BOUNCER, "", ["TP-7"]),
        (BOUNCER, "e7nw@ne", []),
        (OWN_POLE, "", ["TP-7"]),
        (SURROUNDED | {"south": "d5 d1 e1 f1 d5nw c3nw f3ne g2ne"}, "", ["TP-7"]),  # own walls shut two
        (SURROUNDED | {"north": "d6 c5 e5 a8 b7sw c6sw f6se g7se"}, "", ["TP-7"]),  # a step is open
    ],
)
def test_tp_7_what_is_a_blockade(laid: dict[str, str], played: str, rules: list[str]) -> None:
    """'Pole movements', 'Blockade escape', and the Ruling on what could relieve it."""
    position = lay(**laid, played=played)
    pole = laid["south"].split()[0]
    assert broken(position, f"{pole}*a1") == rules
    assert (f"{pole}*a1" in set(RULES.legal(position))) == (not rules)


def test_tp_7_the_edge_counts_as_shut_but_the_wrap_around_does_not() -> None:
    edge = {"south": "a4 d1 e1 f1 b2nw c3nw f3ne g2ne"}
    assert broken(lay(**edge, north="a5 b4 a3 h4 b7sw c6sw f6se g7se"), "a4*a1") == []
    assert broken(lay(**edge, north="a5 b4 a3 h5 b7sw c6sw f6se g7se"), "a4*a1") == ["TP-7"]


def test_an_escape_is_told_as_one() -> None:
    assert kinds(lay(**SURROUNDED), "d5*a1") == ["escaped"]


def test_the_start_is_that_of_setting_up() -> None:
    """'Setting up': four Poles on the central Telepads, four Ports on the striped parts of the Portpads."""
    assert RULES.look(START) == RULES.look(lay())
    assert START.turn == "south"
    assert read_game("teleporters first=north").start().turn == "north"


def test_the_opening_check() -> None:
    legal = set(RULES.legal(START))
    assert {"c1-c2", "c1-b1", "c1*a1", "b2nw-a2", "b2nw@se", "end"} <= legal
    assert "c1*c8" not in legal


def test_a_sample_move_sequence() -> None:
    """'A sample move sequence': a Pole walks two spaces; the Teleport moves and carries its Pole; a Port
    leaves it, 'breaking up its unity'; the Pole 'moves out of its former Teleport, making two steps'."""
    position = lay(**UNIT)
    assert kinds(position, "d1-d3") == ["walked"]
    position = after(position, "d1-d3")
    assert kinds(position, "=c3-c5") == ["carried"]
    position = after(position, "=c3-c5")
    assert kinds(position, "c5se-e5") == ["parted", "glided"]
    position = after(position, "c5se-e5")
    assert kinds(position, "c5-d4") == ["walked", "turn"]
    assert after(position, "c5-d4").turn == "north"


def test_walking_has_all_the_ways_of_the_drawing() -> None:
    """'Walking': one or two spaces, 'either horizontally or vertically or any combination'."""
    position = lay(south="d4 d1 e1 f1 b2nw b3nw g3ne g2ne", north="c8 d8 e8 f8 b7sw b6sw g6se g7se")
    ends = {action[3:] for action in RULES.legal(position) if action.startswith("d4-")}
    assert ends == {"d5", "d6", "e4", "f4", "d3", "d2", "c4", "b4", "c5", "e5", "c3", "e3"}


def test_a_wrap_around_is_the_first_step_or_the_second() -> None:
    """'Wrap-around': 'it can move one space as its second step on the other side of the board'."""
    position = lay(south="a4 g5 e1 f1 b2nw c3nw f3ne g2ne")
    ends = {action[3:] for action in RULES.legal(position) if action.startswith("a4-")}
    assert {"h4", "g4", "h5", "h3"} <= ends
    assert "g5-a5" in set(RULES.legal(position))


def test_a_port_spins_around_a_pole_where_its_glide_ends() -> None:
    """'Glide and Spin': 'it can rotate around the Pole to any of its four possible positions'."""
    position = lay(**POLE_TO_TAKE)
    glides = {action for action in RULES.legal(position) if action.startswith("c3sw-c5")}
    assert glides == {"c3sw-c5", "c3sw-c5@nw", "c3sw-c5@ne", "c3sw-c5@se"}
    assert kinds(position, "c3sw-c5@ne") == ["glided", "turned"]


def test_repelling_gives_the_port_to_its_owner() -> None:
    """'Repel': 'The repelled Port is given to its owner to place in its start position'."""
    position = lay(**REPEL)
    assert kinds(position, "d4nw-d6") == ["glided", "repelled"]
    owed = after(position, "d4nw-d6")
    assert (owed.turn, owed.to_act, list(RULES.legal(owed))) == ("south", "north", ["port:f6"])
    assert RULES.look(after(owed, "port:f6"))["f6se"] == "north/port"
    assert after(owed, "port:f6").to_act == "south"


def test_poles_stay_where_a_repel_happens() -> None:
    """'Any Poles in the quadrants where Repels happen are not affected. They simply stay.'"""
    laid = {"south": "c1 d1 e1 f1 d4sw c3nw f3ne g2ne", "north": "d6 d8 e8 f8 b7sw c6sw d6nw g7se"}
    shown = RULES.look(after(lay(**laid), "d4sw-d6@ne"))
    assert (shown["d6"], shown["d6ne"]) == ("north/pole", "south/port")


def test_a_bounced_port_has_moved_and_may_make_a_teleport() -> None:
    """'Anti-Repel': the Port 'that attempted the Repel will itself bounce'."""
    position = lay(south="c1 d1 e1 f1 e7nw b2se f3ne g2ne")
    assert kinds(position, "e7nw-b7") == ["glided", "bounced"]
    owed = after(position, "e7nw-b7")
    assert set(RULES.legal(owed)) == {"port:b2", "port:c3"}
    assert kinds(owed, "port:b2") == ["put port", "joined"]
    assert broken(after(owed, "port:b2"), "b2nw-b3") == ["TP-2"]
    assert broken(after(owed, "port:b2"), "=b2-b3") == []


def test_a_port_with_no_available_portpad_stays_and_the_other_one_bounces() -> None:
    """'Anti-Repel', first item: all portpads 'are occupied or partially blocked by other Ports'."""
    laid = {"south": "c1 d1 e1 f1 d4nw f6nw f3ne g2ne", "north": "c8 d8 e8 f8 b7sw c6sw d6se g7se"}
    assert kinds(lay(**laid), "d4nw-d6") == ["glided", "bounced"]


def test_the_pole_vault() -> None:
    """'The Pole Vault': the Pole 'is handed to its owner to choose the Telepad'; 'a free move'."""
    position = lay(**VAULT)
    assert kinds(position, "c3nw-f3") == ["glided", "joined", "vaulted"]
    owed = after(position, "c3nw-f3")
    assert (owed.to_act, owed.pole_moves) == ("north", 2)
    assert set(RULES.legal(owed)) == {f"pole:{square}" for square in ("a8", "b8", "c8", "g8", "h8")}


def test_answers_come_one_after_the_other() -> None:
    """A repelled Port that is put around a Pole makes a Teleport, which vaults (TP-18)."""
    position = after(lay(**CHAIN), "d4nw-d6")
    assert position.to_act == "north"
    assert kinds(position, "port:b7") == ["put port", "joined", "vaulted"]
    position = after(position, "port:b7")
    assert (position.turn, position.to_act) == ("south", "south")
    assert broken(position, "d1-d2") == ["TP-17"]
    assert broken(position, "end") == ["TP-1", "TP-17"]


def test_what_has_moved_keeps_its_mark_when_it_is_vaulted() -> None:
    laid = {"south": "b8 d1 e1 f1 d4nw c3nw f3ne g2ne", "north": "c8 d8 e8 f8 b7ne c6sw d6se g7se"}
    position = after(lay(**laid), "b8-a7")
    assert broken(position, "a7-a8") == ["TP-2"]
    chain = lay(**CHAIN | {"south": "b6 d1 e1 f1 d4nw c3nw f3ne g2ne"})
    assert broken(after(chain, "b6-b7 d4nw-d6 port:b7 pole:a1"), "a1-a2") == ["TP-2"]


def test_another_player_owes_the_answer() -> None:
    position = after(lay(**REPEL), "d4nw-d6")
    assert broken(position, "d1-d2") == ["GEN-2", "TP-13"]


def test_the_turn_ends_after_the_fourth_move_and_any_answer() -> None:
    """'Taking turns': four moves per turn; TP-1: after any owed answer."""
    position = after(lay(**REPEL), "c1-c2 e1-e2 g2ne@se d4nw-d6")
    assert (position.turn, position.to_act) == ("south", "north")
    assert kinds(position, "port:f6") == ["put port", "turn"]
    assert after(position, "port:f6").turn == "north"


def test_the_ports_of_a_teleport_turn_with_it_and_leave_in_other_directions() -> None:
    """'Teleport movements', 'Spin', with its note on when the Ports take off on their own again."""
    position = after(lay(**UNIT), "=c3@")
    assert {"c3ne", "c3sw"} <= set(RULES.look(position))
    assert "c3ne-d3" in set(RULES.legal(position))
    assert broken(position, "=c3@") == ["TP-2"]


def test_a_carried_or_sent_pole_has_not_moved() -> None:
    assert broken(after(lay(**UNIT), "=c3*a1"), "a1-a2") == []
    assert broken(after(lay(**UNIT), "=c3-c5"), "c5*a1") == []


@pytest.mark.parametrize("line", range(5))
def test_perft(shared: Path, line: int) -> None:
    text, *depths = (shared / "rules/perft/teleporters.txt").read_text().splitlines()[line].split(";")
    game, position, _ = replay(text)
    for entry in depths:
        depth, count = entry.split()
        assert perft(game.rules, position, int(depth[1:])) == int(count)


def spellings() -> list[str]:
    """Returns all spellings, but only one in four of the glides that end with a turn."""
    ports = [NAMES[square] + corner for square in QUADRANTS for corner in CORNERS]
    quadrants = [NAMES[square] for square in QUADRANTS]
    found = ["end", *(f"{kind}:{square}" for kind, square in product(("pole", "port"), NAMES))]
    found += [a + mark + b for a, mark, b in product(NAMES, "-*", NAMES)]
    found += [f"{port}-{b}" for port, b in product(ports, NAMES)]
    found += [f"{port}-{b}@{c}" for port, b, c in product(ports[::2], quadrants[::2], CORNERS)]
    found += [f"{port}@{c}" for port, c in product(ports, CORNERS)]
    found += [f"={a}{mark}{b}" for a, mark, b in product(quadrants, "-*", NAMES)]
    return [*found, *(f"={a}@" for a in quadrants)]


def test_judgement_agrees_with_what_is_legal_over_all_spellings() -> None:
    space, chance = spellings(), random.Random(3)
    positions = [lay(**RELIEVED), after(lay(**CHAIN), "d4nw-d6"), lay(**TWO_UNITS), lay(**REPEL)]
    position = START
    for _ in range(120):
        position = after(position, chance.choice(list(RULES.legal(position))))
    for tried in (*positions, position):
        legal = set(RULES.legal(tried))
        assert {a for a in space if not RULES.judge(tried, a)} == legal & set(space)


NONSENSE = (
    "",
    "c1",
    "c1-",
    "c1-c9",
    "b1nw-b3",
    "b2nw",
    "b2xx@se",
    "=c3",
    "=c1@",
    "pass",
    "c1-c2 ",
    "END",
    "pole:",
    "port:z1",
    "b2nw@se-b5",
    "c1-c2-c3",
)


@pytest.mark.parametrize("text", NONSENSE)
def test_what_makes_no_sense_is_said_so(text: str) -> None:
    assert broken(START, text) == ["GEN-1"]


@pytest.mark.parametrize(
    ("south", "north", "words"),
    [
        (SOUTH.replace("c1", "c4 c5"), NORTH, "four Poles and four Ports"),
        (SOUTH.replace("c1 d1", ""), NORTH + " a1nw", "cannot stand on 'a1nw'"),
        (SOUTH.replace("c1 d1", "c1"), NORTH.replace("c8", ""), "pieces are missing"),
        (SOUTH.replace("c3nw", "b2ne"), NORTH, "of one colour, in opposite corners"),
        (SOUTH, NORTH.replace("b7sw", "b2se"), "of one colour, in opposite corners"),
        (SOUTH.replace("c3nw", "b2se"), NORTH.replace("c8", "b2"), "cannot hold an opposing Pole"),
        ("a8 b8 c8 d8 b2nw c3nw f3ne g2ne", "a1 b1 c1 d1 b7sw c6sw f6se g7se", "not both sides"),
    ],
)
def test_what_cannot_be_a_position_is_refused(south: str, north: str, words: str) -> None:
    looks = {p: f"south/{'port' if len(p) > 2 else 'pole'}" for p in south.split()}
    looks |= {p: f"north/{'port' if len(p) > 2 else 'pole'}" for p in north.split()}
    with pytest.raises(PositionError, match=words):
        RULES.arrange(START, looks, "south")


def test_a_correction_keeps_what_no_camera_sees() -> None:
    position = after(START, "c1-c2 b2nw@se")
    looks = dict(RULES.look(position))
    looks["a8"] = looks.pop("c8")
    corrected = RULES.arrange(position, looks, "south")
    assert (corrected.moved, corrected.pole_moves, corrected.port_moves) == (position.moved, 1, 1)
    assert RULES.arrange(position, looks, "north").moved == frozenset()


def test_a_missing_piece_is_owed_by_its_owner() -> None:
    looks = dict(RULES.look(START))
    del looks["c8"]
    assert RULES.arrange(START, looks, "south").to_act == "north"
    with pytest.raises(PositionError, match="does not play"):
        RULES.arrange(START, looks, "red")


def test_counts_and_prompts() -> None:
    position = after(lay(**NEAR_GOAL), "b2nw@se")
    assert [(c.name, dict(c.values)) for c in RULES.counts(position)] == [
        ("Pole markers left", {"": 2}),
        ("Port markers left", {"": 1}),
        ("Poles on the Goal", {"south": 3, "north": 0}),
    ]
    assert RULES.prompt(position) == "2 Pole moves and 1 Port move left, or end the turn"
    owed = after(lay(**REPEL), "d4nw-d6")
    assert RULES.prompt(owed) == "put the Port in your hand on a portpad of your own"


@pytest.mark.parametrize(
    ("action", "path", "label"),
    [
        ("c1-d2", ("c1", "d2"), "walk from c1 to d2"),
        ("c1*d4", ("c1", "d4"), "teleport from c1 to d4"),
        ("b2nw-b5", ("b2nw", "b5nw"), "glide the Port from b2 to b5"),
        ("b2nw-b5@se", ("b2nw", "b5se"), "glide the Port from b2 to b5 and turn it to south-east"),
        ("b2nw@se", ("b2nw", "b2se"), "turn the Port on b2 to south-east"),
        ("=d3-d6", ("d3", "d6"), "glide the Teleport from d3 to d6"),
        ("=d3@", ("d3",), "spin the Teleport on d3"),
        ("=d3*c1", ("d3", "c1"), "send the Pole from d3 to c1"),
        ("pole:c1", ("c1",), "put the Pole on c1"),
        ("port:b2", ("b2",), "put the Port on b2"),
        ("end", (), "end the turn"),
    ],
)
def test_paths_and_labels(action: str, path: tuple[str, ...], label: str) -> None:
    assert RULES.path(action) == path
    assert RULES.label(action) == label


@pytest.mark.parametrize(
    ("laid", "action"),
    [
        ({}, "c1-c2"),
        ({}, "b2nw@se"),
        ({}, "b2nw-b5"),
        (POLE_TO_TAKE, "c3sw-c5@ne"),
        (UNIT, "=c3-c5"),
        (UNIT, "=c3@"),
        (UNIT, "=c3*a1"),
        (SURROUNDED, "d5*a1"),
        ({}, "c1-c4"),
        ({}, "b2nw-d4"),
    ],
)
def test_what_was_meant_is_among_the_attempts(laid: dict[str, str], action: str) -> None:
    """The change of the board that an action makes, legal or not, brings up its spelling."""
    position = lay(**laid)
    was = RULES.look(position)
    now = dict(RULES.look(RULES.play(position, action).position))
    changed = {
        p: (was.get(p, "empty"), now.get(p, "empty")) for p in {*was, *now} if was.get(p) != now.get(p)
    }
    assert action in list(RULES.attempts(position, changed))
