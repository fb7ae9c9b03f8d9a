"""Random players at the stage, who know what they played, and what goes wrong meanwhile.

The players' truth is a session of its own, as in `benchmarks.simulation`. What the table got wrong they enter
by hand, as people do. `Play` tells what they do before they do it, so that it is known if the process dies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

from benchmarks.simulation.players import decide, opening
from benchmarks.simulation.trials import reaches
from benchmarks.soaking.stage import REST, Stage
from companion.core.game import Action
from companion.record.session import ARBITER, Entry, Session, common_plies
from companion.referee.hypotheses.choices import keep_answered
from companion.table import messages as m

GAMES = ("triune", "draughts", "escape")
WATCHED = "triune"
"""The game that the camera watches: always the same, for each board takes memory of its own to read."""
LONGEST, SHORT = 60, 12
"""Actions after which a game is given up; one that the camera watches is short, for pictures take time."""
THINKS, QUICK, BREAK, OUT = (10.0, 110.0), (5.0, 40.0), 120.0, (3.0, 30.0)
"""Seconds for which players think, also before the camera; between two games; and for which something is
away."""
PATIENCE = 12.0
"""Seconds after which players look at the page, and enter what it has wrong."""
TOLD_WITHIN = 2.0
"""Seconds within which the page says that nothing can be stored."""
TAKES_BACK, FAULTS = 0.04, 0.08
"""The shares of actions that are taken back, and of those during which something goes wrong."""
DAY, YEARS = 86_400.0, 3e8
CLOCKS = ("", "90+30", "120:00")

Report = Callable[[str, int, tuple[Action, ...]], object]
"""Hears of `begun`, `doing` and `done`: a game's number, and the actions that stand in it."""


