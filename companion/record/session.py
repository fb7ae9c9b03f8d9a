"""Defines the session: a game being played, an immutable value that is made of the game's log.

The log holds the truth, and only grows: takebacks, corrections, refusals and offers are entries like actions.
A session is what the log amounts to, so that restoring a game after a crash, replaying a record and taking
back are the same fold over entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from itertools import groupby
from typing import Any

from companion.core.game import (
    EMPTY,
    Action,
    Breach,
    Contradiction,
    Event,
    GameError,
    IllegalActionError,
    Look,
    Outcome,
    Place,
    Player,
    PositionError,
)
from companion.core.players import say_player
from companion.core.rules import Rules
from companion.games.reasons import explained
from companion.games.text import Game
from companion.language import say
from companion.record.head import HEAD, keys_of

ARBITER = "arbiter"
ANSWER = "answer"
"""The source of a player's choice among equal explanations: it tells what happened, and changes no mind."""
REFEREE = "referee"
"""The author of takebacks of what was accepted and turned out otherwise: they change no mind either."""
DEALT = "dealt"
"""The source of what chance dealt: no player's action."""
PUZZLE = "puzzle"
"""The source of the result of a puzzle from a game that is solved."""
SOLVED = "solved"
"""The end of a puzzle that is solved."""
GIVEN_UP = "given up"
"""The end of a game that its only player resigns."""
STOP, START = "stop", "start"
"""The texts of entries by which the arbiter stops the clock, and lets it go on."""
GIFT = re.compile(r"(\S+) [+-][0-9]{1,6}\.[0-9]")
"""The text of an entry by which the arbiter gives a player seconds, or takes some: `white +120.0`."""
DIGITS = re.compile("[0-9]{1,6}")
GUESS = 0.5
"""An entry that is less certain than this is a guess among equal explanations."""


class SessionError(GameError):
    """Something other than an action that cannot be done in this game now."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a game's log: what happened, and where that is known from.

    `text` is an action's spelling, the number of plies taken back, a correction's looks, a change of the
    clock or of the head, or words; `by` the player concerned or `arbiter`; `source` the sensor or input that
    reported it (`camera:0`, `tablet`); `certainty` how sure that was (0 to 1); `time` seconds since 1970;
    `clock` the seconds that the player had left after it, where a clock runs.
    """

    kind: str
    text: str = ""
    by: str = ""
    source: str = ""
    certainty: float = 1.0
    time: float = 0.0
    clock: float | None = None


def as_note(entry: Entry) -> Entry:
    """Returns a line that cannot be replayed as one that only says what it was."""
    return replace(entry, kind="note", text=f"{entry.kind} {entry.text}".rstrip())


@dataclass(frozen=True, slots=True)
class Ply:
    """An action, or an arbiter's correction, with the position that it led to."""

    entry: Entry
    player: Player
    after: Any
    events: tuple[Event, ...] = ()
    written: str = ""
    """The action as players write it; '' for a correction."""

    @property
    def action(self) -> Action:
        return self.entry.text

    @property
    def is_seen(self) -> bool:
        """Returns whether sensors reported it: what somebody entered or answered is certain."""
        return self.entry.certainty < 1


