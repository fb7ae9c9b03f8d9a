"""A broker in memory, with a test side: it is stopped, killed and cut off as real ones are.

Nothing moves by itself. What a program says and what it is told waits in line until `step` moves one thing
on, or `settle` all of them; `running` does that in a thread, for programs that run by themselves.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial

from broker_bridge.link import Client, Delivery, Letter, Membership
from broker_bridge.rights import Rights

MOST_QUEUED = 1000
"""The most letters that are kept for a program that is away, as with Mosquitto: later ones are dropped."""
GONE, REFUSED = "the broker is not there", "the broker refuses this: not authorized"


@dataclass
class _Memory:
    """The memory of a broker that may be on its disk."""

    kept: dict[str, Letter] = field(default_factory=dict)
    queues: dict[str, deque[Letter]] = field(default_factory=dict)
    """What remembered programs have not accepted, oldest first."""
    topics: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What remembered programs subscribed to."""


class VirtualBroker:
    """A broker. `rights_of` says what the program of a name may do; without it all may do everything."""

    def __init__(self, rights_of: Callable[[str], Rights] | None = None) -> None:
        self._rights_of = rights_of or (lambda name: Rights())
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self._memory, self._saved = _Memory(), _Memory()
        self._links: list[VirtualLink] = []
        self._is_up = True
        self.seen: list[Letter] = []
        """All that was ever published, in order."""

    def link(self, membership: Membership) -> VirtualLink:
        return VirtualLink(self, membership)

    @property
    def kept(self) -> dict[str, bytes]:
        """Returns what is retained, by topic."""
        with self._lock:
            return {topic: letter.payload for topic, letter in self._memory.kept.items()}

    def step(self) -> bool:
        """Moves one thing on; returns whether there was any."""
        with self._lock:
            link = next((link for link in self._links if link.has_mail), None)
            if link is None:
                return False
            self._links.remove(link)  # the next time, another's turn comes first
            self._links.append(link)
            act = (link.outgoing or link.incoming).popleft()
        act()
        return True

    def settle(self) -> None:
        """Moves everything on until nothing waits."""
        while self.step():
            pass

    @contextmanager
    def running(self) -> Iterator[None]:
        """Moves everything on in a thread, as it comes."""
        is_over = threading.Event()

        def run() -> None:
            while not is_over.is_set():
                if not self.step():
                    with self._news:
                        self._news.wait_for(lambda: is_over.is_set() or self._has_mail)

        thread = threading.Thread(target=run, name="virtual broker", daemon=True)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            with self._news:
                self._news.notify_all()
            thread.join()

    def save(self) -> None:
        """Writes what the broker knows to its disk, as Mosquitto does every half hour."""
        with self._lock:
            self._saved = deepcopy(self._memory)

    def stop(self) -> None:
        """Ends the broker in good order: what it knows is on its disk, and no will is published."""
        with self._lock:
            if self._is_up:
                self.save()
            self.kill()

    def kill(self) -> None:
        """Ends the broker at once: what it learned since `save` is lost, and so is what was on its way."""
        with self._lock:
            self._memory, self._is_up = deepcopy(self._saved), False
            for link in self._links:
                link.break_off(GONE)

    def start(self) -> None:
        """Begins it again with what is on its disk; all links come back."""
        with self._lock:
            self._is_up = True
            for link in list(self._links):
                self._welcome(link)

    def cut(self, name: str) -> None:
        """Takes the network away from a program: its will is published, and what was on its way is lost."""
        with self._lock:
            for link in self._named(name):
                link.is_cut = True
                self._lose(link, GONE)

    def mend(self, name: str) -> None:
        """Gives a program its network back."""
        with self._lock:
            for link in self._named(name):
                link.is_cut = False
                self._welcome(link)

    def drop(self, name: str) -> None:
        """Ends a program without a word, as when its power is cut: it is not told, and does not come back."""
        with self._lock:
            for link in self._named(name):
                self._lose(link, "")
                self._links.remove(link)

    def put(self, letter: Letter) -> None:
        """Publishes a letter from outside, at once."""
        with self._lock:
            self._route(letter)

    # What links ask for. Each of these is called with the lock.

    def join(self, link: VirtualLink) -> None:
        for other in self._named(link.membership.name):
            other.is_replaced = True
            self._lose(other, "another program has come under this name")
        self._links.append(link)
        self._welcome(link)

    def leave(self, link: VirtualLink, last: Letter | None) -> None:
        if link.is_joined and last:
            self._take(link, last)
        link.break_off("")
        if link in self._links:
            self._links.remove(link)

    def wake(self) -> None:
        self._news.notify_all()

    def take(self, link: VirtualLink, number: int, letter: Letter) -> None:
        """Takes a letter that has come over the line, and tells that it is here."""
        with self._lock:
            if not link.is_joined:
                return
            if self._take(link, letter):
                link.tell(partial(link.client.sent, number))
            elif letter.is_sure:
                link.is_cut = True  # until `mend`: else it would come back at once, for ever
                self._lose(link, REFUSED)

    def accept(self, link: VirtualLink, number: int) -> None:
        """Forgets a letter that its reader has accepted."""
        with self._lock:
            letter = link.unread.pop(number, None)
            queue = self._memory.queues.get(link.membership.name)
            if letter and queue:
                queue.remove(letter)

    def _take(self, link: VirtualLink, letter: Letter) -> bool:
        writes = self._rights_of(link.membership.name).writes
        if not any(matches(topic, letter.topic) for topic in writes):
            return False
        self._route(letter)
        return True

    def _route(self, letter: Letter) -> None:
        self.seen.append(letter)
        if letter.is_kept:
            self._memory.kept[letter.topic] = letter
            if not letter.payload:
                del self._memory.kept[letter.topic]
        here = {link.membership.name: link for link in self._links if link.is_joined}
        for name, topics in self._memory.topics.items():
            if name in here or not letter.is_sure:
                continue
            if len(self._memory.queues[name]) < MOST_QUEUED and self._reads(name, topics, letter.topic):
                self._memory.queues[name].append(letter)
        for name, link in here.items():
            if self._reads(name, link.membership.topics, letter.topic):
                self._deliver(link, letter, was_kept=False)

    def _reads(self, name: str, topics: tuple[str, ...], topic: str) -> bool:
        reads = self._rights_of(name).reads
        return any(matches(t, topic) for t in topics) and any(matches(t, topic) for t in reads)

    def _deliver(self, link: VirtualLink, letter: Letter, was_kept: bool, is_queued: bool = False) -> None:
        number = next(link.numbers) if letter.is_sure else 0
        if number:
            link.unread[number] = letter
            if link.membership.is_remembered and not is_queued:
                self._memory.queues[link.membership.name].append(letter)
        delivery = Delivery(letter.topic, letter.payload, number, was_kept)
        link.tell(partial(link.client.received, delivery))

    def _welcome(self, link: VirtualLink) -> None:
        """Lets a program in, if it can come: first it is told so, then what is kept and what waited."""
        if not self._is_up or link.is_cut or link.is_replaced or link.is_joined:
            return
        name, topics = link.membership.name, link.membership.topics
        link.is_joined = True
        link.tell(link.client.joined)
        if link.membership.is_remembered:
            self._memory.topics[name] = topics
            queue = self._memory.queues.setdefault(name, deque())
            for letter in list(queue):
                self._deliver(link, letter, was_kept=False, is_queued=True)
        for letter in list(self._memory.kept.values()):
            if self._reads(name, topics, letter.topic):
                self._deliver(link, letter, was_kept=True)

    def _lose(self, link: VirtualLink, words: str) -> None:
        """Ends a connection that breaks."""
        if not link.is_joined:
            return
        link.break_off(words)
        if link.membership.will:
            self._route(link.membership.will)

    @property
    def _has_mail(self) -> bool:
        return any(link.has_mail for link in self._links)

    def _named(self, name: str) -> list[VirtualLink]:
        return [link for link in self._links if link.membership.name == name and not link.is_replaced]


