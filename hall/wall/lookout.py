"""Keeps the hall as the broker tells it, for all displays of one wall."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable

from broker_bridge.link import BrokerLink, Delivery, Membership
from broker_bridge.topics import of_all
from hall.wall.hall import KINDS, Hall, age, fold, heard

TOPICS = tuple(map(of_all, KINDS))


def membership() -> Membership:
    """Returns who a wall is at the broker: any number of them may listen, and none is missed."""
    return Membership(f"wall-{secrets.token_hex(6)}", TOPICS)


class Lookout:
    """A link's client: folds each letter into the hall. `wall` gives seconds since 1970.

    The link's thread brings the letters; any thread may ask.
    """

    def __init__(self, link: BrokerLink, wall: Callable[[], float]) -> None:
        self._link, self._wall = link, wall
        self._lock = threading.Lock()
        self._hall = Hall()
        self._lost = "not yet connected"
        self.told: Callable[[], None] = lambda: None
        """Is called when the hall has changed."""

    def __enter__(self) -> Lookout:
        self._link.open(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._link.close()

    @property
    def hall(self) -> Hall:
        with self._lock:
            if not self._lost:
                self._hall = age(self._hall, self._wall())
            return self._hall

    @property
    def lost(self) -> str:
        """Why there is no broker; '' while there is one."""
        return self._lost

    def joined(self) -> None:
        with self._lock:
            self._hall = heard(self._hall, self._wall())
            self._lost = ""

    def parted(self, words: str) -> None:
        self._lost = words or "the broker is not there"

    def sent(self, number: int) -> None:
        """The wall sends nothing."""

    def received(self, delivery: Delivery) -> None:
        with self._lock:
            self._hall = fold(self._hall, delivery, self._wall())
        self.told()
        self._link.accept(delivery)