@dataclass(frozen=True)
class Session:
    """A game in progress or over."""

    game: Game
    first: Any
    plies: tuple[Ply, ...] = ()
    undone: tuple[Entry, ...] = ()
    offer: Player = ""
    agreed: tuple[Player, ...] = ()
    """The players who have accepted the draw that is offered."""
    ruled: Outcome | None = None
    log: tuple[Entry, ...] = field(default=(), repr=False)

    @property
    def rules(self) -> Rules[Any]:
        return self.game.rules

    @property
    def position(self) -> Any:
        return self.plies[-1].after if self.plies else self.first

    @cached_property
    def look(self) -> Mapping[Place, Look]:
        """Returns what a perfect camera would see now."""
        return self.rules.look(self.position)

    @property
    def players(self) -> tuple[Player, ...]:
        return self.rules.players(self.first)

    @property
    def outcome(self) -> Outcome | None:
        return self.ruled or self.rules.outcome(self.position)

    @property
    def has_secrets(self) -> bool:
        """Returns whether anybody knows something now that not everybody may know."""
        return bool(self.public_position != self.position)

    @property
    def is_public(self) -> bool:
        """Returns whether everybody may know all: nothing else says when secrets end."""
        return self.outcome is not None

    @property
    def may_hide(self) -> bool:
        """Returns whether players may know different things, now or later."""
        return not self.is_public and self.rules.keeps_secrets(self.first)

    @property
    def is_told(self) -> bool:
        """Returns whether the end of the game has told what players hid: its result stands then."""
        return self.is_public and self.rules.keeps_secrets(self.first)

    @property
    def public_position(self) -> Any:
        """Returns the position as everybody knows it."""
        return self.seen_by(None, self.position)

    def seen_by(self, viewer: Player | None, position: Any) -> Any:
        """Returns a position of this game as a viewer may know it."""
        return position if self.is_public else self.rules.view(position, viewer)

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(ply.action for ply in self.plies)

    @property
    def text(self) -> str:
        """Returns the game text: the actions that stand, as `replay` reads them."""
        return self.game.text(self.actions)

    def has_revealed(self, ply: Ply) -> bool:
        """Returns whether an action told a secret, and is no mere guess of what somebody may have said."""
        is_guess = ply.entry.certainty < GUESS and not self.rules.path(ply.action)
        return not self.rules.reversible(ply.after) and not is_guess

    def line(self, ply: Ply) -> int:
        """Returns the line of the log, from 1, that a ply of this session is written in."""
        return next(n for n in range(len(self.log), 0, -1) if self.log[n - 1] is ply.entry)

    def audit(self, told: Sequence[str]) -> Contradiction | None:
        """Returns the first thing in the game that does not agree with what each seat tells after it; None
        where all does.

        GameError for a game without such a check, for one that was corrected, and for what cannot be true.
        """
        corrected = [n for n, ply in enumerate(self.plies, 1) if ply.entry.kind == "correction"]
        if corrected:
            words = say(
                "step {step} is an arbiter's correction: the game cannot be played again", step=corrected[0]
            )
            raise GameError(words)
        return self.rules.audit(self.first, self.actions, told, self.outcome, self.ruled is not None)

    def positions(self) -> tuple[Any, ...]:
        """Returns the start, and the position after each ply."""
        return (self.first, *(ply.after for ply in self.plies))

    def judge(self, action: str, by: Player = "") -> tuple[Breach, ...]:
        """Returns why an action is not allowed now; () when it is.

        `by` is who wants to act, where that is known.
        """
        if self.ruled:
            return (Breach("GEN-3"),)
        if by and by not in (ARBITER, self.position.to_act) and not self.outcome:
            return (Breach("GEN-2"),)  # what else is broken may be another's secret
        return self.rules.judge(self.position, self.rules.read(self.position, action))

    def reasons(self, action: str, by: Player = "") -> tuple[Breach, ...]:
        """Returns what `judge` finds, each breach with the sentence that says what is wrong here."""
        return self.explain(action, self.judge(action, by))

    def explain(self, action: str, breaches: Iterable[Breach]) -> tuple[Breach, ...]:
        """Returns the breaches of an action in this position, each with a sentence: what is wrong."""
        found = explained(self.rules, self.position, action, breaches)
        return tuple(replace(breach, words=self.game.board.called(breach.words)) for breach in found)

    def write(self, *actions: Action) -> tuple[str, ...]:
        """Returns actions in a row as players write and call them; the last of them need not be legal."""
        rules, position, written = self.rules, self.public_position, list[str]()
        for action in actions:
            written.append(self.game.board.called(rules.write(position, action)))
            if not rules.judge(position, action):
                position = rules.after(position, action)
        return tuple(written)

    def tell(self, event: Event) -> str:
        """Returns the sentence for an event, with the places as players call them."""
        return self.game.board.called(self.rules.tell(event))

    def timed(self, left: float) -> Session:
        """Returns the session with what the clock showed written into its last action."""
        ply = self.plies[-1]
        entry = replace(ply.entry, clock=left)
        return replace(self, plies=(*self.plies[:-1], replace(ply, entry=entry)), log=(*self.log[:-1], entry))

    def apply(self, entry: Entry) -> Session:
        """Returns the session after one more entry.

        IllegalActionError or SessionError when it cannot follow.
        """
        after = _APPLY[entry.kind](self, entry)
        return replace(after, log=(*self.log, after.plies[-1].entry if entry.kind == "action" else entry))

    def play(self, *actions: Action) -> Session:
        """Returns the session after actions in a row, of which nothing else is known."""
        return reduce(Session.apply, (Entry("action", action) for action in actions), self)


def begin(game: Game) -> Session:
    return Session(game, game.start())


def restore(game: Game, log: Iterable[Entry]) -> Session:
    session = begin(game)
    for are_actions, group in groupby(log, key=lambda entry: entry.kind == "action"):
        entries = list(group)
        session = _play_all(session, entries) if are_actions else reduce(Session.apply, entries, session)
    return session


