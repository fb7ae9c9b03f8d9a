"""Brings two tables to the same game, without network, clock or disk: messages go in and come out.

Each table guards its own board, and the game is what both have: actions in their order, and an ending. Only
the table of the player who is to act adds an action. What a table has is kept there before it is told, and is
told as a whole: messages may be lost, come twice or late, and either table may begin anew from what it kept.
Of two tellings the further one holds (`Agreed.rank`), so both come to the same.

A takeback needs the other's consent. It begins a new epoch, and of two epochs the later one holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal

from companion.wire.codec import write
from companion.wire.values import Text, Whole, Wire


class Agreed(Wire):
    """The game as one table has it: what was played, each action with its player, and how people ended it."""

    epoch: Whole = 0
    plies: tuple[Text, ...] = ()
    """Each as `white e2e4`."""
    ending: Text = ""
    """A kind of entry and who made it, as `resign white`; '' while nobody has ended the game."""

    @property
    def rank(self) -> tuple[int, bool, int, str]:
        """Of two states the one with the higher rank holds. A game that was ended is not played on."""
        n = len(self.plies)
        return self.epoch, bool(self.ending), -n if self.ending else n, self.ending

    @property
    def digest(self) -> str:
        return hashlib.blake2b(write(self), digest_size=16).hexdigest()


NOTHING_AGREED = Agreed()


class AgreementMessage(Wire, kw_only=True):
    """A message: all that a table has to tell, but for so many plies that the other has already."""

    boots: Whole
    number: Whole
    """Of two messages the later one holds: of the last start of a companion, its highest number."""
    epoch: Whole
    start: Whole
    plies: tuple[Text, ...]
    ending: Text
    digest: Text
    """Of all, with the plies that were left out."""
    lacks: bool
    """The last message of the other could not be put together: it is to tell all plies."""
    wish: Text
    """What its player wishes to take back: the epoch, how many plies stay, and the wish's number."""
    refused: Text
    """The wish of the other that is refused."""
    offers: Whole
    declines: Whole
    """How often its player offered a draw, and declined one, since the last action of the other one."""
    left: Text
    """The seconds that its player's clock showed after the last own action; '' without a clock."""
    seal: Text = ""
    """A hash of what its player has, which nobody may see before the end, and of chance."""
    opened: Text = ""
    """That chance and what the player had, once the game is over."""


@dataclass(frozen=True, slots=True)
class AtTable:
    """The game as it stands at one's own table. `lags` tells that the board there has yet to be brought to
    what was announced."""

    plies: tuple[str, ...] = ()
    ending: str = ""
    offers: tuple[int, int] = (0, 0)
    """How often the player here, and the other, offered a draw since the last action of the other one."""
    declines: tuple[int, int] = (0, 0)
    lags: bool = False
    left: str = ""


@dataclass(frozen=True, slots=True)
class Deed:
    """Do something at the own table, and keep `then` for good once it is done, before anything is told.
    `what` is a ply, an ending, a player or a number of plies; '' where nothing is done but to `keep`."""

    kind: Literal["keep", "play", "back", "lift", "end", "offer", "decline"]
    what: str = ""
    then: Agreed | None = None