class Play:
    """Players at a stage. `counts` holds what happened, by kind.

    The camera watches one game in `watched`, the second at first; or none for 0. The grid follows all.
    """

    def __init__(self, stage: Stage, rng: Random, report: Report, watched: int) -> None:
        self.stage, self.rng, self.report, self._watched = stage, rng, report, watched
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self.number, self.truth = 0, opening(GAMES[0], rng)

    def resume(self) -> None:
        """Goes on with the game that is in the store, or begins one."""
        latest = self.stage.store.latest()
        if latest is None or not self.stage.table.ask(m.OpenGame(latest)).ok:
            self.begin()
            return
        self._sit_down()

    def begin(self) -> None:
        """Begins another game."""
        name, clock = self.rng.choice(GAMES), self.rng.choice(CLOCKS)
        name = WATCHED if self._is_watched(self.number + 1) else name
        reply = self.stage.table.ask(m.NewGame(name, {"clock": clock} if clock else {}))
        if not reply.ok:
            raise RuntimeError(f"{name} cannot be begun: {reply.words}")
        self._sit_down()
        self.counts["games"] += 1

    def _sit_down(self) -> None:
        """Takes the table's game for the truth, and has the board laid and learned."""
        snapshot = self.stage.table.snapshot
        assert snapshot.session is not None
        assert snapshot.number is not None
        self.number, self.truth = snapshot.number, snapshot.session
        self.report("begun", self.number, self.truth.actions)
        self.stage.lay(self.truth, is_watched=self._is_watched(self.number))
        self.stage.pass_time(3.0)

    def _is_watched(self, number: int) -> bool:
        """Returns whether the camera watches a game."""
        return self._watched > 0 and number % self._watched == 2 % self._watched

    def turn(self) -> None:
        """Plays an action, or ends the game and begins another; now and then something goes wrong."""
        longest, thinks = (SHORT, QUICK) if self._is_watched(self.number) else (LONGEST, THINKS)
        if self.truth.outcome or len(self.truth.plies) >= longest:
            self._check_told()
            self.stage.pass_time(BREAK, REST)
            self.begin()
            return
        self.stage.pass_time(self.rng.uniform(*thinks), REST)
        if self.rng.random() < FAULTS:
            self.rng.choice((self.lose_camera, self.lose_grid, self.fill_disk, self.jump))()
        elif self.truth.plies and self.rng.random() < TAKES_BACK:
            self.take_back()
        else:
            self.act()
            self.settle()

    def act(self) -> None:
        """Has a hand carry out what a player decides."""
        action = decide(self.truth, self.rng)
        before = dict(self.truth.look)
        self.truth = self.truth.apply(Entry("action", action))
        self.counts["actions"] += 1
        self.report("doing", self.number, self.truth.actions)
        after = dict(self.truth.look)
        if before == after:
            self.stage.table.ask(m.Submit(action))
            return
        places = sorted(place for place, _ in before.items() ^ after.items())
        sites = self.truth.game.board.sites
        self.stage.virtual.hand(next((sites[place] for place in places if place in sites), (0.0, 0.0)))
        self.stage.pass_time(0.4)
        self.stage.become(after)
        self.stage.pass_time(0.4)
        self.stage.virtual.hand(None)

    def take_back(self) -> None:
        """Takes the last action back on the page, and on the board."""
        if self.stage.table.ask(m.TakeBack(1, ARBITER)).ok:
            self.truth = self.truth.apply(Entry("takeback", "1"))
            self.counts["takebacks"] += 1
            self.report("doing", self.number, self.truth.actions)
            self.stage.become(dict(self.truth.look))
            self.settle()

    def settle(self) -> None:
        """Waits until the table has it right; answers its question, or enters what is wrong."""
        waited = 0.0
        while waited < PATIENCE and not self.is_right() and not self.stage.table.snapshot.question:
            self.stage.pass_time(0.4)
            waited += 0.4
        if self.stage.table.snapshot.question:
            self.answer()
        if self.is_right():
            self.counts["seen"] += 1
        else:
            self.enter()
        self.report("done", self.number, self.truth.actions)

    def is_right(self) -> bool:
        told = self.stage.table.snapshot.session
        return (
            told is not None and told.position == self.truth.position and told.actions == self.truth.actions
        )

    def answer(self) -> None:
        """Answers truly."""
        while question := self.stage.table.snapshot.question:
            belief = self.stage.desk.belief
            fitting = [
                c for c in question.choices if belief and reaches(keep_answered(belief, c), self.truth)
            ]
            self.counts["asked"] += 1
            if not fitting or not self.stage.table.ask(m.Answer(question.id, fitting[0])).ok:
                return

    def enter(self) -> None:
        """Puts the record right on the page, as players would."""
        self.counts["entered"] += 1
        told = self._told()
        common = common_plies(told, self.truth)
        if len(told.plies) > common:
            self.stage.table.ask(m.TakeBack(len(told.plies) - common, ARBITER))
        for action in self.truth.actions[common:]:
            self.stage.table.ask(m.Submit(action))
        self.stage.table.ask(m.Believe())
        self.stage.pass_time(2.0)
        self._check_told()

    def _told(self) -> Session:
        session = self.stage.table.snapshot.session
        assert session is not None
        return session

    def _check_told(self) -> None:
        if not self.is_right():
            self.fail("lost", f"{' '.join(self.truth.actions[-4:])} | {' '.join(self._told().actions[-4:])}")
            self.truth = self._told()

    def fail(self, kind: str, words: str) -> None:
        self.counts[kind] += 1
        self.failures.append(f"game {self.number}, {self.stage.clock.now:.0f} s: {kind}: {words}")

    def lose_camera(self) -> None:
        """Plays while the camera is away for a while."""
        self.counts["camera away"] += 1
        self.stage.camera.is_away = True
        self.act()
        self.stage.pass_time(self.rng.uniform(*OUT))
        self.stage.bring_camera_back()
        self.stage.pass_time(3.0)
        self.settle()

    def lose_grid(self) -> None:
        """Plays while the grid's cable is out for a while."""
        self.counts["grid away"] += 1
        self.stage.grid.is_away = True
        self.stage.grid.pull()
        self.act()
        self.stage.pass_time(self.rng.uniform(*OUT))
        self.stage.grid.is_away = False
        self.stage.pass_time(3.0)
        self.settle()

    def jump(self) -> None:
        """Plays while the machine's time of day is set back, or years ahead."""
        self.counts["clock jumps"] += 1
        self.stage.clock.jump = self.rng.choice((-DAY, 0.0, DAY, YEARS, -YEARS))
        self.act()
        self.settle()

    def fill_disk(self) -> None:
        """Plays while the disk is full: the page says so, and tells what was played once there is room."""
        self.counts["disk full"] += 1
        self.stage.disk.fault = "full"
        since = self.stage.clock.now
        self.act()
        while not self.stage.table.snapshot.store_trouble and self.stage.clock.now < since + PATIENCE:
            self.stage.pass_time(0.2)
        self.stage.pass_time(self.rng.uniform(*OUT))
        is_told = bool(self.stage.table.snapshot.store_trouble)
        self.stage.disk.fault = ""
        self.stage.pass_time(3.0)
        self.settle()
        if not is_told:
            self.fail("silent", "the disk was full, and the page did not say so")
