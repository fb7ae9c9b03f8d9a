"""The table as JSON under `/api/v1`: a GET reads its state, a POST acts at it.

A refused action is answered by 409 with the broken rules. So is an act that is not possible now; wrong input
is answered by 400.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Annotated, Any, TypeAlias

from flask import Response, abort, request
from werkzeug.exceptions import BadRequest, Conflict, MisdirectedRequest, ServiceUnavailable

from companion import games, tutorials
from companion.core.comments import tidy_line
from companion.core.game import EMPTY, Action, Breach, GameError, Option, Place, Player
from companion.core.players import named
from companion.core.puzzle import Advice, as_puzzle
from companion.core.rules import Rules
from companion.games.text import read_game, say_label, write_option
from companion.language import say
from companion.record.clock import parse_controls, write_controls
from companion.record.head import EVENT_KEYS, LAID, tidy_names
from companion.record.opponents import (
    COMPANION,
    ELSEWHERE,
    PRACTICE,
    Opponent,
    opponents_in,
    others_in,
    parse_opponents,
    seats_elsewhere,
    write_opponents,
)
from companion.record.session import ARBITER, Session, begin
from companion.record.task import Task, left_of, task_in
from companion.referee.verdict.offence import likeliest_offence
from companion.table.messages import (
    Answer,
    BeginProposed,
    Believe,
    ChangeHead,
    ChangeTime,
    CloseGame,
    Correct,
    Deed,
    EndTurn,
    Meant,
    Message,
    NewGame,
    RuleResult,
    StopClock,
    Submit,
    TakeBack,
    TurnBoard,
)
from companion.table.present import names_of, present_breach, present_past
from companion.table.refusals import is_begun
from companion.table.withdrawals import with_replies
from companion.wire import state as wire
from companion.wire.values import Wire
from opponent.mind import Choice, Question, ask
from web.calling import MEANT
from web.routes.auth import caller, has_secrets, require, require_seat
from web.routes.boards import BoardData, answer_board
from web.server.context import context
from web.server.languages import language
from web.server.subject import LONGEST, NO_TEXTS, Subject, View, body_of, refused, there

HEAD_FOR_NEXT = ("event", "place", "clock", "markers", PRACTICE)
"""What of a game's head holds for the next one of the same players, too."""
blueprint = Subject("api", __name__, url_prefix="/api/v1")


class Done(Wire):
    """The answer that a request was carried out."""

    words: str


Refusal: TypeAlias = tuple[dict[str, object], int]
"""What is wrong, and the broken rules, with the status."""


def acts(view: Callable[..., Message]) -> View:
    """Decorates a view that returns what the table is to do.

    `number` is the game that the act is meant for (0: an empty table), `plies` how many actions stood then.
    It is refused where the table went on. Who leaves them out acts on whatever is there. A hall also names
    the companion that it means, in a header.
    """

    @wraps(view)
    def ask(number: int | None = None, plies: int | None = None, **parts: Any) -> Done | Refusal:
        if request.headers.get(MEANT, context().store_identity) != context().store_identity:
            raise MisdirectedRequest(say("this is the page of another board: nothing was done"))
        return tell(Meant(view(**parts), number, plies))

    ask.__annotations__ = {"return": Done}
    ask.body = body_of(view, number=int, plies=int)  # type: ignore[attr-defined]
    return ask


@blueprint.get("/state")
def show_state() -> Annotated[Response, wire.TableState]:
    """Sends the whole state of the table, as the caller may see it."""
    snapshot = context().table.snapshot
    return context().show(snapshot, caller().viewer(snapshot), language()).answer("application/json")


@blueprint.get("/positions/<int(max=2147483647):n>")
def show_past(n: int) -> wire.PastPosition:
    """Sends the board after so many actions of the game that is on, as the caller may see it."""
    snapshot = context().table.snapshot
    session = there(snapshot.session, say("no game is on"))
    if n > len(session.plies):
        abort(404, say("the game has fewer actions"))
    return present_past(snapshot, session, n, caller().viewer(snapshot))


class GameOption(Wire):
    """An option of a game, with what each of its values means."""

    name: str
    values: tuple[str, ...]
    labels: tuple[str, ...]
    default: str
    about: str


