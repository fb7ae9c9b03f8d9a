"""Mosquitto for a hall: the files that it is configured by, and the program as this one's child."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from broker_bridge.address import BrokerError
from broker_bridge.rights import HALL, WALL, write_acl
from companion.core.private_files import write_private
from companion.language import say
from companion.wire.codec import LARGEST_PACKET
from hall.broker.passwords import Passwords

PLACES = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/sbin"
INSTALL = "sudo apt install mosquitto"
START_S, STOP_S = 10.0, 10.0
STOPS = 20
"""How often it is asked to end in that time."""
BROKER = "mosquitto"
"""The folder of its files, in that of the hall."""
CONFIGURATION, RIGHTS, PASSWORDS, KEPT = "mosquitto.conf", "acl", "passwords", "kept"
MOST_QUEUED = 128 * 1024 * 1024
"""The most bytes that wait for one reader: the lines of thousands of games."""
LAST_WORDS = 5
"""The lines of what it said last that are told where it ends by itself."""


def find_mosquitto() -> str | None:
    """Returns where the program is; None where it is not installed."""
    return shutil.which("mosquitto", path=os.pathsep.join((os.environ.get("PATH", ""), PLACES)))


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a Mosquitto in a folder: its configuration, rights and passwords, and what it keeps."""

    folder: Path

    @property
    def configuration(self) -> Path:
        return self.folder / CONFIGURATION

    def write(self, passwords: Passwords, host: str, port: int) -> None:
        """Writes all of them, for their owner alone. OSError where that cannot be."""
        (self.folder / KEPT).mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(self.configuration, configuration(self.folder, host, port).encode())
        self.write_users(passwords)

    def write_users(self, passwords: Passwords) -> None:
        """Writes who may come, and what each may do; the hall's own passwords also as files of their own, for
        programs that are given one. A Mosquitto that runs reads who may come anew on SIGHUP.
        """
        write_private(self.folder / RIGHTS, write_acl(passwords.boards).encode())
        write_private(self.folder / PASSWORDS, passwords.to_mosquitto().encode())
        for user in (HALL, WALL):
            write_private(self.folder / f"{user}.password", f"{passwords.of(user)}\n".encode())


def configuration(folder: Path, host: str, port: int) -> str:
    """Returns the configuration: nobody without a password, nothing beyond the rights, nothing forgotten."""
    everywhere = host in ("0.0.0.0", "::")  # noqa: S104
    lines = (
        "# Made by 'companion hall up', which writes it anew at each start.",
        f"listener {port}" if everywhere else f"listener {port} {host}",
        "allow_anonymous false",
        f"password_file {folder / PASSWORDS}",
        f"acl_file {folder / RIGHTS}",
        "# What is retained, and what an archive that is away has still to get, outlasts a restart.",
        "persistence true",
        f"persistence_location {folder / KEPT}/",
        "autosave_interval 60",
        "# No reader takes larger packets; who sends one is cut off.",
        f"max_packet_size {LARGEST_PACKET}",
        "# Letters for an archive that is away are kept; what is too much, boards send again.",
        "max_queued_messages 0",
        f"max_queued_bytes {MOST_QUEUED}",
        "max_inflight_messages 500",
        "persistent_client_expiration 7d",
        "log_type error",
        "log_type warning",
        "log_type notice",
        "log_type information",  # among it that it runs
        "log_dest stderr",
        f"user {getpass.getuser()}",
    )
    return "\n".join(lines) + "\n"


class Mosquitto:
    """Mosquitto as a child of this program. Use it as a context: it ends with it. BrokerError where it does
    not start."""

    def __init__(self, program: str, files: Files, port: int) -> None:
        self._program, self._files, self._port = program, files, port
        self._process: subprocess.Popen[str] | None = None
        self._words: list[str] = []
        self._has_news, self._did_start = threading.Event(), False
        self._reader: threading.Thread | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Starts it, and waits until it runs. BrokerError where it does not."""
        self._has_news, self._did_start = threading.Event(), False
        self._process = subprocess.Popen(  # noqa: S603 (found where programs are, and given our own file)
            [self._program, "-c", str(self._files.configuration)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for this program, which ends it after the boards' last words
        )
        self._reader = threading.Thread(target=self._read, args=(self._process.stderr,), daemon=True)
        self._reader.start()
        self._has_news.wait(START_S)
        if not self._did_start:
            self.stop()
            words = " ".join(self._words[-LAST_WORDS:])
            raise BrokerError(
                say("Mosquitto does not start on port {port}: {words}", port=self._port, words=words)
            )

    def stop(self) -> None:
        """Ends it in good order: what it keeps is on its disk."""
        if self._process is None:
            return
        for _ in range(STOPS):
            self._process.terminate()  # again: it forgets one that comes while it is still starting
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_S / STOPS)
                break
        else:
            self._process.kill()
            self._process.wait()
        if self._reader:
            self._reader.join()

    @property
    def has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    @property
    def last_words(self) -> str:
        return " ".join(self._words[-LAST_WORDS:])

    def read_users(self) -> None:
        """Makes it read who may come, anew."""
        if self._process and not self.has_ended:
            self._process.send_signal(signal.SIGHUP)

    def _read(self, lines: IO[str] | None) -> None:
        """Reads what it says to its end: a pipe that is full would stop it."""
        if lines is None:
            return
        with lines:
            for line in lines:
                self._words = [*self._words[1 - 4 * LAST_WORDS :], line.strip()]
                if line.rstrip().endswith("running"):
                    self._did_start = True
                    self._has_news.set()
        self._has_news.set()  # it has ended: nobody need wait for it


def is_free(host: str, port: int) -> bool:
    """Returns whether nobody listens on a port."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            line.bind((host, port))
        except OSError:
            return False
    return True
