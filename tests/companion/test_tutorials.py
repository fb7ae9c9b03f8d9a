"""How to play: what the page shows of each game is true by the rules of that game."""

import random
from dataclasses import replace

import pytest

from companion import games, tutorials
from companion.core.game import GameError
from companion.games.text import read_game, replay
from companion.rulebook import rules
from companion.tutorials import Topic, TutorialError, frames, play_topic, tutorial

GAMES = tuple(games.GAMES)
TOPICS = [(game, topic.name) for game in GAMES for topic in tutorial(game).topics]
ACTIONS = 400
LONGEST_LINE = 70
"""The letters that a card on the first page has room for."""


def topic_of(game: str, name: str) -> Topic:
    return next(topic for topic in tutorial(game).topics if topic.name == name)


def test_every_game_has_a_tutorial() -> None:
    assert set(tutorials.known()) == set(GAMES)


@pytest.mark.parametrize(("game", "name"), TOPICS)
def test_each_step_is_played_or_refused_as_it_says(game: str, name: str) -> None:
    topic = topic_of(game, name)
    for step, frame in zip(topic.steps, frames(game, name)[1:], strict=True):
        assert {breach.rule for breach in frame.breaches} == ({step.rule} if step.rule else set())
        assert step.words


@pytest.mark.parametrize(("game", "name"), TOPICS)
def test_a_topic_names_its_rules_and_ends_with_what_may_be_done(game: str, name: str) -> None:
    topic, known = topic_of(game, name), tutorial(game).rules
    assert topic.rules
    assert set(topic.rules) <= set(known)
    assert {step.rule for step in topic.steps if step.rule} <= set(known)
    assert any(not step.rule for step in topic.steps), "each topic plays something"
    assert not topic.only or replay(f"{game} {topic.only}")


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_action_has_a_topic(game: str) -> None:
    kinds = games.rules(game).action_kinds
    shown = {
        games.rules(game).kind(frame.action)
        for topic in tutorial(game).topics
        for frame in frames(game, topic.name)
        if frame.action and not frame.breaches
    }
    assert shown == set(kinds.values())


@pytest.mark.parametrize("variant", ["english", "international"])
def test_each_draughts_shows_its_moves(variant: str) -> None:
    rules_of_game = games.rules("draughts")
    own = [topic for topic in tutorial("draughts").topics if topic.only == f"variant={variant}"]
    shown = {rules_of_game.kind(frame.action) for topic in own for frame in play_topic(topic)}
    assert {"move", "capture"} <= shown


@pytest.mark.parametrize("game", GAMES)
def test_every_spelling_has_a_kind(game: str) -> None:
    """Nothing that a random game offers is of no kind."""
    chance = random.Random(1)
    game_rules = games.rules(game)
    position = read_game(game).start()
    for _ in range(ACTIONS):
        legal = list(game_rules.legal(position))
        if not legal:
            break
        assert [action for action in legal if not game_rules.kind(action)] == []
        action = chance.choice(legal)
        if "?" in action:
            action = game_rules.set_up(position, chance)  # type: ignore[attr-defined]
        position = game_rules.play(position, action).position


@pytest.mark.parametrize("game", GAMES)
def test_a_line_says_what_the_game_is_about(game: str) -> None:
    line = tutorial(game).line
    assert line.endswith(".")
    assert len(line) <= LONGEST_LINE


@pytest.mark.parametrize("game", GAMES)
def test_the_game_in_play_can_be_played_and_is_not_over(game: str) -> None:
    told, position, actions = replay(tutorial(game).in_play)
    assert told.rules.name == game
    assert told.rules.outcome(position) is None
    assert len(actions) >= 3


@pytest.mark.parametrize("game", GAMES)
def test_goal_legend_and_questions_are_told(game: str) -> None:
    told, head = tutorial(game), read_game(game)
    start = head.start()
    assert told.goal.endswith(".")
    assert told.asks
    assert told.legend
    looks = {*head.rules.looks(start), *head.rules.palette(start), *head.rules.pieces(start).values()}
    for entry in told.legend:
        assert entry.words.endswith(".")
        assert bool(entry.look) != bool(entry.at)
        owner, _, face = entry.look.partition("/")
        is_marker = entry.look.startswith("+")
        is_faced = owner in head.board.pieces.paint and face in head.board.pieces.faces
        assert entry.at in head.board.sites if entry.at else entry.look in looks or is_marker or is_faced


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_of_the_game_is_among_its_rules_and_in_a_topic(game: str) -> None:
    told = tutorial(game)
    assert told.rules
    assert set(told.rules) <= set(rules())
    assert {number for topic in told.topics for number in topic.rules} == set(told.rules)


def test_every_rule_of_the_rulebook_is_told_somewhere() -> None:
    told = {number for game in GAMES for number in tutorial(game).rules}
    assert {number for number in rules() if not number.startswith("GEN-")} == told


@pytest.mark.parametrize("game", GAMES)
def test_names_of_topics_are_unlike(game: str) -> None:
    names = [topic.name for topic in tutorial(game).topics]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"play": "c3-c5", "rule": ""}, "should break no rule, and breaks TR-3"),
        ({"play": "c3-d4", "rule": "TR-3"}, "should break TR-3, and breaks no rule"),
        ({"play": "c3-c5", "rule": "TR-4"}, "should break TR-4, and breaks TR-3"),
        ({"play": "c3-d4", "rule": "", "wins": "red"}, "the winner should be 'red', and is ''"),
    ],
)
def test_what_the_rules_contradict_is_an_error(change: dict[str, str], words: str) -> None:
    topic = topic_of("triune", "solid")
    wrong = replace(topic, steps=(replace(topic.steps[0], **change),))
    with pytest.raises(GameError, match=words):
        list(play_topic(wrong))


def test_an_error_names_game_and_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    told = tutorial("triune")
    wrong = replace(told.topics[0], text="triune a2-a5")
    monkeypatch.setattr(tutorials, "tutorial", lambda game: replace(told, topics=(wrong,)))
    frames.cache_clear()
    with pytest.raises(TutorialError, match="triune, 'solid': step 1: 'a2-a5' is not allowed"):
        frames("triune", "solid")


def test_an_unknown_game_has_none() -> None:
    with pytest.raises(KeyError):
        tutorial("go")