class GameOffer(Wire):
    """A game that can be chosen."""

    name: str
    title: str
    line: str
    """What the game is about, in one line; '' where nothing is known."""
    board: str
    boards: Mapping[str, str]
    """Options (`name=value`) that have a board of their own."""
    options: tuple[GameOption, ...]
    players: tuple[Player, ...]
    classic: bool
    """It is one of the games that other programs have a notation for: chess, draughts."""
    tutorial: bool
    """How it is played can be shown."""
    markers: bool
    seats: Mapping[str, tuple[Player, ...]]
    """Options (`name=value`) that seat other players."""


@blueprint.get("/games")
def list_games() -> list[GameOffer]:
    """Lists all games that can be played here, with their options and seats."""
    return [describe_game(games.rules(name)) for name in games.installed()]


def describe_game(rules: Rules[Any]) -> GameOffer:
    """Returns a game as the page offers it."""
    usual, defaults = _seats(rules.name), {option.name: option.default for option in rules.options}
    choices = [(option.name, value) for option in rules.options for value in option.values]
    boards = {f"{name}={value}": rules.board_for({**defaults, name: value}) for name, value in choices}
    seats = {f"{name}={value}": _seats(f"{rules.name} {name}={value}") for name, value in choices}
    return GameOffer(
        name=rules.name,
        title=rules.title,
        line=tutorials.tutorial(rules.name).line if rules.name in tutorials.known() else "",
        board=rules.board,
        boards={text: board for text, board in boards.items() if board != rules.board},
        options=tuple(map(_describe_option, rules.options)),
        players=usual,
        classic=bool(rules.notations),
        tutorial=rules.name in tutorials.known(),
        markers=bool(read_game(rules.name).board.marks),
        seats={text: players for text, players in seats.items() if players != usual},
    )


def _describe_option(option: Option) -> GameOption:
    labels = tuple(say_label(option, value) for value in option.values)
    return GameOption(option.name, tuple(option.values), labels, option.default, say(option.about))


def _seats(text: str) -> tuple[Player, ...]:
    return begin(read_game(text)).players


@blueprint.get("/board")
def show_board() -> Annotated[Response, BoardData]:
    """Describes the board of the game that is on."""
    return answer_board(there(context().table.snapshot.session, say("no game is on")).game)


@blueprint.post("/games")
@acts
def start_game(
    *,
    game: str,
    options: dict[str, str] = NO_TEXTS,
    names: dict[str, str] = NO_TEXTS,
    clock: str = "",
    markers: bool = False,
    head: dict[str, str] = NO_TEXTS,
    companion: str = "",
    practice: bool = False,
    elsewhere: str = "",
) -> Message:
    """Begins a new game with its options, the names of its players, and a clock if wanted.

    The clock is a time control, such as `10:00+5`, or one for each player: `white=10 black=5`.

    With `markers` the players lay markers, and the companion checks them. `head` tells of the event: `event`,
    `place`, `round`, `board`.

    The companion plays the seats that `companion` names, each at a level from 1 to 6: `black=3`, or
    `black=3/30` for at most thirty seconds a turn. In a game for `practice` it gives hints. The player of the
    seat `elsewhere` sits at another table.
    """
    require()
    session = begin_asked(game, options)
    told = {**_event(head, EVENT_KEYS), **names_in(session, names), **clock_in(session, clock)}
    told |= {"markers": LAID} if markers else {}
    told |= {PRACTICE: "on"} if practice else {}
    told |= _head_elsewhere(session, elsewhere)
    return NewGame(session.game.head, {**told, **head_of_opponents(session, companion, told)})


@blueprint.post("/games/proposed")
@acts
def start_proposed() -> Message:
    """Begins the game that a round of the hall has for this table, with its names and its clock."""
    require()
    return BeginProposed()


@blueprint.post("/games/again")
@acts
def play_again(*, swapped: bool = False) -> Message:
    """Begins the game once more, with its options, players and clock: one that is over, or was set up anew.

    With `swapped` each player takes the next one's seat, and the own time along.
    """
    require()
    snapshot = context().table.snapshot
    session = snapshot.session
    if session is None or not (session.outcome or snapshot.is_set_up):
        raise Conflict(say("no game is over"))
    head = {key: value for key, value in snapshot.head.items() if key in HEAD_FOR_NEXT}
    seats = session.players
    before = (seats[-1], *seats[:-1]) if swapped else seats
    taken = dict(zip(seats, before, strict=True))
    head |= {seat: name for seat, old in taken.items() if (name := snapshot.head.get(old))}
    if "clock" in head:
        controls = parse_controls(head["clock"], seats)
        head["clock"] = write_controls({seat: controls[old] for seat, old in taken.items()})
    if elsewhere := seats_elsewhere(snapshot.head):
        head[ELSEWHERE] = " ".join(seat for seat, old in taken.items() if old in elsewhere)
    if opponents := opponents_in(snapshot.head):
        swapped_seats = {seat: opponents[old] for seat, old in taken.items() if old in opponents}
        head[COMPANION] = write_opponents(swapped_seats)
    return NewGame(session.game.head, head)


