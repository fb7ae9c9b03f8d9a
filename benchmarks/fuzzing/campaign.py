"""Runs one target for a time: makes inputs, counts what comes of them, and keeps what fails as files."""

from __future__ import annotations

import re
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.fuzzing.reduction import reduced
from benchmarks.fuzzing.resources import TooSlowError, Use, limited
from benchmarks.fuzzing.target import BrokenLawError, Outcome, Target
from benchmarks.running.figures import percentile

LONGEST_S, LARGEST = 20.0, 400_000_000
"""Seconds of the processor and bytes of memory that an input may take."""
REDUCING_S = 60.0
"""Seconds after which a failing input is left as small as it is."""
AGAIN = 100
"""Every so many inputs one is made twice, which has to give the same."""
ROOT = Path(__file__).parents[2]
PERCENTS = (50, 95, 99, 100)


@dataclass(frozen=True)
class Failure:
    """An input that broke a law: what tells this failure from others, its traceback, and its file."""

    sign: str
    words: str
    file: Path


@dataclass
class Report:
    """The findings of a campaign so far."""

    inputs: int = 0
    accepted: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    uses: list[Use] = field(default_factory=list)
    slowest: int = 0
    failures: dict[str, Failure] = field(default_factory=dict)
    failed: int = 0

    @property
    def share(self) -> float:
        """Returns the share of what was handed in that was accepted."""
        whole = self.accepted + self.refusals.total()
        return self.accepted / whole if whole else 0.0

    def add(self, number: int, outcome: Outcome | None, use: Use) -> None:
        """Counts an input; without an outcome it failed."""
        self.inputs += 1
        if not self.uses or use.seconds > self.uses[self.slowest].seconds:
            self.slowest = len(self.uses)
        self.uses.append(use)
        if outcome is None:
            self.failed += 1
            return
        self.accepted += outcome.accepted
        self.refusals.update(map(pattern, outcome.refusals))

    def lines(self) -> Iterator[str]:
        """Yields the report in words."""
        yield f"{self.inputs} inputs, {self.share:.0%} accepted, {len(self.refusals)} distinct refusals"
        for words, count in self.refusals.most_common():
            yield f"  {count:6}  {words}"
        if self.uses:
            yield _percentiles("processor time, ms", [1000 * use.seconds for use in self.uses])
            yield _percentiles("memory, MB", [use.bytes / 1e6 for use in self.uses])
            yield f"slowest: input {self.slowest}, {1000 * self.uses[self.slowest].seconds:.0f} ms"
        for failure in self.failures.values():
            yield f"FAILED {failure.sign}\n  {failure.file}\n{failure.words}"
        yield f"{self.failed} inputs failed in {len(self.failures)} ways"


def run(target: Target, seed: str, seconds: float, folder: Path, first: int = 0) -> Report:
    """Tries inputs for so many seconds, from number `first` on. Each failure's first input is made small and
    saved in the folder."""
    report, end, number = Report(), time.monotonic() + seconds, first
    while time.monotonic() < end:
        content = target.make(Random(f"{seed} {number}"))
        if number % AGAIN == 0 and target.make(Random(f"{seed} {number}")) != content:
            raise BrokenLawError(f"input {number} of seed {seed} is another one when it is made again")
        outcome, use, error = attempt(target, content)
        report.add(number, outcome, use)
        if error is not None and (sign := sign_of(error)) not in report.failures:
            file = folder / f"{seed}-{number}{target.suffix}"
            report.failures[sign] = _saved(target, content, sign, error, file)
        number += 1
    return report


def attempt(target: Target, content: bytes) -> tuple[Outcome | None, Use, BaseException | None]:
    """Hands an input to a target. Returns what came of it, what it took, and the failure, if it is one."""
    outcome, error = None, None
    try:
        with limited(LONGEST_S) as use:
            outcome = target.attempt(content)
    except (Exception, TooSlowError) as caught:
        error = caught
    if error is None and use.bytes > LARGEST:
        error = BrokenLawError(f"an input takes at most {LARGEST // 1_000_000} MB")
    return (None if error else outcome), use, error


def _saved(target: Target, content: bytes, sign: str, error: BaseException, file: Path) -> Failure:
    """Saves the smallest input that fails alike."""
    end = time.monotonic() + REDUCING_S

    def fails(smaller: bytes) -> bool:
        if time.monotonic() > end:
            return False
        found = attempt(target, smaller)[2]
        return found is not None and sign_of(found) == sign

    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)  # though the next should hang
    smallest = reduced(content, fails)
    file.write_bytes(smallest if fails(smallest) else content)
    return Failure(sign, "".join(traceback.format_exception(error)), file)


def sign_of(error: BaseException) -> str:
    """Returns what tells a failure from others: the law, or the error and the product's line it came from."""
    if isinstance(error, BrokenLawError):
        return pattern(str(error))
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if Path(f.filename).is_relative_to(ROOT) and ".venv" not in f.filename]
    where = f"{Path(own[-1].filename).relative_to(ROOT)}:{own[-1].name}" if own else "?"
    return f"{type(error).__name__} in {where}"


def pattern(words: str) -> str:
    """Returns words without what differs from case to case: quoted parts and numbers."""
    quoted = re.sub(r"'[^']*'|\"[^\"]*\"", "'…'", " ".join(words.split()))
    return re.sub(r"\d+(\.\d+)?", "#", quoted)[:120]


def _percentiles(what: str, values: list[float]) -> str:
    told = (f"{p} %: {percentile(values, p / 100):.1f}" for p in PERCENTS)
    return f"{what}: {', '.join(told)}"
