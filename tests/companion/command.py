"""The command line as a person meets it: arguments in; exit status and both outputs back."""

from __future__ import annotations

import io
import sys
from typing import NamedTuple

import pytest

from companion.cli import main


class Result(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


class Command:
    """Runs `companion ARGS` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._patch = capsys, monkeypatch

    def __call__(self, *args: object, given: bytes = b"") -> Result:
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="ascii"))
        with pytest.raises(SystemExit) as end:
            main([str(arg) for arg in args])
        out, err = self._capsys.readouterr()
        return Result(int(end.value.code or 0), out, err)

    def refuses(self, *args: object, given: bytes = b"") -> str:
        """The one line on standard error with which these arguments are refused."""
        result = self(*args, given=given)
        lines = result.err.splitlines()
        assert (result.status, result.out, len(lines)) == (2, "", 1), result
        assert lines[0].startswith("companion: ")
        assert "Traceback" not in result.err
        return lines[0]
