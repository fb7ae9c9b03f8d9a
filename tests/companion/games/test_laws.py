"""What holds for every game: each law is tried on the positions of random games, with every option.

A head (`GAME key=value…`) is played once, so many random actions long, and all laws look at that record.
"""

import random
import string
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from typing import Any

import pytest

from companion import games, rulebook
from companion.core.board import load_board
from companion.core.game import EMPTY, Action, Breach, Changes, Event
from companion.core.rules import Rules
from companion.games.reasons import explained
from companion.games.text import Game, read_game, replay, split
from companion.language import Message
from companion.record.session import Session
from companion.referee.evidence.looks import bare, changes
from companion.referee.verdict.guide import owner_of
from companion.referee.verdict.offence import likeliest_offence

ACTIONS, FEWER_ACTIONS, MANY_ACTIONS = 1_000, 300, 40_000
"""With a game's defaults; with an option, which changes a rule or two; in the soak."""
SPELLINGS, TRIED = 100, 50
"""How many spellings are judged at a position, and how many legal actions played."""
SHARE, SOME = 10, 100
"""The costlier laws are tried at one in so many positions of a record, and at so many at most."""
PATTERNS = ("=?",)
"""What `legal` gives for actions too many to list: Magnet's set-ups."""
WITHOUT_MOVES = ("no_overlap", "queens", "rooks")
"""Games in which pieces are put and taken, and none is moved."""


@dataclass(frozen=True)
class Moment:
    """A position of a random game, what was legal in it, what was played, and what that led to."""

    position: Any
    legal: tuple[Action, ...]
    action: Action
    events: tuple[Event, ...]
    after: Any
    unchanged: bool
    """Whether playing left the position as it was."""


