"""Programs that speak UCI: one that plays, ones that fail, and none."""

import stat
import sys
from pathlib import Path

import pytest

pytest.importorskip("chess")

from companion.games.chess.rules import Chess
from companion.games.triune.rules import Triune
from opponent import uci
from opponent.mind import Question, choose

PROGRAM = """#!{python}
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print("id name Fake\\noption name Skill Level type spin default 20 min 0 max 20\\nuciok")
    elif word == "isready":
        print("readyok")
    elif word == "position" or word == "setoption":
        open({log!r}, "a").write(line)
    elif word == "go":
        print("info depth 9 score cp 150 pv {move} e7e5\\nbestmove {move}")
    elif word == "quit":
        break
    sys.stdout.flush()
"""


def program(folder: Path, move: str) -> str:
    path = folder / "fake"
    path.write_text(PROGRAM.format(python=sys.executable, log=str(folder / "log"), move=move))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_program_of_the_owners_plays(tmp_path: Path) -> None:
    question = Question("chess", "black", ("d2d4",), 4, engine=program(tmp_path, "g8f6"))
    choice = choose(question)
    assert choice.actions == choice.line[:1] == ("g8f6",)
    assert choice.depth == 9
    assert choice.worth == pytest.approx(1 / (1 + 10 ** (-1.5 / 4)))
    log = (tmp_path / "log").read_text()
    assert "moves d2d4" in log
    assert "Skill Level value 0" in log


@pytest.mark.parametrize("engine", ["/no/such/program", "-"])
def test_without_a_program_the_common_search_plays(engine: str) -> None:
    choice = choose(Question("chess", "white", level=4, nodes=300, engine=engine))
    assert choice.nodes > 100


def test_a_program_that_plays_nonsense_is_not_believed(tmp_path: Path) -> None:
    choice = choose(Question("chess", "white", level=4, nodes=300, engine=program(tmp_path, "e2e5")))
    assert choice.nodes > 100


def test_weak_levels_and_other_games_need_no_program(tmp_path: Path) -> None:
    path = program(tmp_path, "e2e4")
    assert uci.program_for(Chess(), path, 6) == path
    assert uci.program_for(Chess(), path, 1) == ""
    assert uci.program_for(Triune(), path, 6) == ""