class VirtualLink:
    """A link to a `VirtualBroker`; see `broker_bridge.link.Link`."""

    client: Client

    def __init__(self, broker: VirtualBroker, membership: Membership) -> None:
        self.membership = membership
        self.is_joined = self.is_cut = self.is_replaced = False
        self.outgoing: deque[Callable[[], None]] = deque()
        self.incoming: deque[Callable[[], None]] = deque()
        """What is on its way to the broker, and to the program."""
        self.unread: dict[int, Letter] = {}
        self.numbers = itertools.count(1)
        self._broker = broker

    def open(self, client: Client) -> None:
        self.client = client
        with self._broker._lock:
            self._broker.join(self)

    def publish(self, letter: Letter) -> int:
        with self._broker._lock:
            if not self.is_joined:
                return 0
            number = next(self.numbers)
            self._send(partial(self._broker.take, self, number, letter))
            return number

    def accept(self, delivery: Delivery) -> None:
        with self._broker._lock:
            if self.is_joined and delivery.number:
                self._send(partial(self._broker.accept, self, delivery.number))

    def close(self, last: Letter | None = None) -> None:
        with self._broker._lock:
            while self.outgoing:  # what was said before goes out before
                self.outgoing.popleft()()
            self._broker.leave(self, last)

    @property
    def has_mail(self) -> bool:
        return bool(self.outgoing or self.incoming)

    def tell(self, act: Callable[[], None]) -> None:
        """Puts something on its way to the program."""
        self.incoming.append(act)
        self._broker.wake()

    def _send(self, act: Callable[[], None]) -> None:
        self.outgoing.append(act)
        self._broker.wake()

    def break_off(self, words: str) -> None:
        """Ends the connection; what was on its way is lost, and the program is told unless it is gone too."""
        was_joined, self.is_joined = self.is_joined, False
        self.outgoing.clear()
        self.incoming.clear()
        self.unread.clear()
        if was_joined and words:
            self.tell(partial(self.client.parted, words))


def matches(pattern: str, topic: str) -> bool:
    """Returns whether a filter matches a topic, as MQTT says."""
    wanted, levels = pattern.split("/"), topic.split("/")
    for n, level in enumerate(wanted):
        if level == "#":
            return True
        if n >= len(levels) or level not in ("+", levels[n]):
            return False
    return len(wanted) == len(levels)