@blueprint.post("/actions")
@acts
def submit(*, action: str) -> Message:
    """Plays an action for the player who owes it."""
    return Submit(action, _decide())


class Judged(Wire):
    """The rules that an action would break now; none where it is legal."""

    action: str
    written: str
    breaks: tuple[wire.Breach, ...]


@blueprint.get("/judge")
def judge() -> Judged:
    """Tells which rules an action would break now, or a piece that is moved so, and plays nothing."""
    action, start, end = (request.args.get(key, "") for key in ("action", "from", "to"))
    if not (action or (start and end)) or len(action) > LONGEST:
        raise BadRequest("give an action, or a way: /api/v1/judge?action=… or ?from=…&to=…")
    by, session = _decide(), context().table.snapshot.session
    if session is None:
        return Judged(action, action, ())
    if action:
        breaches = session.reasons(action, by)
    else:
        action, breaches = _judge_way(session, start, end)
    return Judged(action, session.game.board.called(action), write_breaches(breaches))


def _judge_way(session: Session, start: Place, end: Place) -> tuple[Action, tuple[Breach, ...]]:
    """Returns the action that whoever moves a piece so most likely means, and what it breaks."""
    board, look = session.game.board, session.look
    if not {start, end} <= board.sites.keys() | board.places.keys():
        raise BadRequest("no place of this board")
    found = likeliest_offence(session, {**look, start: EMPTY, end: look.get(start, EMPTY)})
    return found.attempt, found.breaches


@blueprint.get("/advice")
def advise() -> Advice:
    """Gives a hint: for a puzzle, and tells whether it can still be solved; in a game that was begun as
    practice, what a good player would do now, of what this player knows."""
    player, shared = _decide(), context()
    snapshot = shared.table.snapshot
    assert snapshot.session is not None  # without a session `_decide` has refused
    if not shared.thinking.acquire(blocking=False):
        raise ServiceUnavailable(say("a hint is being looked for: try again"), retry_after=1)
    try:
        if task := task_in(snapshot.head):
            return _hint_of(task, snapshot.session)
        if PRACTICE in snapshot.head and shared.services.hint:
            return _hint(snapshot.session, player, shared.services.hint)
        rules, position = as_puzzle(snapshot.session.rules), snapshot.session.position
        return rules.advise(position, shared.settings.think_seconds)
    finally:
        shared.thinking.release()


def _hint_of(task: Task, session: Session) -> Advice:
    """Returns the hint in a puzzle from a game: where its turn begins, and all of it."""
    left = left_of(task, session)
    if not left or session.outcome:
        raise GameError(say("take back what you have begun of this turn"))
    place = next(iter(session.rules.path(left[0])), "")
    nudge = say("It begins on {place}.", place=session.game.board.called(place)) if place else ""
    return Advice(None, left[0], " ".join(session.write(*left)), nudge)


def _hint(session: Session, player: Player, think: Callable[[Question], Choice | None]) -> Advice:
    choice = think(ask(session, player, seconds=context().settings.think_seconds))
    if choice is None or not choice.actions:
        raise GameError(say("no hint was found: try again"))
    words = say(
        "{actions} (chance of winning: {percent} %)",
        actions=" ".join(session.write(*choice.actions)),
        percent=round(100 * choice.worth),
    )
    return Advice(None, choice.actions[0], words)


@blueprint.post("/opponents")
@acts
def hand_over(*, companion: str) -> Message:
    """Hands seats over to the companion in the middle of a game, as when one begins: it plays these seats
    from now on, and no others."""
    require()
    snapshot = context().table.snapshot
    session = snapshot.session
    if session is None:
        raise Conflict(say("no game is on: choose one first"))
    if seats_elsewhere(snapshot.head):
        raise Conflict(say("in a game at two tables people play"))
    before, seats = opponents_in(snapshot.head), _seats_of_companion(companion, session)
    own = {seat for seat, opponent in before.items() if snapshot.head.get(seat) == _name_opponent(opponent)}
    left = dict.fromkeys(own - seats.keys(), "")
    told = {seat: name for seat, name in snapshot.head.items() if seat not in own}
    return ChangeHead({**left, **_names_of_companion(seats, told), COMPANION: write_opponents(seats)})


