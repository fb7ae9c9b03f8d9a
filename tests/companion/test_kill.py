"""`kill -9` at any moment: the game stands as it was last shown, or one action further."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.store.store import Store
from tests.companion import player

COMPANION = Path(sys.executable).with_name("companion")
ROOT = Path(__file__).resolve().parents[2]
Moves = list[str]


def is_next(shown: Moves, found: Moves) -> bool:
    """Whether one action, takeback or new game leads from what was shown to what was found, or none."""
    begun_anew = found == [] and len(shown) >= player.LONGEST
    return found in (shown, shown[:-1]) or (bool(found) and found[:-1] == shown) or begun_anew


def standing(path: Path) -> tuple[int, Moves]:
    """The newest game in a store and the moves that stand in it."""
    store = Store(path)
    try:
        number = store.list(limit=1)[0].id
        return number, list(store.load(number).session().actions)
    finally:
        store.close()


def killed_player(path: Path, seed: int, lines: int) -> tuple[int, Moves]:
    """Lets a table play until it has printed so many lines and kills it; what it showed last."""
    command = [sys.executable, "-m", player.__name__, str(path), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        shown = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        shown += process.stdout.readlines()
    whole = [line for line in shown if line.endswith("\n")]
    number, moves = json.loads(whole[-1])
    return number, moves


def check_player(path: Path, seed: int) -> None:
    shown, moves = killed_player(path, seed, random.Random(seed).randrange(1, 120))
    number, found = standing(path)
    if number == shown:
        assert is_next(moves, found)
    else:
        assert (number, found) == (shown + 1, [])


@pytest.mark.parametrize("seed", range(12))
def test_a_killed_table(tmp_path: Path, seed: int) -> None:
    check_player(tmp_path / "games.sqlite", seed)


@pytest.mark.soak
def test_a_table_killed_200_times(tmp_path: Path) -> None:
    for seed in range(200):
        check_player(tmp_path / "games.sqlite", seed)


class Browser:
    """A browser at a companion's page, as plain as can be."""

    def __init__(self, port: int) -> None:
        self._port, self._cookie, self._token = port, "", ""
        self._token = self.ask("GET", "/api/v1/session")["csrf"]

    def ask(self, method: str, path: str, body: object = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        try:
            head = {"Content-Type": "application/json", "Cookie": self._cookie, "X-CSRF-Token": self._token}
            connection.request(method, path, None if body is None else json.dumps(body), head)
            answer = connection.getresponse()
            text = answer.read()
            self._cookie = (answer.getheader("Set-Cookie") or self._cookie).partition(";")[0]
        finally:
            connection.close()
        assert answer.status == 200, text
        return json.loads(text)

    def state(self) -> Any:
        return self.ask("GET", "/api/v1/state")

    def moves(self) -> Moves:
        return [move["action"] for move in self.state().get("moves", [])]


@contextmanager
def running(folder: Path) -> Iterator[tuple[subprocess.Popen[str], Browser]]:
    """`companion run` without a sensor, and a browser at its page."""
    command = [str(COMPANION), "run", "--source", "none", "--port", "0", "--data", str(folder)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            greeting = process.stdout.readline()
            port = re.search(r":(\d+)/", greeting)
            assert port, greeting
            yield process, Browser(int(port[1]))
        finally:
            process.kill()


class Life:
    """One life of a companion: plays at its page until it is killed, and remembers what was shown."""

    def __init__(self, browser: Browser, chance: random.Random) -> None:
        self._browser, self._chance = browser, chance
        self.shown = browser.moves()

    def play(self) -> None:
        """Plays on until the line breaks."""
        try:
            while True:
                self._step()
        except (OSError, http.client.HTTPException):
            return

    def _step(self) -> None:
        state = self._browser.state()
        if state["state"] == "empty" or state["outcome"] or len(self.shown) >= player.LONGEST:
            self._browser.ask("POST", "/api/v1/games", {"game": "triune"})
            self.shown = []
        elif self.shown and self._chance.random() < 0.1:
            self._browser.ask("POST", "/api/v1/takebacks", {})
            self.shown = self.shown[:-1]
        else:
            action = self._chance.choice(state["legal"])["action"]
            self._browser.ask("POST", "/api/v1/actions", {"action": action})
            self.shown = [*self.shown, action]


def kill_again_and_again(folder: Path, times: int) -> None:
    chance = random.Random(times)
    shown: Moves = []
    for _ in range(times):
        with running(folder) as (process, browser):
            life = Life(browser, chance)
            assert is_next(shown, life.shown)
            timer = threading.Timer(chance.uniform(0.0, 0.5), process.kill)
            timer.start()
            life.play()
            timer.join()
            shown = life.shown
    with running(folder) as (_, browser):
        assert is_next(shown, browser.moves())


def test_a_killed_companion(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, 12)


@pytest.mark.soak
def test_a_companion_killed_200_times(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, 200)
