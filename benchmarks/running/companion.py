"""Runs a whole companion in a process of its own.

`serve` starts it as a user does, for what is measured; `companion` forks it from a process that has imported
all, for what is started many times.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

STARTS_S = 60.0
"""Seconds in which a companion has to say where its page is."""
COMMAND = (sys.executable, "-c", "from companion.cli import main; main()")
GREETING = re.compile(rb"https?://[^ ]*:(\d+)/")
forks = multiprocessing.get_context("forkserver")
forks.set_forkserver_preload(["web.cli"])  # imports take most of a start


@dataclass(frozen=True)
class Served:
    """A companion whose page is served."""

    pid: int
    port: int


@contextmanager
def serve(
    data: Path | str, *options: str, environment: Mapping[str, str] | None = None, **process: Any
) -> Iterator[Served]:
    """Starts `companion run` with its games in a folder, waits until its page is served, and ends it.

    `process` are further arguments of `subprocess.Popen`.
    """
    command = [*COMMAND, "run", "--port", "0", "--data", str(data), *options]
    env = {**os.environ, **(environment or {})}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=env, **process) as running:
        try:
            assert running.stdout is not None
            found = GREETING.search(running.stdout.readline())
            assert found, "no greeting"
            yield Served(running.pid, int(found[1]))
        finally:
            running.terminate()


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
    """Forks `companion run` with its games in a folder, and kills it at the end."""
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