@blueprint.post("/answers")
@acts
def answer(*, question: int, choice: list[str]) -> Message:
    """Answers a question of the referee by one of its choices."""
    return Answer(question, tuple(choice), _answers_for())


@blueprint.post("/takebacks")
@acts
def take_back(*, count: int = 1) -> Message:
    """Takes back the last actions: a player its own, the arbiter any, and also a result without an action.

    One that is merely begun on the board is the last of all: it is given up, and has to be put back. A
    `count` of 0 is a result alone.
    """
    return TakeBack(count, _act(_owner(count)))


@blueprint.post("/redos")
@acts
def redo() -> Message:
    """Plays again the actions that were taken back."""
    return Deed("redo", _act())


@blueprint.post("/turn-ends")
@acts
def end_turn() -> Message:
    """Ends the turn, as a press of the clock does: all of it stands on the board."""
    return EndTurn(_act())


@blueprint.post("/resignations")
@acts
def resign(*, player: str) -> Message:
    """Resigns for a player."""
    require(player)
    return Deed("resign", player)


@blueprint.post("/draws/<any(offer, accept, decline, claim):step>")
@acts
def draw(step: str, *, player: str) -> Message:
    """Offers, accepts, declines or claims a draw for a player."""
    require(player)
    return Deed(step, player)


@blueprint.post("/corrections")
@acts
def correct(*, looks: dict[str, str], turn: str) -> Message:
    """Corrects the position: the looks on the board, and whose turn it is."""
    require()
    return Correct(looks, turn)


@blueprint.post("/head")
@acts
def change_head(*, head: dict[str, str]) -> Message:
    """Tells more of the game that is on: names of its players, `event`, `place`, `round`, `board`. An empty
    text takes away what was told."""
    require()
    session = context().table.snapshot.session
    known = (*session.players, *EVENT_KEYS) if session else EVENT_KEYS
    return ChangeHead(_event(head, known))


@blueprint.post("/results")
@acts
def rule_result(*, winner: str) -> Message:
    """Rules the result: a winner, or '' for a draw."""
    require()
    return RuleResult(winner)


@blueprint.post("/times/<any(give, set):change>")
@acts
def change_time(change: str, *, player: str, seconds: int) -> Message:
    """Gives a player so many seconds (fewer than 0: takes them), or sets their clock to that.

    In byo-yomi the seconds are those until the flag falls, all periods among them.
    """
    require()
    return ChangeTime(player, seconds, is_set=change == "set")


@blueprint.post("/clock/<any(stop, start):run>")
@acts
def change_run(run: str) -> Message:
    """Stops the clock, or lets it go on."""
    require()
    return StopClock(run == "stop")


@blueprint.post("/beliefs")
@acts
def believe() -> Message:
    """Confirms that the board stands as the game has it, whatever the sensors say."""
    _act()
    return Believe()


@blueprint.post("/board-turns")
@acts
def turn_board() -> Message:
    """Reads the board from its other side: the pieces are laid from there."""
    _act()
    return TurnBoard()


@blueprint.post("/closings")
@acts
def close() -> Message:
    """Clears the table for another game. This one stays among the records."""
    require()
    return CloseGame()


def _act(player: str = "") -> str:
    """Returns for whom the caller acts now: this player, or for '' the one who owes the next action."""
    session = context().table.snapshot.session
    if session is None:
        require()
        raise Conflict(say("no game is on: choose one first"))
    owed = player or session.position.to_act
    require(owed)
    return str(owed)


def _decide() -> str:
    """Returns the player who decides now, if the caller may decide for it."""
    player = _act()
    require_seat(player)
    return player


def _answers_for() -> str:
    """Returns for whom the caller answers. With secrets nobody else learns whether there is a question."""
    snapshot = context().table.snapshot
    if not has_secrets(snapshot):
        return _act(snapshot.question.by if snapshot.question else "")
    player = caller().seat_in(snapshot)
    require_seat(player or "a player")
    return player


