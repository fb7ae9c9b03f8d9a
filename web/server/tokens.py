"""Tokens, by which programs come in. Each has a name and scopes; the arbiter makes and revokes it.

One file holds them, with hashes in the place of their secrets. The command line changes it beside a server
that runs: every change is made under a lock, on what the file holds then, and a server reads the file again
as soon as it has changed. So a token that was revoked is not brought back by who still remembers it.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import re
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.core.comments import tidy_line
from companion.core.damaged_files import set_file_aside
from companion.core.game import GameError
from companion.core.private_files import open_private, write_private
from companion.language import say
from companion.record.record import write_time
from companion.record.session import ARBITER
from companion.wire.codec import WireError, decode, write
from companion.wire.values import Wire

log = logging.getLogger(__name__)
FILE, LOCK = "tokens.json", "tokens.lock"
PREFIX = "companion_"
"""The beginning of every token, by which programs that look for lost secrets know one."""
SECRET_BYTES = 32
READ, SEAT = "read", "seat:"
"""The scope to look, and the beginning of the scope to act for a player. The third is `arbiter`."""
SEAT_SCOPE = re.compile(rf"{SEAT}[a-z][a-z0-9_-]{{0,19}}")
MOST_TOKENS, LONGEST_NAME = 64, 60
SAVED_EVERY = 600.0
"""The seconds after which it is saved again that a token was used."""


class TokenError(GameError):
    """A token that cannot be made or revoked."""


@dataclass(frozen=True)
class Token:
    """A token as the server keeps it: with the hash of its secret, which is known to its program alone.

    `made` and `used` are in seconds since 1970, `used` is None where it never was. `number` and `store` are
    the game that was on when it was made, and the store that this is in.
    """

    id: str
    name: str
    scopes: tuple[str, ...]
    made: float
    used: float | None = None
    number: int | None = None
    store: str = ""
    hash: str = field(kw_only=True, repr=False)

    @property
    def is_arbiter(self) -> bool:
        return ARBITER in self.scopes

    @property
    def seat(self) -> str:
        """Returns the player for whom it acts; '' for none."""
        return next((scope.removeprefix(SEAT) for scope in self.scopes if scope.startswith(SEAT)), "")

    @property
    def only_reads(self) -> bool:
        return not (self.is_arbiter or self.seat)


@dataclass(frozen=True, slots=True)
class KeptTokens:
    """What the file of the tokens holds."""

    tokens: Sequence[Token]


DAMAGES = (WireError, TokenError)


class TokenInfo(Wire):
    """What a program comes in with, as lists show it. Dates are ISO 8601."""

    id: str
    name: str
    scopes: tuple[str, ...]
    made: str
    used: str | None


def describe_token(token: Token) -> TokenInfo:
    """Returns a token as lists show it."""
    used = None if token.used is None else write_time(token.used, "seconds")
    return TokenInfo(token.id, token.name, tuple(token.scopes), write_time(token.made, "seconds"), used)


class Tokens:
    """The tokens of one file; without a path they are kept until the program ends. Any thread may call it.

    `wall` gives the time of day in seconds since 1970.
    """

    def __init__(self, wall: Callable[[], float], path: Path | None = None) -> None:
        self._wall, self._path = wall, path
        self._lock = threading.RLock()
        self._held: dict[str, Token] = {}
        """The tokens by the hashes of their secrets."""
        self._used: dict[str, float] = {}
        """When each was used last, by its id: newer than what is saved."""
        self._file: tuple[int, int, int] | None = None
        """What the system says of the file that was read last."""

    def list(self) -> tuple[Token, ...]:
        """Returns all tokens, the oldest first."""
        with self._lock:
            self._look()
            known = sorted(self._held.values(), key=lambda token: token.made)
            return tuple(replace(token, used=self._used.get(token.id, token.used)) for token in known)

    def make(
        self, name: str, scopes: Iterable[str], number: int | None = None, store: str = ""
    ) -> tuple[Token, str]:
        """Makes a token, and returns it with its secret, which nobody can tell again.

        TokenError for a name or scopes that cannot be, and where there are too many; OSError where the file
        cannot be used.
        """
        name, checked = _check_name(name), check_scopes(scopes)
        secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        with self._changing():
            if len(self._held) >= MOST_TOKENS:
                raise TokenError(say("there are {most} tokens already: revoke one first", most=MOST_TOKENS))
            made, digest = round(self._wall()), _hash(secret)
            token = Token(secrets.token_hex(4), name, checked, made, None, number, store, hash=digest)
            self._held[digest] = token
        return token, secret

    def revoke(self, token_id: str) -> Token:
        """Ends a token, and returns what it was.

        TokenError where there is none with this id; OSError where the file cannot be used.
        """
        with self._changing():
            for digest, token in self._held.items():
                if token.id == token_id:
                    del self._held[digest]
                    return token
        raise TokenError(
            say("there is no token '{id}': 'companion token list' shows those there are", id=token_id[:40])
        )

    def find(self, secret: str) -> Token | None:
        """Returns the token with this secret, and notes that it was used; None where there is none.

        It is looked up by its hash: how long that takes tells nothing of another secret.
        """
        digest = _hash(secret)
        with self._lock:
            self._look()
            token = self._held.get(digest)
            if token is None:
                return None
            now = self._used[token.id] = self._wall()
            if token.used is None or abs(now - token.used) >= SAVED_EVERY:
                self._save_use()
            return token

    def holds(self, token_id: str) -> bool:
        """Returns whether the token with this id goes on."""
        with self._lock:
            self._look()
            return any(token.id == token_id for token in self._held.values())

    def _save_use(self) -> None:
        """Saves when tokens were used last. Where the disk takes nothing, it is tried again after a while."""
        try:
            with self._changing():
                self._note_use()
        except OSError as error:
            self._note_use()
            log.warning("cannot write '%s' (%s): the use of tokens is not kept", self._path, error.strerror)

    def _note_use(self) -> None:
        for digest, token in self._held.items():
            if token.id in self._used:
                self._held[digest] = replace(token, used=round(self._used[token.id]))

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Lets the tokens be changed, and writes them. OSError where they cannot be read or written."""
        with self._lock:
            if self._path is None:
                yield
                return
            with open(self._path.with_name(LOCK), "ab", opener=open_private) as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._refresh()
                before = dict(self._held)
                yield
                if self._held == before:
                    return
                try:
                    write_private(self._path, write(KeptTokens(tuple(self._held.values()))))
                except OSError:
                    self._held = before
                    raise
                self._file = _identity(self._path)

    def _look(self) -> None:
        """Reads the file where it has changed. Where it cannot be read, no token is known."""
        try:
            self._refresh()
        except OSError as error:
            log.warning("cannot read '%s' (%s): no token is known", self._path, error.strerror)

    def _refresh(self) -> None:
        """Reads the file where it has changed; a damaged one is set aside. OSError where that cannot be."""
        if self._path is None or (found := _identity(self._path)) == self._file:
            return
        self._held = {}
        try:
            self._held = _read(self._path) if found else {}
        except DAMAGES:
            aside = set_file_aside(self._path)
            log.warning("'%s' was damaged, and is now '%s': make new tokens", self._path, aside.name)
        self._file = found


