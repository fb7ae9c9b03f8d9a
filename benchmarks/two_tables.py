"""Two companions play one game; the line is cut and each of them is killed, again and again. `python -m
benchmarks two_tables [--games chess,triune,…] [--times N]`.

Both are processes of their own, with HTTPS. Between them stands a proxy that cuts every connection, and lets
none through for a while. SIGKILL ends a companion in the middle of what it does; it begins anew on its data.
At the end both records have to be the same: every action that a table has taken is in both, once.
"""

from __future__ import annotations

import argparse
import select
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.running.browser import BROKEN, Browser, RefusedError
from benchmarks.running.companion import companion

GAMES = ("chess", "triune", "magnet values=declared")
WAIT = 180.0
SEALED = "24T2324t343K"


class Proxy:
    """Hands connections on to an address, until it is cut."""

    def __init__(self, target: int) -> None:
        self.target, self.is_cut = target, False
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self.is_cut = True
        for one in list(self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self.is_cut = False

    def close(self) -> None:
        self.cut()
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        with near, suppress(OSError):
            if self.is_cut:
                return
            with socket.create_connection(("127.0.0.1", self.target)) as far:
                self._open |= {near, far}
                try:
                    self._pass_on(near, far)
                finally:
                    self._open -= {near, far}

    def _pass_on(self, near: socket.socket, far: socket.socket) -> None:
        while not self.is_cut:
            for ready in select.select((near, far), (), (), 1.0)[0]:
                data = ready.recv(65536)
                if not data:
                    return
                (far if ready is near else near).sendall(data)


class Table:
    """A companion on a folder of its own, and a browser at it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self._life = ExitStack()
        self.start()

    def start(self) -> None:
        """Starts it, or starts it anew at the same port once it was killed."""
        self._life.close()
        options = ("--tls", "self", "--port", str(self.port))
        self.process = self._life.enter_context(companion(self.folder, *options))
        self.port = self.process.port() or 0
        self.page = Browser(self.port, is_secure=True)

    def close(self) -> None:
        self._life.close()

    def ask(self, path: str, body: object = None) -> Any:
        """Returns the answer, or None where it is refused. A line that breaks is tried again."""
        end = time.monotonic() + WAIT
        while True:
            try:
                return self.page.ask(path, body)
            except RefusedError:
                return None
            except BROKEN:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    @property
    def state(self) -> Any:
        return self.ask("state")


def plies(state: Any) -> list[str]:
    return [f"{move['player']} {move['action']}" for move in state["moves"]]


class Match:
    """One game of two companions. `taken` are the actions that a table has said to have taken."""

    def __init__(self, folder: Path, game: str, rng: Random) -> None:
        self.rng, self.taken = rng, list[str]()
        (folder / "host").mkdir(parents=True)
        (folder / "guest").mkdir()
        self.host, self.guest = Table(folder / "host"), Table(folder / "guest")
        self.proxy = Proxy(self.host.port)
        name, *options = game.split()
        offer = next(one for one in self.host.ask("games") if one["name"] == name)
        self.seats = dict(zip(offer["players"], (self.host, self.guest), strict=True))
        told = dict(option.split("=") for option in options)
        body = {"game": name, "options": told, "elsewhere": offer["players"][1]}
        assert self.host.ask("games", {**body, "clock": "300"}), "no game was begun"
        code = self.host.ask("two-tables/codes", {})["code"]
        address = f"https://127.0.0.1:{self.proxy.port}"
        assert self.guest.ask("two-tables/joining", {"address": address, "code": code}), "nobody joined"
        if options:
            for one in self.seats.values():
                assert one.ask("two-tables/seals", {"told": SEALED}), "nothing was sealed"

    def play(self) -> bool:
        """Plays an action by chance where it is a player's turn; returns whether that was so."""
        for seat, table in self.seats.items():
            state = table.state
            if state["state"] == "playing" and state["to_act"] == seat and state["legal"]:
                wanted = [one["action"] for one in state["legal"] if not one["action"].endswith("+")]
                action = self.rng.choice([one for one in wanted if one != "declare"] or wanted)
                if table.ask("actions", {"action": action, "plies": state["plies"]}):
                    self.taken.append(f"{seat} {action}")
                    return True
        return False

    def play_on(self, count: int) -> None:
        """Plays so many actions, unless the game is over before."""
        end = time.monotonic() + WAIT
        while count and self.host.state["state"] != "over" and self.guest.state["state"] != "over":
            if self.play():
                count, end = count - 1, time.monotonic() + WAIT
            assert time.monotonic() < end, "play does not go on"

    def trouble(self, kind: str) -> None:
        """Lets something go wrong in the middle of play."""
        if kind == "line":
            self.proxy.cut()
            self.play()
            self.play()
            self.proxy.mend()
            return
        one = self.host if kind == "host" else self.guest
        killing = threading.Timer(self.rng.random() * 0.3, one.process.kill)
        killing.start()
        with suppress(ValueError, *BROKEN):
            self._play_until_killed(one)
        killing.join()
        one.start()
        self._recall()

    def _play_until_killed(self, one: Table) -> None:
        for _ in range(20):
            if not one.process.process.is_alive():
                return
            for seat, table in self.seats.items():
                state = table.page.state()
                if state["to_act"] == seat and state["legal"]:
                    action = self.rng.choice(state["legal"])["action"].rstrip("+")
                    with suppress(RefusedError):
                        table.page.ask("actions", {"action": action})
                        self.taken.append(f"{seat} {action}")

    def _recall(self) -> None:
        """Notes actions of which the answer was lost with the companion that had taken them."""
        for seat, table in self.seats.items():
            own = [ply for ply in plies(table.state) if ply.startswith(f"{seat} ")]
            others = [ply for ply in self.taken if not ply.startswith(f"{seat} ")]
            told = [ply for ply in self.taken if ply.startswith(f"{seat} ")]
            assert own[: len(told)] == told, f"{table.folder.name} has lost an action"
            self.taken = [*others, *own]

    def end(self) -> tuple[list[str], list[str]]:
        """Ends the game, and returns both records once they are the same, or the time for that is over."""
        self._wait(lambda host, guest: plies(host) == plies(guest))
        if self.host.state["state"] != "over":
            self.guest.ask("resignations", {"player": list(self.seats)[1]})
        self._wait(
            lambda host, guest: (
                plies(host) == plies(guest) and host["outcome"] == guest["outcome"] is not None
            )
        )
        host, guest = self.host.state, self.guest.state
        return [*plies(host), str(host["outcome"])], [*plies(guest), str(guest["outcome"])]

    def _wait(self, is_so: Callable[[Any, Any], bool]) -> None:
        end = time.monotonic() + WAIT
        while not is_so(self.host.state, self.guest.state) and time.monotonic() < end:
            time.sleep(0.1)

    def close(self) -> None:
        self.host.close()
        self.guest.close()
        self.proxy.close()


def play_game(game: str, times: int, seed: int = 1) -> list[str]:
    """Plays a game with so many cuts, and so many ends of each companion. Returns its record."""
    rng = Random(f"{game} {seed}")
    with tempfile.TemporaryDirectory() as folder:
        match = Match(Path(folder), game, rng)
        try:
            troubles = ["line", "host", "guest"] * times
            rng.shuffle(troubles)
            for kind in troubles:
                match.play_on(1)
                match.trouble(kind)
            match.play_on(2)
            ours, theirs = match.end()
            assert ours == theirs, f"{game}: {ours} is not {theirs}"
            for seat in match.seats:
                told = [ply for ply in match.taken if ply.startswith(f"{seat} ")]
                assert told == [ply for ply in ours if ply.startswith(f"{seat} ")], f"{game}: a ply is lost"
            return ours
        finally:
            match.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--times", type=int, default=10)
    chosen = parser.parse_args(arguments)
    for game in chosen.games.split(","):
        begun = time.monotonic()
        record = play_game(game, chosen.times)
        cuts = f"{chosen.times} cuts, each companion killed {chosen.times} times"
        print(f"{game}: {len(record) - 1} plies, {cuts}: the same at both ({time.monotonic() - begun:.0f} s)")
    return 0