def common_plies(a: Session, b: Session) -> int:
    """Returns how many first plies two sessions of one game have in common."""
    count = 0
    for x, y in zip(a.plies, b.plies, strict=False):
        if x is not y and x.action != y.action:
            break
        count += 1
    return count


def write_looks(turn: Player, looks: Mapping[Place, Look], before: Mapping[Place, Look]) -> str:
    """Writes a correction as one word: whose turn it is, then each place whose look changes."""
    places = sorted({*looks, *before})
    changes = [f"{p}={looks.get(p, EMPTY)}" for p in places if looks.get(p, EMPTY) != before.get(p, EMPTY)]
    return ";".join(("turn=" + turn, *changes))


def read_looks(text: str, before: Mapping[Place, Look]) -> tuple[Player, dict[Place, Look]]:
    """Reads a correction that `write_looks` wrote: whose turn it is, and all looks."""
    looks, turn = dict(before), ""
    for word in text.split(";"):
        place, mark, look = word.partition("=")
        if not mark:
            raise SessionError(
                say("a correction is written turn=PLAYER;PLACE=LOOK;…, not '{word}'", word=word)
            )
        if place == "turn":
            turn = look
        else:
            looks[place] = look
    return turn, looks


def _play(session: Session, entry: Entry) -> Session:
    action = session.rules.read(session.position, entry.text)
    breaches = session.judge(action)
    if breaches:
        [written] = session.write(action)
        raise IllegalActionError(written, session.explain(action, breaches))
    player = session.position.to_act
    after, events = session.rules.play(session.position, action)
    entry = entry if entry.text == action else replace(entry, text=action)
    ply = Ply(entry, player, after, events, session.rules.write(session.position, action))
    # Who is asked for a draw declines it by playing on; who offers it or has accepted it may play meanwhile.
    offer = session.offer if player in (session.offer, *session.agreed) else ""
    return replace(session, plies=(*session.plies, ply), undone=(), offer=offer)


def _play_all(session: Session, entries: Iterable[Entry]) -> Session:
    """Returns the session after actions in a row.

    Each is played on a session that holds no ply but the last: so the thousandth takes as long as the first.
    """
    plies: list[Ply] = []
    newest = session
    for entry in entries:
        try:
            newest = _play(replace(newest, plies=newest.plies[-1:]), entry)
        except IllegalActionError as error:
            step = len(session.plies) + len(plies) + 1
            raise IllegalActionError(error.action, error.breaches, step) from error
        plies.append(newest.plies[-1])
    log = (*session.log, *(ply.entry for ply in plies))
    return replace(newest, plies=(*session.plies, *plies), log=log)


def _take_back(session: Session, entry: Entry) -> Session:
    if not DIGITS.fullmatch(entry.text):
        raise SessionError(say("a number of actions is taken back, not '{text}'", text=entry.text))
    count = int(entry.text)
    if session.ruled:
        return _lift_ruling(session, entry)
    if not 1 <= count <= len(session.plies):
        raise SessionError(say("there is nothing to take back") if count else say("take back how many?"))
    is_told = any(session.has_revealed(ply) for ply in session.plies[-count:])
    if is_told and entry.source != ANSWER and entry.by not in (ARBITER, REFEREE):
        raise SessionError(say("what has revealed a secret is not taken back"))
    gone = tuple(ply.entry for ply in session.plies[-count:])
    return replace(session, plies=session.plies[:-count], undone=(*gone, *session.undone), offer="")


def _lift_ruling(session: Session, entry: Entry) -> Session:
    """Lifts a ruling. Only the arbiter may: what the end of the game revealed is known."""
    if entry.by not in ("", ARBITER):
        raise SessionError(say("the game is over: only the arbiter takes its result back"))
    return replace(session, ruled=None)


def _redo(session: Session, entry: Entry) -> Session:
    if not session.undone:
        raise SessionError(say("there is nothing to play again"))
    again, *rest = session.undone
    after = _APPLY[again.kind](session, again)
    return replace(after, undone=tuple(rest))


def _resign(session: Session, entry: Entry) -> Session:
    return _lose(session, entry.by, say("{player} resigned", player=say_player(entry.by)))


def _fall(session: Session, entry: Entry) -> Session:
    return _lose(session, entry.by, say("{player}'s time is up", player=say_player(entry.by)))


def _lose(session: Session, player: Player, reason: str) -> Session:
    others = _others(session, player)
    if len(others) > 1:
        raise SessionError(say("with more than two players the arbiter rules the result"))
    return replace(session, ruled=_lost(session, others, reason), offer="")


