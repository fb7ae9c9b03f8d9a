"""Tries an environment before it is the one that runs: `python -m hardware.trial`.

Starts the companion of this environment with a virtual table and camera, in a folder that is thrown away, and
asks for its page, a picture and a drawing. That loads every library but those of real devices.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import threading
from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from companion.games import installed

PATIENCE = 120.0
"""Seconds after which a companion that has not greeted, or an answer that has not come, is given up."""
TOO_SLOW = b"this takes longer than"
"""What the page answers where a drawing was not ready in time."""
ASKED = ("/", "/api/v1/state", "/api/v1/picture.jpg", "/api/v1/records/1/export/png")


def try_companion(command: Path, patience: float = PATIENCE) -> str:
    """Returns what is wrong with an installed companion; nothing when its page answers."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--port", "0", "--data", folder, "--game", installed()[0], "--source", "virtual"]
        process = subprocess.Popen([command, "run", *options], stdout=subprocess.PIPE, text=True)  # noqa: S603
        limit = threading.Timer(patience, process.kill)
        limit.start()
        try:
            return _ask(process, patience)
        finally:
            limit.cancel()
            process.kill()
            process.communicate()


def _ask(process: subprocess.Popen[str], patience: float) -> str:
    assert process.stdout is not None
    greeting = process.stdout.readline()
    found = re.search(r"open http://\S+:(\d+)/", greeting)
    if not found:
        return f"it does not start: {greeting.strip() or 'see above'}"
    address = f"http://127.0.0.1:{found[1]}"  # where /etc/hosts is missing, nobody knows localhost
    try:
        for path in ASKED:
            _fetch(address + path, patience)
    except OSError as error:
        return f"its page does not answer: {error}"
    return ""


def _fetch(url: str, patience: float) -> None:
    """Fetches what must be there. What this computer is only too slow to draw in time is not broken."""
    try:
        with urlopen(url, timeout=patience) as answer:  # noqa: S310
            answer.read()
    except HTTPError as error:
        if error.code != HTTPStatus.SERVICE_UNAVAILABLE or TOO_SLOW not in error.read():
            raise


def main() -> None:
    wrong = try_companion(Path(sys.executable).with_name("companion"))
    sys.exit(f"trial: {wrong}" if wrong else 0)


if __name__ == "__main__":
    main()
