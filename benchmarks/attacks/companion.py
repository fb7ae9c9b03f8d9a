"""A whole companion in a process of its own, to be attacked and killed, and a browser at its page."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

STARTS_S = 60.0
"""Seconds in which a companion has to say where its page is."""
GREETING = re.compile(rb"https?://[^ ]*:(\d+)/")
forks = multiprocessing.get_context("forkserver")
forks.set_forkserver_preload(["web.cli"])  # imports take most of a start


class RefusedError(Exception):
    """An answer other than 200, with its status."""

    def __init__(self, status: int, text: bytes) -> None:
        super().__init__(f"{status}: {text.decode(errors='replace')}")
        self.status = status


class Browser:
    """A browser at a companion's page, as plain as can be. It comes from an address of this machine."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self._port, self._address, self._cookie, self._token = port, address, "", ""
        self._token = self.ask("GET", "/api/v1/session")["csrf"]

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Returns the JSON of an answer. RefusedError where that is not 200."""
        connection = http.client.HTTPConnection(
            "127.0.0.1", self._port, timeout=20, source_address=(self._address, 0)
        )
        try:
            head = {"Content-Type": "application/json", "Cookie": self._cookie, "X-CSRF-Token": self._token}
            connection.request(method, path, None if body is None else json.dumps(body), head)
            answer = connection.getresponse()
            text = answer.read()
            self._cookie = (answer.getheader("Set-Cookie") or self._cookie).partition(";")[0]
        finally:
            connection.close()
        if answer.status != 200:
            raise RefusedError(answer.status, text)
        return json.loads(text)

    def state(self) -> Any:
        return self.ask("GET", "/api/v1/state")

    def moves(self) -> list[str]:
        """Returns the actions that stand, as they are shown."""
        return [move["action"] for move in self.state().get("moves", [])]


@dataclass(frozen=True)
class Companion:
    """`companion run` in a process of its own. Its output goes into a pipe."""

    process: ForkServerProcess
    _output: Connection

    def port(self) -> int | None:
        """Waits until the page is served, and returns its port; None where the process ended before."""
        said = b""
        while self._output.poll(STARTS_S):
            more = os.read(self._output.fileno(), 4096)
            if not more:
                return None
            said += more
            if found := GREETING.search(said):
                return int(found[1])
        raise TimeoutError(f"the companion does not start: {said.decode(errors='replace')}")

    def kill(self) -> None:
        self.process.kill()


@contextmanager
def companion(folder: Path, *options: str, source: str = "none") -> Iterator[Companion]:
    """Starts `companion run` with its games in a folder, and kills it at the end.

    The process is forked from one that has imported all, and is a whole companion from there on.
    """
    output, said = forks.Pipe(duplex=False)
    args = ["run", "--source", source, "--port", "0", "--data", str(folder), *options]
    process = forks.Process(target=_run, args=(args, said), daemon=True)
    process.start()
    said.close()
    try:
        yield Companion(process, output)
    finally:
        process.kill()
        process.join()
        process.close()
        output.close()


def _run(args: list[str], said: Connection) -> None:
    """Runs the command line with its output into a pipe."""
    from companion.cli import main

    os.dup2(said.fileno(), 1)
    sys.stdout = os.fdopen(1, "w", buffering=1)
    sys.argv = ["companion", *args]
    main()
