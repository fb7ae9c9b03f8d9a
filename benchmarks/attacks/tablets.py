"""Has two tablets do the same at the same moment.

    python -m benchmarks attack tablets [--count 60]

At a whole companion in a process of its own. Both press Undo at once, as they see the game: one action has
to be taken back. Then one taps a move while the other begins another game of the same kind: it must not be
played there.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.running.browser import Browser, RefusedError
from benchmarks.running.companion import companion

GAME, PLAYED, TAPPED = "triune", ("a2-a3", "b7~", "a3-a4"), "a2-a3"


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks attack tablets")
    parser.add_argument("--count", type=int, default=60, help="how often each is tried")
    count = parser.parse_args(args).count
    with tempfile.TemporaryDirectory() as name, companion(Path(name)) as server:
        port = server.port()
        assert port is not None, "the companion did not start"
        tablets = (Browser(port, "127.0.0.2"), Browser(port, "127.0.0.3"))
        twice = sum(_undo(tablets) != 1 for _ in range(count))
        astray = sum(_tap(tablets) for _ in range(count))
    print(f"{count} times Undo on two tablets at once: {twice} times not one action was taken back")
    print(f"{count} taps while another game begins: {astray} were played in that")
    return 0 if twice == astray == 0 else 1


def _undo(tablets: tuple[Browser, Browser]) -> int:
    """Presses Undo on both; returns how many actions were taken back."""
    _begin(tablets[0], PLAYED)
    undo = ("takebacks", {"count": 1, **_meant(tablets[0])})
    _at_once(tablets, (undo, undo))
    return len(PLAYED) - len(tablets[0].moves())


def _tap(tablets: tuple[Browser, Browser]) -> bool:
    """Taps a move on one while the other begins a game; returns whether it was played in that."""
    _begin(tablets[0], ())
    meant = _meant(tablets[0])
    _at_once(tablets, (("games", {"game": GAME, **meant}), ("actions", {"action": TAPPED, **meant})))
    state = tablets[0].state()
    return bool(state["number"] != meant["number"] and state["moves"])


def _begin(page: Browser, actions: tuple[str, ...]) -> None:
    page.ask("games", {"game": GAME})
    for action in actions:
        page.ask("actions", {"action": action})


def _meant(page: Browser) -> dict[str, int]:
    """Returns the game and the moment that a page shows, as it says them with each act."""
    state = page.state()
    return {"number": state["number"], "plies": state["plies"]}


def _at_once(tablets: tuple[Browser, Browser], posts: tuple[tuple[str, Mapping[str, Any]], ...]) -> None:
    """Sends both requests at the same moment. One of them may be refused."""
    gate = threading.Barrier(len(tablets))

    def send(page: Browser, path: str, body: Mapping[str, Any]) -> None:
        gate.wait()
        try:
            page.ask(path, body)
        except RefusedError as error:
            if error.status != 409:
                raise

    threads = [
        threading.Thread(target=send, args=(page, *post)) for page, post in zip(tablets, posts, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
