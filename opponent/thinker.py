"""Thinks in a process of its own: niced, with a limit of its memory, and killed without harm.

The child reads questions and writes choices, each a line of JSON. Whoever asks is told from another thread.
"""

from __future__ import annotations

import logging
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import Protocol, TypeAlias

from companion.config import child_environment
from companion.core.game import GameError
from companion.wire import codec
from opponent.mind import Choice, Question, choose

log = logging.getLogger(__name__)
COMMAND = (sys.executable, "-m", "opponent")
NICE = 10
MEMORY = 512 * 1024 * 1024
"""The bytes of address space that a mind may take; in it a program for chess is counted by itself."""

Tell: TypeAlias = Callable[[Question, Choice | None], None]
"""Is told the choice for a question; None where there is none: it was no question, or the process died."""


class Thinks(Protocol):
    """The contract: at most one question at a time, and each is told once, unless it is cancelled."""

    def start(self, question: Question) -> None:
        """Begins to think about a question, and gives up what was thought about."""

    def cancel(self) -> None:
        """Gives up what is thought about: nothing is told of it any more."""

    def close(self) -> None:
        """Gives up for good."""


class Thinker:
    """Thinks in a child process, begun with the first question, and again after a cancelled one."""

    def __init__(self, tell: Tell, command: tuple[str, ...] = COMMAND) -> None:
        self._tell, self._command = tell, command
        self._lock = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._asked: Question | None = None

    def start(self, question: Question) -> None:
        with self._lock:
            if self._asked:
                self._kill()
            self._asked = question
            child = self._child = self._child or self._begin()
            assert child.stdin
            try:
                child.stdin.write(codec.write(question) + b"\n")
                child.stdin.flush()
            except OSError:
                log.warning("the mind was gone when it was asked")  # its listener tells so

    def cancel(self) -> None:
        with self._lock:
            if self._asked:
                self._kill()

    def close(self) -> None:
        with self._lock:
            self._kill()

    def _begin(self) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(  # noqa: S603 (our own words)
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=child_environment()
        )
        Thread(target=self._listen, args=(child,), name="mind", daemon=True).start()
        return child

    def _kill(self) -> None:
        self._asked, child, self._child = None, self._child, None
        if child:
            child.kill()

    def _listen(self, child: subprocess.Popen[bytes]) -> None:
        """Tells each choice of a child, until it ends."""
        assert child.stdout
        for line in child.stdout:
            self._told(child, line)
        self._told(child, b"null")  # nobody writes to it any more
        with suppress(OSError), child:
            pass

    def _told(self, child: subprocess.Popen[bytes], line: bytes) -> None:
        with self._lock:
            if self._child is not child:
                return  # cancelled
            if not line.endswith(b"\n"):
                self._child = None
            asked, self._asked = self._asked, None
        if asked:
            self._tell(asked, _read(line))


def answer(question: Question) -> Choice | None:
    """Returns the choice for a question; None where there is none."""
    try:
        return choose(question)
    except GameError as error:
        log.warning("no answer to %s: %s", question, error)
        return None


def limit() -> None:
    """Makes this process a modest one: niced, and with little memory."""
    os.nice(NICE)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _read(line: bytes) -> Choice | None:
    """Returns the choice that a child wrote; None where it died, or wrote anything else."""
    try:
        return codec.decode(line, Choice) if line.strip() != b"null" else None
    except codec.WireError as error:
        log.warning("a mind has written nonsense: %s", error)
        return None
