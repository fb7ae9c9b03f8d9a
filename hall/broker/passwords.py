"""The passwords of a hall's boards and programs at its broker: made once, kept for their owner alone."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path

from broker_bridge.address import BrokerError
from broker_bridge.rights import HALL, WALL, user_of
from broker_bridge.topics import BoardName, TopicError, read_board_name
from companion.core.private_files import write_private
from companion.language import say

FILE = "passwords.json"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that nobody takes for another one."""
GROUPS, LENGTH = 4, 4
ROUNDS = 20_000
"""How often a password is hashed: it is long and random, and Mosquitto hashes at each connection."""
SALT_BYTES, HASH_BYTES = 12, 64


class Passwords:
    """The passwords by user, in a folder. BrokerError where their file cannot be read."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        try:
            text = self._file.read_text(encoding="utf-8")
            self._by_user: dict[str, str] = json.loads(text)
            is_good = all(isinstance(each, str) for item in self._by_user.items() for each in item)
        except FileNotFoundError:
            self._by_user, is_good = {}, True
        except (OSError, ValueError, AttributeError):
            is_good = False
        if not is_good:
            raise BrokerError(
                say(
                    "'{file}' cannot be read: put it right, or take it away to make new passwords",
                    file=self._file,
                )
            )

    def of(self, user: str) -> str:
        """Returns a user's password. KeyError for one who has none."""
        return self._by_user[user]

    @property
    def boards(self) -> list[BoardName]:
        """Returns the boards that have one, those with numbers in their order."""
        names = []
        for user in self._by_user.keys() - {HALL, WALL}:
            try:
                names.append(read_board_name(user))
            except TopicError:
                continue
        return sorted(
            names, key=lambda name: (name.site, name.board.zfill(6) if name.board.isdecimal() else name.board)
        )

    def add(self, boards: Iterable[BoardName] = ()) -> None:
        """Makes passwords for these boards and for the hall where they have none yet, and keeps them.

        TopicError for a board that can be no user. OSError where nothing can be written.
        """
        users = [HALL, WALL, *map(user_of, boards)]
        if missing := [user for user in users if user not in self._by_user]:
            self._by_user = {**self._by_user, **{user: make_password() for user in missing}}
            write_private(self._file, json.dumps(self._by_user, indent=1).encode())

    def to_mosquitto(self) -> str:
        """Returns the password file for Mosquitto, which holds hashes alone."""
        return hash_passwords(self._by_user)


def make_password() -> str:
    """Returns a password of 79 bits that can be read aloud and typed."""
    groups = ("".join(secrets.choice(LETTERS) for _ in range(LENGTH)) for _ in range(GROUPS))
    return "-".join(groups)


def hash_passwords(passwords: Mapping[str, str]) -> str:
    """Returns lines as `mosquitto_passwd` writes them (PBKDF2 with SHA-512): no program is given passwords on
    its command line, where others could read them."""
    return "".join(f"{user}:{_hash(password)}\n" for user, password in passwords.items())


def _hash(password: str) -> str:
    salt = secrets.token_bytes(SALT_BYTES)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS, HASH_BYTES)
    return f"$7${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"