def check_scopes(scopes: Iterable[str]) -> tuple[str, ...]:
    """Returns scopes in order, each once. TokenError where one is none, or where they do not go together."""
    found = tuple(sorted(set(scopes)))
    for scope in found:
        if scope not in (READ, ARBITER) and not SEAT_SCOPE.fullmatch(scope):
            raise TokenError(
                say("a scope is read, seat:PLAYER (seat:white) or arbiter, not '{scope}'", scope=scope[:40])
            )
    if not found:
        raise TokenError(say("a token needs a scope: read, seat:PLAYER or arbiter"))
    if sum(scope != READ for scope in found) > 1:  # who corrects and rules sees nobody's secrets
        raise TokenError(say("a token is for one seat or for the arbiter: make another one beside it"))
    return found


def _check_name(name: str) -> str:
    tidy = str(tidy_line(name))
    if not 1 <= len(tidy) <= LONGEST_NAME:
        raise TokenError(say("a token's name has 1 to {most} characters", most=LONGEST_NAME))
    return tidy


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="surrogateescape")).hexdigest()


def _identity(path: Path) -> tuple[int, int, int] | None:
    """Returns what tells a file from another one of its name; None where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _read(path: Path) -> dict[str, Token]:
    """Returns the tokens of a file. One of `DAMAGES` where it is damaged, OSError where it cannot be read."""
    kept = decode(path.read_bytes(), KeptTokens).tokens
    return {one.hash: replace(one, scopes=check_scopes(one.scopes)) for one in kept}