class Agreement:
    """One table's part. `here` is its player's seat, `there` the other's.

    `step` says what to do next, until it returns None: the owner carries that out, and hands `kept` in.
    """

    def __init__(
        self, here: str, there: str, kept: Agreed = NOTHING_AGREED, is_host: bool = False, boots: int = 0
    ) -> None:
        self.here, self.there, self.kept = here, there, kept
        self.heard: Agreed | None = None
        self.asked = self.wish = ""
        """What the other wishes to take back, and what is wished here."""
        self.last: AgreementMessage | None = None
        self._is_host, self._boots, self._number, self._wishes = is_host, boots, 0, 0
        self._answer = ("", False)
        self._lacks = False

    # Messages

    def tell(self, at: AtTable) -> AgreementMessage:
        """Returns the next message to the other table."""
        self._number += 1
        known = self.heard.plies if self.heard and not (self.last and self.last.lacks) else ()
        start = common(known, self.kept.plies)
        return AgreementMessage(
            boots=self._boots,
            number=self._number,
            epoch=self.kept.epoch,
            start=start,
            plies=self.kept.plies[start:],
            ending=self.kept.ending,
            digest=self.kept.digest,
            lacks=self._lacks,
            wish=self.wish,
            refused=self.asked if self._answer == (self.asked, False) else "",
            offers=at.offers[0],
            declines=at.declines[0],
            left=at.left,
        )

    def hear(self, told: AgreementMessage) -> None:
        """Takes a message of the other table. One that is late, or tells what was not so, is ignored."""
        if self.last and (told.boots, told.number) <= (self.last.boots, self.last.number):
            return
        heard = Agreed(told.epoch, (*self.kept.plies[: told.start], *told.plies), told.ending)
        self._lacks = heard.digest != told.digest
        if self._lacks or self._is_invented(heard):
            return
        self.last, self.heard = told, heard
        self.asked = told.wish
        if not told.wish:
            self._answer = ("", False)

    def answer(self, wish: str, is_granted: bool) -> None:
        """Grants or refuses what the other table wishes to take back."""
        if wish and wish == self.asked:
            self._answer = (wish, is_granted)

    @property
    def is_asked(self) -> bool:
        """Whether the player here is asked for a takeback."""
        return bool(self.asked) and self._answer[0] != self.asked and self._to_stay() is not None

    def _is_invented(self, heard: Agreed) -> bool:
        """Returns whether it tells that the player here did something which was not done here."""
        kept = self.kept
        new = heard.plies[common(heard.plies, kept.plies) :] if heard.rank > kept.rank else ()
        is_end = heard.ending != kept.ending and heard.rank > kept.rank and self._is_own_end(heard.ending)
        return is_end or any(player_of(ply) != self.there for ply in new)

    def _is_own_end(self, ending: str) -> bool:
        return ending.partition(" ")[2] == self.here and not ending.startswith("result")

    # What follows

    def step(self, at: AtTable) -> Deed | None:
        """Returns what is to be done next, where this stands at the table; None while there is nothing."""
        kept, heard = self.kept, self.heard
        if heard and heard.epoch > kept.epoch:
            return self._begin_epoch(at, heard)
        if not follows(at, kept):
            return self._diverged(at)
        grown = self._grown(at)
        if grown != kept:
            if any(player_of(ply) == self.here for ply in grown.plies[len(kept.plies) :]):
                self.answer(self.asked, False)  # who plays on refuses
            return Deed("keep", then=grown)
        if len(at.plies) > len(kept.plies):  # a reply to what was played otherwise: it is played anew
            return Deed("back", str(len(at.plies) - len(kept.plies))) if heard else None
        self.wish = ""
        if heard and heard.rank > kept.rank:
            return self._catch_up(at, heard)
        return self._aside(at) or self._grant(at)

    def _grown(self, at: AtTable) -> Agreed:
        """Returns what is kept, with what was done at the table since; of the other only what it has told."""
        kept, heard = self.kept, self.heard
        told = heard.plies if heard and heard.epoch == kept.epoch else ()
        n = len(kept.plies)
        more = tuple(
            ply
            for _, ply in takewhile(
                lambda item: player_of(item[1]) == self.here or told[item[0] : item[0] + 1] == (item[1],),
                enumerate(at.plies[n:], n),
            )
        )
        plies = kept.plies + more
        is_told = heard is not None and (heard.epoch, heard.ending) == (kept.epoch, at.ending)
        is_end = plies == at.plies and (is_told or self._is_own_end(at.ending) or at.ending[:6] == "result")
        return Agreed(kept.epoch, plies, at.ending if is_end else kept.ending)

    def _begin_epoch(self, at: AtTable, heard: Agreed) -> Deed:
        """Takes over what the other has granted. Who has ended the game meanwhile has ended it."""
        is_played_on = not follows(at, self.kept) and at.plies[: len(heard.plies)] == heard.plies
        n = common(at.plies, heard.plies)
        ending = at.ending or self.kept.ending
        if ending and not heard.ending:
            return Deed("keep", then=replace(heard, ending=ending))
        then = Agreed(heard.epoch, heard.plies[:n])
        if is_played_on or len(at.plies) == n:
            return Deed("keep", then=then)
        return Deed("back", str(len(at.plies) - n), then)

    def _catch_up(self, at: AtTable, heard: Agreed) -> Deed | None:
        """Does at the own table, which is as agreed, what the other is further in."""
        n = len(self.kept.plies)
        if self.kept.ending or (heard.ending and len(heard.plies) < n):
            return Deed("keep", then=heard)  # both have ended it at once: the table follows
        return towards(at, heard)

    def _diverged(self, at: AtTable) -> Deed | None:
        """Returns what follows where the table is not as agreed: a takeback is wished, or it is mended."""
        kept, heard = self.kept, self.heard
        n = common(at.plies, kept.plies)
        if heard and heard.epoch == kept.epoch and heard.rank > kept.rank:
            return Deed("keep", then=heard)
        if at.ending and not kept.ending:
            return Deed("keep", then=replace(kept, ending=at.ending))
        is_others = n < len(kept.plies) and player_of(kept.plies[n]) != self.here
        if kept.ending or is_others:
            return towards(at, kept)
        if not self.wish.startswith(f"{kept.epoch} {n} "):
            self._wishes += 1
            self.wish = f"{kept.epoch} {n} {self._boots}/{self._wishes}"
        if self.last and self.last.refused == self.wish:
            return towards(at, kept)
        return self._grant(at)

    def _aside(self, at: AtTable) -> Deed | None:
        """Hands on a draw that the other offered, or declined."""
        last = self.last
        if not last or self.heard != self.kept or self.kept.ending:
            return None
        if last.offers > at.offers[1]:
            return Deed("offer", self.there)
        return Deed("decline", self.there) if last.declines > at.declines[1] else None

    def _to_stay(self) -> int | None:
        """Returns how many plies are to stay by the wish of the other; None where that is not open."""
        epoch, count, *_ = (*self.asked.split(), "", "")
        if epoch != str(self.kept.epoch) or not count.isdecimal():
            return None
        n = int(count)
        return n if n < len(self.kept.plies) and not self.kept.ending else None

    def _grant(self, at: AtTable) -> Deed | None:
        """Takes back what the other wishes, where the player here grants it, or nothing of it was done on the
        board here yet."""
        n = self._to_stay()
        if n is None:
            return None
        plies = self.kept.plies
        gone, is_back = plies[n:], at.plies == plies[:n]
        is_new = at.lags and all(player_of(ply) == self.there for ply in gone)
        if self._answer != (self.asked, True) and not is_new and not is_back:
            return None
        then = Agreed(self._next_epoch(), plies[:n])
        if at.plies[:n] == then.plies and len(at.plies) > n:
            return Deed("back", str(len(at.plies) - n), then)
        return Deed("keep", then=then)

    def _next_epoch(self) -> int:
        """Returns an epoch that the other table never begins: the host's are even."""
        epoch = self.kept.epoch + 1
        return epoch + (epoch % 2 == int(self._is_host))


def player_of(ply: str) -> str:
    return ply.partition(" ")[0]


def common(a: Sequence[str], b: Sequence[str]) -> int:
    """Returns how many first plies are alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def follows(at: AtTable, agreed: Agreed) -> bool:
    """Returns whether what stands at a table is what is agreed, or goes on from there."""
    if agreed.ending:
        return (at.plies, at.ending) == (agreed.plies, agreed.ending)
    return at.plies[: len(agreed.plies)] == agreed.plies


def towards(at: AtTable, agreed: Agreed) -> Deed | None:
    """Returns the next thing to do at a table that brings it to what is agreed; None once it is there."""
    n = common(at.plies, agreed.plies)
    if at.ending and (at.ending, at.plies) != (agreed.ending, agreed.plies):
        return Deed("lift")
    if len(at.plies) > n:
        return Deed("back", str(len(at.plies) - n))
    if n < len(agreed.plies):
        return Deed("play", agreed.plies[n])
    return Deed("end", agreed.ending) if agreed.ending != at.ending else None