def _owner(count: int) -> str:
    """Returns who may take the last actions back: the player of them all, else the arbiter.

    What the companion plays goes with the action to which it replied.

    Only the arbiter lifts a result.
    """
    snapshot = context().table.snapshot
    session = snapshot.session
    if session is None:
        return ""
    if count and is_begun(snapshot, session, caller().seat_in(snapshot)):
        if count == 1:
            return str(session.position.to_act)
        count -= 1
    if not (session.ruled or session.plies):
        return ""
    others = others_in(snapshot.head)
    count = with_replies(session, others, max(count, 1))
    owners = {ply.player for ply in session.plies[-count:]} - {*others} or {ARBITER}
    return ARBITER if session.ruled or len(owners) > 1 else owners.pop()


def begin_asked(name: str, options: Mapping[str, str]) -> Session:
    """Returns a new game as it begins. BadRequest where there is none such.

    The page cannot name board files, since it knows no file of this machine.
    """
    try:
        known = {option.name: option for option in games.rules(name).options}
        for key, value in options.items():
            if key not in known:
                raise BadRequest(say("{game} has no option '{key}'", game=name, key=key[:40]))
            values = known[key].values
            if values and value not in values:  # a blank in it would begin another option
                raise BadRequest(
                    say(
                        "{game}: {key}={value} is not one of {values}",
                        game=name,
                        key=key,
                        value=value[:40],
                        values=", ".join(values),
                    )
                )
        words = (write_option(known[key], value) for key, value in options.items())
        return begin(read_game(" ".join((name, *filter(None, words)))))
    except GameError as error:
        raise BadRequest(str(error)) from error


def _event(head: Mapping[str, str], known: Iterable[str]) -> dict[str, str]:
    """Returns what is told of a game's head. BadRequest where that is not one of these keys."""
    for key in head:
        if key not in known:
            raise BadRequest(
                say("a head's keys are {keys}, not '{key}'", keys=", ".join(known), key=key[:40])
            )
    with refused(GameError, BadRequest):
        return tidy_names(head)


def names_in(session: Session, names: Mapping[str, str]) -> dict[str, str]:
    for seat in names:
        if seat not in session.players:
            raise BadRequest(say("there is no seat '{seat}'", seat=seat[:40]))
    with refused(GameError, BadRequest):
        return {seat: name for seat, name in tidy_names(names).items() if name}


def head_of_opponents(session: Session, companion: str, told: Mapping[str, str]) -> dict[str, str]:
    """Returns what a head says of the seats that the companion plays: which, and what it is called there."""
    if not companion.strip():
        return {}
    seats = _seats_of_companion(companion, session)
    return {**_names_of_companion(seats, told), COMPANION: write_opponents(seats)}


def _head_elsewhere(session: Session, seat: str) -> dict[str, str]:
    """Returns what a head says of the seat at another table. BadRequest where there can be none."""
    if not seat:
        return {}
    if len(session.players) != 2 or seat not in session.players:
        raise BadRequest(say("at two tables two players play, each at a table"))
    if session.rules.keeps_secrets(session.first):
        raise BadRequest(say("at two tables the players alone know their secret values: choose that"))
    return {ELSEWHERE: seat}


def _names_of_companion(seats: Mapping[Player, Opponent], told: Mapping[str, str]) -> dict[str, str]:
    """Returns what the companion is called on its seats, but for those with a name that somebody told."""
    return {seat: _name_opponent(opponent) for seat, opponent in seats.items() if seat not in told}


def _name_opponent(opponent: Opponent) -> str:
    return f"Companion {opponent.level}"


@refused(GameError, BadRequest)
def _seats_of_companion(text: str, session: Session) -> dict[Player, Opponent]:
    if text.strip() and not session.rules.can_be_thought_about(session.first):
        raise BadRequest(say("the companion cannot play where nobody tells it what its pieces are"))
    return parse_opponents(text, session.players)


@refused(GameError, BadRequest)
def clock_in(session: Session, control: str) -> dict[str, str]:
    if not control.strip():
        return {}
    return {"clock": write_controls(parse_controls(control, session.players))}


def tell(message: Message | Meant) -> Done | Refusal:
    """Hands a message to the table, and returns the reply as an answer."""
    try:
        reply = context().table.ask(message, context().settings.ask_seconds)
    except TimeoutError as error:
        raise ServiceUnavailable(say("the table is busy: try again"), retry_after=1) from error
    if reply.ok:
        return Done(reply.words)
    return {"error": tidy_line(reply.words), "breaks": write_breaches(reply.breaches)}, 409


def write_breaches(breaches: Iterable[Breach]) -> tuple[wire.Breach, ...]:
    """Returns broken rules with their words, and with the names of the players at the table."""
    names = names_of(context().table.snapshot)
    return tuple(named(present_breach(breach), names) for breach in breaches)
