"""Plays the seats that the companion has at a table, one action after the other, and gives hints.

A turn is thought about in a process of its own. Its next action is played once the board has caught up with
the last one, so that captures and other players' answers come in their order.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

from companion.core.game import Action, Player
from companion.language import say
from companion.record.opponents import COMPANION, opponents_in
from companion.record.session import Session
from companion.table import messages as m
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from opponent.mind import Choice, Question, ask
from opponent.thinker import Tell, Thinker, Thinks
from web.runtime.follower import Follower

log = logging.getLogger(__name__)
MakeThinker = Callable[[Tell], Thinks]
PATIENCE = 2
"""So many turns in a row have to be hopeless before the companion resigns."""
LONGEST = 100_000
"""The plies of a game stay below that."""
GRACE = 15.0
"""Seconds that an answer may take beyond the time that is given for it: a child has to begin."""


@dataclass(frozen=True, slots=True)
class GameMoment:
    """The game and its length, in which something is thought about or played."""

    number: int
    plies: int

    @property
    def seed(self) -> int:
        """The seed of what is thought then: games of the same number can be played again alike."""
        return self.number * LONGEST + self.plies

    @staticmethod
    def of(seed: int) -> GameMoment:
        return GameMoment(*divmod(seed, LONGEST))


@dataclass(slots=True)
class _Turn:
    """What is left of a turn that was thought out: it goes on at this moment."""

    at: GameMoment
    seat: Player
    left: tuple[Action, ...]


class OpponentSeats(Follower):
    """The seats that the companion plays at a table.

    A draw that is offered stands for some seconds before it is answered: all displays have shown it by then.
    """

    def __init__(
        self, table: Table, make_thinker: MakeThinker = Thinker, *, answers_after: float = 1.0
    ) -> None:
        super().__init__(table, "opponent", self.follow)
        self._answers_after = answers_after
        self._thinker = make_thinker(self._chosen)
        self._asked: GameMoment | None = None
        """The moment about which is thought, or was: it is not thought about twice."""
        self._turn: _Turn | None = None
        self._choices: dict[Player, Choice] = {}
        """What was chosen last for each seat."""
        self._hopeless = 0
        """So many turns in a row were hopeless."""

    def stop(self) -> None:
        super().stop()
        self._thinker.close()

    def follow(self, snapshot: Snapshot) -> bool:
        """Does what a snapshot asks of the companion's seats: nothing while the board has to be put right."""
        session, number = snapshot.session, snapshot.number
        seats = opponents_in(snapshot.head)
        if session is None or number is None or session.outcome or not seats:
            self._give_up()
            self._thinker.close()  # what it takes is given back
            return True
        if session.offer:
            self._answer_offer(session, number, tuple(seats))
        seat, at = session.position.to_act, GameMoment(number, len(session.plies))
        if seat not in seats:
            self._give_up()
        elif not snapshot.verdict and not snapshot.questions and not snapshot.store_trouble:
            turn = self._turn
            if turn and (turn.at, turn.seat) == (at, seat) and not session.judge(turn.left[0], seat):
                self._play(at, seat, turn.left)
            elif self._asked != at:
                self._asked = at
                level, seconds = seats[seat].level, seats[seat].seconds
                self._thinker.start(ask(session, seat, level, seconds=seconds, seed=at.seed))
        return True

    def _give_up(self) -> None:
        """Leaves what was thought about: somebody else acts."""
        if self._asked:
            self._thinker.cancel()
        self._asked = self._turn = None

    def _chosen(self, question: Question, choice: Choice | None) -> None:
        """Plays what was chosen. The thinker calls this, in a thread of its own."""
        at, seat = GameMoment.of(question.seed), question.seat
        if choice is None or not choice.actions:
            log.warning("the companion has nothing to play for %s", seat)
            self._report(say("the companion cannot go on: hand its seat to a person, under More"))
            return
        self._choices[seat] = choice
        self._hopeless = self._hopeless + 1 if choice.resigns else 0
        session = self._table.snapshot.session
        others = session.rules.playing(session.position) if session else ()
        if self._hopeless >= PATIENCE and len(others) == 2:
            self._tell(m.Deed("resign", seat), at)
        elif session and choice.takes_draw and session.rules.claim(session.position):
            self._tell(m.Deed("claim", seat), at)
        else:
            self._play(at, seat, choice.actions)

    def _play(self, at: GameMoment, seat: Player, actions: tuple[Action, ...]) -> None:
        """Plays the first of a turn's actions, and keeps the others for later."""
        action, *left = actions
        after = GameMoment(at.number, at.plies + 1)
        self._turn = _Turn(after, seat, tuple(left)) if left else None
        self._tell(m.Submit(action, seat, COMPANION), at)

    def _answer_offer(self, session: Session, number: int, seats: tuple[Player, ...]) -> None:
        """Takes a draw that is offered where the last turn was worth no more, else declines it."""
        at = GameMoment(number, len(session.plies))
        if self._stop.wait(self._answers_after):
            return
        for seat in seats:
            if seat in (session.offer, *session.agreed):
                continue
            choice = self._choices.get(seat)
            accepts = choice is not None and choice.takes_draw
            self._tell(m.Deed("accept", seat) if accepts else m.Deed("decline", seat), at)

    def _tell(self, message: m.Message, at: GameMoment) -> None:
        try:
            reply = self._table.ask(m.Meant(message, at.number, at.plies))
        except TimeoutError:
            reply = m.Reply(False, say("the table is busy: try again"))
        if not reply.ok:  # play went on, or the store fails: then it is thought about again
            log.info("the companion's %s was not taken: %s", message, reply.words)
            self._asked = None
        self._report("")

    def _report(self, words: str) -> None:
        self._table.post(m.Report("opponent", words, is_needed=True))


class Hints:
    """Answers what a player who practises might play, from what that player knows. `ask` waits for it."""

    def __init__(self, make_thinker: MakeThinker = Thinker) -> None:
        self._told = Event()
        self._choice: Choice | None = None
        self._thinker = make_thinker(self._note)

    def ask(self, question: Question) -> Choice | None:
        """Returns the best turn; None where none was found in time. One caller at a time."""
        self._told.clear()
        self._choice = None
        self._thinker.start(question)
        self._told.wait(question.seconds + GRACE)
        self._thinker.close()  # what it takes is given back
        return self._choice

    def stop(self) -> None:
        self._thinker.close()

    def _note(self, _: Question, choice: Choice | None) -> None:
        self._choice = choice
        self._told.set()
