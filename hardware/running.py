"""Keeps a data folder for one companion at a time, and in it the address at which that companion answers.

Only one program can open a port or a camera. So `companion doctor` does not open what a running companion
uses: it finds its address here, and asks it.
"""

from __future__ import annotations

import json
import ssl
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import NamedTuple

from companion.core.game import GameError

FILE, LOCK = "running.json", "running.lock"
REPLY_WITHIN_S = 3.0
UNKNOWN = "an address that is not known yet"


class RunningSource(NamedTuple):
    """A source as the running companion tells of it: its text, its state (`ok`, `lost`, …), and words."""

    name: str
    state: str
    words: str


@contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Has the data folder for this process alone, for as long as it is entered: two would write into each
    other's games. GameError where another has it.

    The system frees the lock however a process ends. A folder that cannot be written has no owner.
    """
    try:
        lock = (folder / LOCK).open("a")
    except OSError:
        yield
        return
    with lock:
        try:
            flock(lock, LOCK_EX | LOCK_NB)
        except OSError as error:
            raise GameError(
                f"'{folder}' is in use by the companion at {_address(folder) or UNKNOWN}: go on there, end "
                "it first, or name another folder with --data"
            ) from error
        yield


def _address(folder: Path) -> str | None:
    """Returns where the companion that runs on a folder says that it answers; None where none says so."""
    try:
        return str(json.loads((folder / FILE).read_text(encoding="utf-8"))["url"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


@contextmanager
def announce(folder: Path, url: str) -> Iterator[None]:
    """Says in the data folder where the companion answers, for as long as it is entered.

    A folder that cannot be written is no reason not to run.
    """
    file = folder / FILE
    with suppress(OSError):
        file.write_text(json.dumps({"url": url}), encoding="utf-8")
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink()


def running_devices(folder: Path, fetch: Callable[[str], bytes] | None = None) -> list[RunningSource] | None:
    """Returns the devices of the companion that runs on this folder; None where none answers.

    `fetch` gets a URL's content: from this machine's network, unless another is handed in. OSError where
    nobody answers.
    """
    if (url := _address(folder)) is None:
        return None
    try:
        state = json.loads((fetch or _fetch)(f"{url}api/v1/state"))
        return [
            RunningSource(source["name"], source["state"], source["words"]) for source in state["sources"]
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _fetch(url: str) -> bytes:
    if not url.startswith(("http://localhost:", "https://localhost:")):
        raise ValueError("the running companion is on this machine")
    # A self-made certificate is known to nobody, and what is asked here is public and stays on this machine.
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    with urllib.request.urlopen(url, timeout=REPLY_WITHIN_S, context=unchecked) as answer:  # noqa: S310
        content: bytes = answer.read()
    return content
