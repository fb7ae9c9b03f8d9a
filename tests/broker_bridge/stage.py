"""A board, a broker and an archive on one simulated clock, for tests: nothing moves but by `Stage`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from benchmarks.simulation.virtual_broker import VirtualBroker
from broker_bridge.link import BrokerLink, Delivery, Letter, Membership
from broker_bridge.outbox_file import OutboxFile
from broker_bridge.speaker import Speaker, membership_of
from broker_bridge.telling import Telling
from broker_bridge.topics import ARCHIVED, EVENT, BoardName, of_all, read_topic
from companion.record.session import Session
from companion.referee import Referee
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.snapshot import Snapshot
from companion.table.table import Handled
from companion.wire.codec import read, write
from companion.wire.hall import Archived, LineKey, LogLine
from tests.stores import keep_open, open_store

BOARD = BoardName("Hall A", "7")
NOON = 1_760_000_000.0


@dataclass
class DeskAsTable:
    """A desk as the speaker needs a table."""

    desk: Desk
    listeners: list[Callable[[Snapshot], None]] = field(default_factory=list)
    watch: Callable[[Handled], None] = lambda handled: None

    @property
    def snapshot(self) -> Snapshot:
        return self.desk.snapshot

    def listen(self, listener: Callable[[Snapshot], None]) -> None:
        self.listeners = [listener]  # a board that was switched on again is another one

    def post(self, message: m.Message) -> None:
        self.desk.handle(message)

    def ask(self, message: m.Message) -> None:
        before = self.desk.snapshot
        reply, _ = self.desk.handle(message)
        assert reply.ok, reply.words
        self.watch(Handled(message, reply, before, self.desk.snapshot))
        self.tell()

    def tell(self) -> None:
        for listener in self.listeners:
            listener(self.desk.snapshot)


@dataclass
class Archive:
    """Keeps lines by their keys, and tells boards what it has, as an archiver does."""

    link: BrokerLink
    lines: dict[LineKey, LogLine] = field(default_factory=dict)
    order: list[LineKey] = field(default_factory=list)
    is_telling: bool = True

    def joined(self) -> None:
        for companion in {key.companion for key in self.lines}:
            self.tell(companion)

    def parted(self, words: str) -> None: ...

    def sent(self, number: int) -> None: ...

    def received(self, delivery: Delivery) -> None:
        line = read(delivery.payload, LogLine)
        same = replace(line, head=self.lines.get(line.key, line).head)  # the head may have changed meanwhile
        assert self.lines.setdefault(line.key, line) == same
        if line.key not in self.order:
            self.order.append(line.key)
        self.link.accept(delivery)
        self.tell(line.key.companion)

    def tell(self, companion: str) -> None:
        if not self.is_telling:
            return
        games = {key.game: 0 for key in self.lines if key.companion == companion}
        for game in games:
            while LineKey(companion, game, games[game]) in self.lines:
                games[game] += 1
        receipt = write(Archived(companion, games))
        self.link.publish(Letter(BOARD.topic(ARCHIVED), receipt, is_sure=True, is_kept=True))


class Stage:
    """A board at a broker; `archive` is there unless it is left out."""

    def __init__(self, seed: int = 0, game: str = "chess", has_archive: bool = True) -> None:
        self.now = NOON
        self.chance = Random(seed)
        self.broker = VirtualBroker()
        self.store: Store = open_store()
        clock = lambda: self.now  # noqa: E731
        self.desk = Desk(self.store, Referee(clock=clock), wall=clock, rng=self.chance, steady=clock)
        self.table = DeskAsTable(self.desk)
        self.disk = OutboxFile(":memory:")
        keep_open(self)
        self.archive: Archive | None = None
        if has_archive:
            membership = Membership("archive", (of_all(EVENT),), is_remembered=True)
            link = self.broker.link(membership)
            self.archive = Archive(link)
            link.open(self.archive)
        self.ask(m.NewGame(game))
        self.speaker = self.begin_to_speak()

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self.disk.close()

    def begin_to_speak(self) -> Speaker:
        """The board is switched on, with what is on its disk."""
        link = self.broker.link(membership_of(BOARD))
        speaker = Speaker(BOARD, link, self.table, self.store, self.disk, wall=lambda: self.now)
        speaker.open()
        return speaker

    def ask(self, message: m.Message) -> None:
        self.table.ask(message)

    def play(self, plies: int = 1) -> None:
        """Plays at random; where the game is over, another one begins."""
        for _ in range(plies):
            session = self.desk.session
            if session.outcome:
                self.ask(m.NewGame(session.game.head))
            else:
                self.ask(m.Submit(self.any_action(session), session.position.to_act))

    def any_action(self, session: Session) -> str:
        legal = list(session.rules.legal(session.position))
        if any("?" in action for action in legal):
            return session.rules.set_up(session.position, self.chance)  # type: ignore[attr-defined, no-any-return]
        return self.chance.choice(legal)

    def pass_time(self, seconds: float, turns: int = 1) -> None:
        """Lets time pass, with so many turns of the speaker in it, and everything move on after each."""
        for _ in range(turns):
            self.now += seconds / turns
            self.broker.settle()
            self.speaker.turn()
            self.broker.settle()
            self.speaker.turn()

    def settle(self) -> None:
        """Lets everything come to rest: what an archive lacks is sent again within minutes."""
        self.pass_time(60, turns=60)

    def cut_power(self) -> None:
        """The board's power is cut, and comes back: what its disk does not have is lost."""
        self.broker.drop(str(BOARD))
        self.speaker = self.begin_to_speak()

    @property
    def should(self) -> dict[LineKey, LogLine]:
        """Returns all lines that are to go out: of all games in the store, as far as they can be told."""
        found = {}
        for summary in self.store.list(limit=10_000):
            telling = Telling(self.store.identity, summary.id, self.store.load(summary.id))
            found.update({line.key: line for line in telling.lines[: telling.ready]})
        return found

    def heard(self, kind: str) -> list[bytes]:
        """Returns what was published in one kind of topic, in order."""
        return [letter.payload for letter in self.broker.seen if read_topic(letter.topic)[1] == kind]