@dataclass(frozen=True)
class Record:
    game: Game
    moments: tuple[Moment, ...]
    played: tuple[tuple[tuple[Action, ...], Any], ...]
    """Each game of the record: its actions, and its last position."""

    @property
    def rules(self) -> Rules[Any]:
        return self.game.rules

    @cached_property
    def some(self) -> list[Moment]:
        return random.Random(1).sample(self.moments, min(SOME, len(self.moments) // SHARE))

    @cached_property
    def judged(self) -> list[tuple[Moment, dict[str, tuple[Breach, ...]]]]:
        """At some positions, what each of so many spellings breaks."""
        near = sorted({a for moment in self.moments for a in moment.legal if a not in PATTERNS})
        chance = random.Random(self.game.head)
        judge = self.rules.judge
        return [
            (moment, {s: judge(moment.position, s) for s in _spellings(self, moment, near, chance)})
            for moment in self.some
        ]


def heads() -> Iterator[str]:
    """Each game with its defaults, and with each value of each option, for each number of players."""
    for name in games.installed():
        options = [o for o in games.rules(name).options if o.values]
        seats = next((o.values for o in options if o.name == "players"), ("",))
        others = [o for o in options if o.name != "players"]
        changes = [""] + [f"{o.name}={v}" for o in others for v in o.values if v != o.default]
        for seat, change in product(seats, changes):
            yield " ".join(filter(None, (name, seat and f"players={seat}", change)))


def play_at_random(head: str, actions: int, seed: int) -> Record:
    game, chance = read_game(head), random.Random(f"{head} {seed}")
    moments: list[Moment] = []
    played = []
    while len(moments) < actions:
        position, line = game.start(), []
        while len(moments) < actions and game.rules.outcome(position) is None:
            moment = _play_one(game.rules, position, chance)
            moments.append(moment)
            line.append(moment.action)
            position = moment.after
        played.append((tuple(line), position))
    return Record(game, tuple(moments), tuple(played))


def _play_one(rules: Rules[Any], position: Any, chance: random.Random) -> Moment:
    before = repr(position)
    legal = tuple(rules.legal(position))
    assert legal, f"stuck: {before}"
    action = chance.choice(legal)
    if action in PATTERNS:
        action = rules.set_up(position, chance)  # type: ignore[attr-defined]
    after, events = rules.play(position, action)
    return Moment(position, legal, action, events, after, repr(position) == before)


@pytest.fixture(scope="module", params=list(heads()))
def record(request: pytest.FixtureRequest) -> Record:
    options = [part for part in request.param.split()[1:] if not part.startswith("players=")]
    return play_at_random(request.param, FEWER_ACTIONS if options else ACTIONS, 0)


def test_legal_actions_are_distinct(record: Record) -> None:
    for moment in record.moments:
        assert len(set(moment.legal)) == len(moment.legal)


def test_playing_leaves_the_position_alone(record: Record) -> None:
    assert all(moment.unchanged for moment in record.moments)


def test_the_position_alone_is_that_which_playing_leads_to(record: Record) -> None:
    for moment in record.moments:
        assert record.rules.after(moment.position, moment.action) == moment.after


def test_a_list_of_moves_is_a_game_text(record: Record) -> None:
    for line, _ in record.played:
        words = (f"{n}.{n % 2 * ' '}{action.replace('-', '–')}," for n, action in enumerate(line, 1))
        assert split(" ".join((record.game.head.capitalize(), *words)))[1] == line


def test_where_players_alternate_each_action_ends_a_turn(record: Record) -> None:
    turns = [moment.position.turn != moment.after.turn for moment in record.moments]
    assert all(turns) or not record.rules.alternates


def test_nothing_is_legal_once_the_game_is_over(record: Record) -> None:
    for line, last in record.played:
        if record.rules.outcome(last) is not None:
            assert not list(record.rules.legal(last))
            assert [breach.rule for breach in record.rules.judge(last, line[-1])] == ["GEN-3"]


def test_the_player_to_act_and_the_winner_are_players(record: Record) -> None:
    for moment in record.moments:
        players = record.rules.players(moment.position)
        assert {moment.position.turn, moment.position.to_act} <= set(players)
    for _, last in record.played:
        outcome = record.rules.outcome(last)
        assert outcome is None or outcome.winner is None or outcome.winner in record.rules.players(last)


def test_a_canonical_spelling_reads_as_itself(record: Record) -> None:
    for moment in record.moments:
        assert record.rules.read(moment.position, moment.action) == moment.action
    for moment in record.some:
        assert [record.rules.read(moment.position, a) for a in moment.legal] == list(moment.legal)


def test_one_moved_piece_is_refused_as_that_pieces_move(record: Record) -> None:
    """Whosever piece it is, and wherever it is put: on an empty place or an opposing piece."""
    if record.rules.name in WITHOUT_MOVES:
        return
    chance = random.Random(record.game.head)
    for moment in _with_pieces(record):
        look = dict(record.rules.look(moment.position))
        start, end = _mistake(record, look, chance)
        seen = {place: there for place, there in look.items() if place != start} | {end: look[start]}
        if _is_explained(record.rules, moment.position, seen):
            continue
        offence = likeliest_offence(Session(record.game, moment.position), seen)
        path = record.rules.path(offence.attempt)
        assert {path[0], path[-1]} == {start, end}, offence
        assert not offence.after
        assert all(breach.rule != "GEN-1" for breach in offence.breaches), offence


def test_nobody_who_moves_pieces_is_told_of_spelling(record: Record) -> None:
    chance = random.Random(record.game.head)
    for moment in _with_pieces(record):
        look = seen = dict(record.rules.look(moment.position))
        for _ in range(2):
            start, end = _mistake(record, seen, chance)
            seen = {place: there for place, there in seen.items() if place != start} | {end: seen[start]}
        if seen != look and not _is_explained(record.rules, moment.position, seen):
            offence = likeliest_offence(Session(record.game, moment.position), seen)
            assert all(breach.rule != "GEN-1" for breach in offence.breaches), offence


def _with_pieces(record: Record) -> Iterator[Moment]:
    """Moments at which some piece stands on the board that is a player's."""
    for moment in record.some:
        if any(owner_of(look) in record.rules.players(moment.position) for look in _looks(record, moment)):
            yield moment


def _looks(record: Record, moment: Moment) -> Iterable[str]:
    return record.rules.look(moment.position).values()


def _mistake(record: Record, look: dict[str, str], chance: random.Random) -> tuple[str, str]:
    """A piece's place, and one where it could be put: of the same kind, empty or with another's piece."""
    board = record.game.board
    pieces = [p for p, there in look.items() if there[:1] != "+" and not board.pieces.is_neutral(there)]
    start = chance.choice(pieces)
    alike = board.sites if start in board.sites else board.places
    ends = [p for p in alike if owner_of(look.get(p, EMPTY)) != owner_of(look[start])]
    return start, chance.choice(ends)


def _is_explained(rules: Rules[Any], position: Any, seen: dict[str, str]) -> bool:
    """Whether one of the attempts is legal and leads to this board."""
    changed = changes(rules.look(position), seen)
    return any(
        rules.look(rules.play(position, rules.read(position, attempt)).position) == seen
        for attempt in rules.attempts(position, changed)
        if not rules.judge(position, attempt)
    )


def test_an_action_as_players_write_it_reads_as_the_action(record: Record) -> None:
    rules = record.rules
    played = [(moment.position, moment.action) for moment in record.moments]
    legal = [(moment.position, action) for moment in record.some for action in moment.legal]
    for position, action in (*played, *legal):
        assert rules.read(position, rules.write(position, action)) == action


def test_every_legal_action_is_judged_legal(record: Record) -> None:
    for moment in record.some:
        actions = set(moment.legal) - {*PATTERNS} | {moment.action}
        assert [a for a in actions if record.rules.judge(moment.position, a)] == []


def test_judge_is_empty_exactly_for_what_is_legal(record: Record) -> None:
    for moment, judged in record.judged:
        legal = set(moment.legal) - {*PATTERNS} | {moment.action}
        for spelling, breaches in judged.items():
            assert (not breaches) == (spelling in legal), (spelling, breaches, moment.position)


def _spellings(record: Record, moment: Moment, near: list[Action], chance: random.Random) -> Iterator[str]:
    """Actions of other positions, actions with a place or a letter changed, and nonsense."""
    places = [*record.game.board.sites, *record.game.board.places]
    for _ in range(SPELLINGS // 2):
        yield chance.choice(near)
    for _ in range(SPELLINGS // 4):
        yield _with_another_place(record.rules, chance.choice(near), places, chance)
    for _ in range(SPELLINGS // 8):
        yield _with_another_letter(chance.choice(moment.legal), chance)
        yield "".join(chance.choices("abh18-*x=@~+:T" + string.printable, k=chance.randrange(8)))


def _with_another_place(rules: Rules[Any], action: Action, places: list[str], chance: random.Random) -> str:
    named = [place for place in rules.path(action) if place in action]
    place = chance.choice(places)
    return action.replace(chance.choice(named), place, 1) if named else action + place


def _with_another_letter(action: Action, chance: random.Random) -> str:
    at = chance.randrange(len(action) + 1)
    return action[:at] + chance.choice(("", *"abc128-*x=@+")) + action[at + chance.randrange(2) :]


def test_every_breach_names_a_rule_of_the_book_and_places_of_the_board(record: Record) -> None:
    known = {*record.game.board.sites, *record.game.board.places}
    for _, judged in record.judged:
        for breach in chain(*judged.values()):
            assert rulebook.rule(breach.rule).text
            assert set(breach.sites) <= known, breach


def test_every_breach_is_explained_here_and_not_by_the_rule_alone(record: Record) -> None:
    """Each in a sentence with all of its fields, which are places of this action and players."""
    for moment, judged in record.judged:
        for spelling, breaches in judged.items():
            for breach in explained(record.rules, moment.position, spelling, breaches):
                assert isinstance(breach.words, Message)
                assert breach.words.endswith("."), (spelling, breach)
                assert breach.words != rulebook.rule(breach.rule).text
                if breach.rule != "GEN-1":  # which quotes any text
                    assert not _unfilled(breach.words), (spelling, breach)


def _unfilled(sentence: str) -> bool:
    """Whether a field of a sentence is left as it is spelled, or has nothing in it."""
    return any(gap in sentence for gap in ("{", "}", "  ", " .", " ,", "None"))


def test_replaying_the_text_gives_an_equal_position(record: Record) -> None:
    for line, last in record.played[:20]:
        game, position, actions = replay(record.game.text(line))
        assert (position, actions, game.head) == (last, line, record.game.head)


def test_looks_are_known_and_lie_on_the_board(record: Record) -> None:
    known = {*record.game.board.sites, *record.game.board.places}
    for moment in record.moments:
        shown = record.rules.look(moment.position)
        assert set(shown) <= known
        looks = record.rules.looks(moment.position)
        assert set(shown.values()) <= set(looks)
        assert looks[0] == EMPTY
        assert len(set(looks)) == len(looks)


def test_what_an_action_is_said_to_change_and_lead_to_is_what_playing_it_does(record: Record) -> None:
    chance = random.Random(record.game.head)
    for moment in record.some:
        before = record.rules.look(moment.position)
        legal = sorted(set(moment.legal) - {*PATTERNS})
        for action in chance.sample(legal, min(TRIED, len(legal))):
            told = record.rules.change(moment.position, action)
            after = record.rules.play(moment.position, action).position
            assert record.rules.after(moment.position, action) == after
            played = changes(before, record.rules.look(after))
            assert told is None or _pieces(told) == _pieces(played), action


def test_what_is_legal_at_some_places_is_legal_and_leaves_none_out(record: Record) -> None:
    chance = random.Random(record.game.head)
    places = [*record.game.board.sites, *record.game.board.places]
    for moment in record.some:
        some = set(chance.sample(places, 4))
        near = set(record.rules.legal_at(moment.position, some))
        at = {a for a in moment.legal if not (path := record.rules.path(a)) or some & {*path}}
        told = {a: record.rules.change(moment.position, a) or {} for a in moment.legal}
        at |= {action for action, changed in told.items() if some & changed.keys()}
        assert at <= near <= set(moment.legal)


def _pieces(changed: Changes) -> dict[str, tuple[str, str]]:
    """What comes and goes, whatever markers are laid."""
    bared = {place: (bare(was), bare(now)) for place, (was, now) in changed.items()}
    return {place: (was, now) for place, (was, now) in bared.items() if was != now}


def test_every_look_has_a_form_and_a_colour(record: Record) -> None:
    pieces, rules = record.game.board.pieces, record.rules
    for moment in record.some:
        for look in {*rules.looks(moment.position), *rules.pieces(moment.position).values()} - {EMPTY}:
            owner = look.partition("+")[0].partition("/")[0]
            assert not owner or owner in pieces.paint, look
            assert not owner or pieces.face(look).radius > 0


def test_paths_and_events_lie_on_the_board_and_labels_say_something(record: Record) -> None:
    known = {*record.game.board.sites, *record.game.board.places}
    for moment in record.moments:
        assert set(record.rules.path(moment.action)) <= known
        assert record.rules.label(moment.action)
        assert {site for event in moment.events for site in event.sites} <= known


def test_every_event_has_a_sentence(record: Record) -> None:
    for moment in record.moments:
        assert moment.events
        for event in moment.events:
            sentence = record.rules.tell(event)
            assert sentence
            assert not set("{}") & set(sentence), sentence


def test_the_scoreboard_counts_for_players_or_for_the_turn(record: Record) -> None:
    for moment in record.some:
        seats = {"", *record.rules.players(moment.position)}
        for count in record.rules.counts(moment.position):
            assert set(count.values) <= seats
            assert all(0 <= n <= (n if count.total is None else count.total) for n in count.values.values())
        assert record.rules.prompt(moment.position)


def test_arranging_what_is_seen_shows_the_same(record: Record) -> None:
    for moment in record.some:
        position = moment.position
        seen = record.rules.look(position)
        arranged = record.rules.arrange(position, seen, position.turn)
        assert record.rules.look(arranged) == seen
        assert arranged.turn == position.turn


def test_arranging_what_stands_keeps_what_no_camera_sees(record: Record) -> None:
    for position in (*(moment.position for moment in record.some), *(last for _, last in record.played)):
        for looks in (record.rules.look(position), record.rules.pieces(position)):
            assert record.rules.arrange(position, looks, position.turn) == position


def test_the_player_to_act_sees_what_may_be_played(record: Record) -> None:
    for moment in record.some:
        seen = record.rules.view(moment.position, moment.position.to_act)
        assert set(record.rules.legal(seen)) == set(moment.legal)
        assert (seen.turn, seen.to_act) == (moment.position.turn, moment.position.to_act)


def test_every_viewer_sees_the_same_board(record: Record) -> None:
    for moment in record.some:
        for viewer in (None, *record.rules.players(moment.position)):
            seen = record.rules.view(moment.position, viewer)
            assert record.rules.look(seen) == record.rules.look(moment.position)


CONSERVED = {
    "teleporters": ((), 16),
    "triune": (("captured",), 32),
    "escape": (("escaped",), 36),
    "ternion_factor players=2": (("in reserve",), 36),
    "ternion_factor players=4 pawns=4": (("in reserve",), 72),
    "ternion_spaces players=3": (("in reserve",), 54),
}
"""For games whose pieces stay in the game: the counts of those off the board, and how many there are."""


@pytest.mark.parametrize("head", CONSERVED)
def test_pieces_are_conserved(head: str) -> None:
    names, total = CONSERVED[head]
    record = play_at_random(head, ACTIONS, 2)
    for moment in record.moments:
        seen = [look for look in record.rules.look(moment.after).values() if not look.startswith("+")]
        counts = {count.name: sum(count.values.values()) for count in record.rules.counts(moment.after)}
        in_hand = record.rules.name == "teleporters" and moment.after.owed is not None
        assert len(seen) + sum(counts[name] for name in names) + in_hand == total


def _squares(files: str, ranks: str) -> list[str]:
    return [file + rank for file in files for rank in ranks]


def _chess_spellings() -> list[str]:
    squares = _squares("abcdefgh", "12345678")
    return [a + b + kind for a in squares for b in squares for kind in ("", *"qrbn")]


def _placings(sites: list[str]) -> list[str]:
    return [sign + site for sign in "+-" for site in sites]


def _leaps(sites: list[str]) -> list[str]:
    return [f"{a}-{b}" for a in sites for b in sites]


SPACES: dict[str, Callable[[], list[str]]] = {
    "chess": _chess_spellings,
    "queens": lambda: _placings(_squares("abcdefgh", "12345678")),
    "queens n=6": lambda: _placings(_squares("abcdefgh", "12345678")),
    "rooks": lambda: _placings(_squares("abcd", "1234")),
    "no_overlap": lambda: _placings(list(load_board("ternion").sites)),
    "jump_to_center": lambda: _leaps(list(load_board("ternion_spaces").sites)),
}
"""Games with a small space of spellings (of Jump to the Center: the steps) and no such test of their own."""


@pytest.mark.parametrize("head", SPACES)
def test_judge_is_empty_exactly_for_what_is_legal_over_the_whole_space(head: str) -> None:
    space = SPACES[head]()
    record = play_at_random(head, 200, 3)
    for moment in random.Random(4).sample(record.moments, 5):
        found = {a for a in space if not record.rules.judge(moment.position, a)}
        assert found == set(moment.legal) & set(space)
        assert set(moment.legal) <= set(space) or head == "jump_to_center"


@pytest.mark.soak
@pytest.mark.parametrize("head", list(heads()))
def test_a_long_play_holds_the_laws(head: str) -> None:
    record = play_at_random(head, MANY_ACTIONS, 1)
    for law in (
        test_legal_actions_are_distinct,
        test_playing_leaves_the_position_alone,
        test_the_position_alone_is_that_which_playing_leads_to,
        test_what_an_action_is_said_to_change_and_lead_to_is_what_playing_it_does,
        test_nothing_is_legal_once_the_game_is_over,
        test_every_legal_action_is_judged_legal,
        test_judge_is_empty_exactly_for_what_is_legal,
        test_looks_are_known_and_lie_on_the_board,
        test_every_event_has_a_sentence,
        test_arranging_what_is_seen_shows_the_same,
        test_arranging_what_stands_keeps_what_no_camera_sees,
    ):
        law(record)