def _lost(session: Session, others: Sequence[Player], reason: str) -> Outcome:
    """Returns the outcome where only these others are left."""
    if not others:
        return Outcome(None, GIVEN_UP)
    if not session.rules.can_win(session.position, others[0]):
        return Outcome(
            None, say("{reason}, and {player} cannot win", reason=reason, player=say_player(others[0]))
        )
    return Outcome(others[0], reason)


def _offer(session: Session, entry: Entry) -> Session:
    if not _others(session, entry.by):
        raise SessionError(say("there is nobody to offer a draw to"))
    return replace(session, offer=entry.by, agreed=())


def _accept(session: Session, entry: Entry) -> Session:
    """Accepts a draw, which is agreed when everybody in the game has accepted it."""
    others = _others(session, entry.by)
    if not session.offer or entry.by in (session.offer, *session.agreed):
        raise SessionError(say("no draw is offered to you"))
    agreed = (*session.agreed, entry.by)
    if {*others} <= {session.offer, *agreed}:
        return replace(session, ruled=Outcome(None, say("draw agreed")), offer="")
    return replace(session, agreed=agreed)


def _claim(session: Session, entry: Entry) -> Session:
    """Ends the game by a draw that the rules give to the player to move, who claims it."""
    _others(session, entry.by)
    reason = session.rules.claim(session.position)
    if not reason or entry.by != session.position.to_act:
        raise SessionError(say("'{player}' has no draw to claim now", player=say_player(entry.by)))
    return replace(session, ruled=Outcome(None, reason), offer="")


def _decline(session: Session, entry: Entry) -> Session:
    return replace(session, offer="")


def _others(session: Session, player: Player) -> list[Player]:
    """Returns who else is in the game. SessionError where it is over, or the player is not in it."""
    if session.outcome:
        raise SessionError(say("the game is over"))
    playing = session.rules.playing(session.position)
    if player not in playing:
        raise SessionError(say("'{player}' has no seat in this game", player=player))
    return [p for p in playing if p != player]


def _rule_result(session: Session, entry: Entry) -> Session:
    if entry.text and entry.text not in session.players:
        raise SessionError(say("'{player}' has no seat in this game", player=entry.text))
    reason = say("ruled by the arbiter") if entry.by == ARBITER else say("as recorded")
    if entry.source == PUZZLE:
        return replace(session, ruled=Outcome(entry.text, SOLVED), offer="")
    return replace(session, ruled=Outcome(entry.text or None, reason), offer="")


def _correct(session: Session, entry: Entry) -> Session:
    turn, looks = read_looks(entry.text, session.rules.pieces(session.public_position))
    try:
        after = session.rules.arrange(session.position, looks, turn or session.position.turn)
    except PositionError as error:
        raise SessionError(str(error)) from error
    ply = Ply(entry, ARBITER, after)
    return replace(session, plies=(*session.plies, ply), undone=(), offer="", ruled=None)


def _change_clock(session: Session, entry: Entry) -> Session:
    """Keeps a change of the clock by the arbiter: what it comes to is in `timekeeping`."""
    if session.outcome:
        raise SessionError(say("the game is over"))
    gift = GIFT.fullmatch(entry.text)
    if entry.text not in (STOP, START) and (gift is None or gift[1] not in session.players):
        raise SessionError(say("a clock is changed by 'PLAYER +SECONDS', not '{text}'", text=entry.text))
    return session


def _change_head(session: Session, entry: Entry) -> Session:
    """Keeps a change of the head by the arbiter: what it comes to is in `head`."""
    key, mark, _ = entry.text.partition("=")
    known = keys_of(session.players)
    if not mark or key not in known:
        keys = ", ".join(known)
        raise SessionError(say("a head's keys are {keys}, not '{key}'", keys=keys, key=key[:40]))
    return session


def _note(session: Session, entry: Entry) -> Session:
    return session


_APPLY = {
    "action": _play,
    "takeback": _take_back,
    "redo": _redo,
    "resign": _resign,
    "flag": _fall,
    "offer": _offer,
    "accept": _accept,
    "decline": _decline,
    "claim": _claim,
    "result": _rule_result,
    "correction": _correct,
    "clock": _change_clock,
    HEAD: _change_head,
    "refused": _note,
    "note": _note,
}
KINDS = tuple(_APPLY)
"""The kinds of entries that a log can hold."""
ASIDES = ("offer", "decline", "clock", HEAD, "refused", "note")
"""The kinds that neither play anything nor end the game."""
