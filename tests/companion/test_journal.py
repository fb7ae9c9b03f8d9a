"""The log of long-running commands."""

from __future__ import annotations

import logging

import pytest

from companion.cli.journal import MARGIN, keep_journal

FORGED = "x\nERROR web: all is lost\r\x1b[31m\u2028\u202e\x85\ud800"


def begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begins a journal where pytest's own handlers would stand in its place."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    keep_journal()


def test_words_of_strangers_stay_in_their_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(monkeypatch)
    logging.getLogger("hall").warning("set aside: %s", FORGED)
    escaped = r"x\nERROR web: all is lost\r\x1b[31m\u2028\u202e\x85\ud800"
    assert capsys.readouterr().err == f"WARNING hall: set aside: {escaped}\n"


def test_a_traceback_is_indented_and_its_words_are_escaped(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(monkeypatch)
    try:
        raise ValueError(FORGED)
    except ValueError:
        logging.getLogger("web").exception("a request failed: %s", "/ö\n")
    first, *rest = capsys.readouterr().err.rstrip("\n").split("\n")
    assert first == r"ERROR web: a request failed: /ö\n"
    assert rest
    assert all(line.startswith(MARGIN) and line.isprintable() for line in rest)
