"""`legal`, `judge` and `perft`: one by one, and in batch."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.companion.command import Command
from tests.suites import perft_suite


def test_legal_is_a_line_each(companion: Command) -> None:
    result = companion("legal", "triune")
    assert result.status == 0
    assert len(result.lines) == len(set(result.lines)) == 38
    assert companion("legal", "triune", "a2-a3", "b7~").out == companion("legal", "triune a2-a3 b7~").out


def test_legal_is_empty_when_the_game_is_over(companion: Command) -> None:
    assert companion("legal", "chess f2f3 e7e5 g2g4 d8h4") == (0, "", "")


def answers(companion: Command, *args: str, given: str | bytes) -> list[dict[str, Any]]:
    result = companion(*args, "-", given=given if isinstance(given, bytes) else given.encode())
    assert (result.status, result.err) == (0, "")
    return [json.loads(line) for line in result.lines]


def test_legal_in_batch(companion: Command) -> None:
    given = """triune

        ludo
          magnet setup=random
        triune a2-a5
        chess f2f3 e7e5 g2g4 d8h4
        teleporters first=north"""
    triune, ludo, magnet, illegal, mate, north = answers(companion, "legal", given=given)
    assert triune.keys() == {"turn", "to_act", "legal", "outcome"}
    assert (triune["turn"], triune["to_act"], triune["outcome"]) == ("red", "red", None)
    assert len(triune["legal"]) == 38
    assert list(ludo) == list(illegal) == ["error"]
    assert "no game 'ludo'" in ludo["error"]
    assert "TR-3" in illegal["error"]
    assert magnet["legal"] == ["=?"]
    assert (mate["legal"], mate["outcome"]) == ([], {"winner": "black", "reason": "checkmate"})
    assert north["turn"] == "north"


def test_a_batch_survives_anything(companion: Command) -> None:
    given = b"\xff\xfe\x00\n" + b"x" * 100_000 + b"\n{}\ntriune \xc3\xa9\ntriune board=/\ntriune\n"
    found = answers(companion, "legal", given=given)
    assert [list(answer) for answer in found[:-1]] == [["error"]] * 5
    assert len(found[-1]["legal"]) == 38


def test_a_byte_order_mark_is_read_over(companion: Command) -> None:
    for given in (b"\xef\xbb\xbftriune\n", b"triune\n\xef\xbb\xbftriune\n"):
        assert all("legal" in answer for answer in answers(companion, "legal", given=given))
    assert companion("legal", "\ufefftriune").out == companion("legal", "triune").out


def test_an_empty_batch(companion: Command) -> None:
    assert answers(companion, "legal", given="") == answers(companion, "judge", given="\n\n") == []


@pytest.mark.parametrize(
    ("text", "action", "rules"),
    [
        ("triune", "a2-a3", []),
        ("triune", "a2-a5", ["TR-3"]),
        ("triune", "a7-a6", ["TR-1"]),
        ("triune", "pass", ["TR-13"]),
        ("triune", "☃", ["GEN-1"]),
        ("triune a2-a3", "a3-a4", ["TR-1"]),
        ("chess f2f3 e7e5 g2g4 d8h4", "a2a3", ["GEN-3"]),
    ],
)
def test_judge(companion: Command, text: str, action: str, rules: list[str]) -> None:
    result = companion("judge", text, action)
    answer = json.loads(result.out)
    assert result.status == int(bool(rules))
    assert answer["legal"] == (not rules)
    assert [b["rule"] for b in answer["breaks"]] == rules
    assert all(b.keys() == {"rule", "sites", "text"} and b["text"] for b in answer["breaks"])
    (batch,) = answers(companion, "judge", given=f"{text} :: {action}")
    assert batch == answer


def test_judge_in_batch_says_what_it_cannot_read(companion: Command) -> None:
    found = answers(companion, "judge", given="triune a2-a3\nludo :: a2\ntriune ::\ntriune :: a2-a3\n:: a2\n")
    assert [next(iter(answer)) for answer in found] == ["error", "error", "error", "legal", "error"]


def leaves(out: str) -> int:
    match = re.fullmatch(r"(\d+) leaves, (\d+) nodes/s", out.splitlines()[-1])
    assert match, out
    return int(match[1])


@pytest.mark.parametrize(
    ("text", "status", "solvable", "action"),
    [
        ("queens +a1 +b5 +c8 +d6 +f3", 1, False, "-f3"),
        ("queens +a1 +b5 +c8 +d6 +f3 -f3 +e3 +f7 +g2", 0, True, "+h4"),
    ],
)
def test_hints(companion: Command, text: str, status: int, solvable: bool, action: str) -> None:
    result = companion("hint", *text.split())
    told = json.loads(result.out)
    assert (result.status, told["solvable"], told["action"]) == (status, solvable, action)
    assert answers(companion, "hint", given=text) == [told]


def test_only_puzzles_have_hints(companion: Command) -> None:
    assert "hints are for puzzles" in companion.refuses("hint", "triune")


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 20), (2, 400), (3, 8902)])
def test_perft(companion: Command, depth: int, count: int) -> None:
    assert leaves(companion("perft", "chess", "-n", depth).out) == count


def test_perft_divided(companion: Command) -> None:
    result = companion("perft", "chess e2e4", "-n", "2", "--divide")
    *parts, _ = result.lines
    counts = {line.partition(": ")[0]: int(line.partition(": ")[2]) for line in parts}
    assert len(counts) == 20
    assert sum(counts.values()) == leaves(result.out) == 600


@pytest.mark.parametrize("game", ["triune", "escape", "trid", "teleporters"])
def test_perft_of_the_suites(companion: Command, shared: Path, game: str) -> None:
    text, counts = next(perft_suite(shared, game))
    assert leaves(companion("perft", text, "-n", 2).out) == counts[2]
