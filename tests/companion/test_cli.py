"""Every command, and what each says to what it cannot do: one line on standard error, exit status 2."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import metadata, resources
from pathlib import Path
from random import Random

import click
import cv2
import numpy as np
import pytest

from companion.cli import COMMANDS, cli
from companion.core.board import load_board
from companion.games.text import read_game
from companion.record.record import FIRST_LINE
from companion.record.session import begin
from tests.companion.command import Command
from vision.sources.virtual import VirtualTable
from web.runtime.runtime import lay_virtual


def test_help_names_every_command(companion: Command) -> None:
    result = companion("--help")
    assert result.status == 0
    listed = result.out.partition("Commands:")[2]
    lines = [line.strip() for line in listed.splitlines() if re.match(r"  \S", line)]
    assert [name for name, line in zip(COMMANDS, lines, strict=True) if not line.startswith(f"{name} ")] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(companion: Command, name: str) -> None:
    result = companion(*name.split(), "--help")
    assert result.status == 0
    assert result.out.startswith("Usage: companion " + name)
    assert len(result.out.splitlines()) > 4


def every_command(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from every_command(command.get_command(context, name) or command)


def test_the_data_folder_is_named_alike_by_all_commands() -> None:
    options = [option for command in every_command(cli) for option in command.params]
    named = [option for option in options if isinstance(option, click.Option) and "--data" in option.opts]
    assert len(named) > 20
    assert len({(option.name, option.help, str(option.type)) for option in named}) == 1


def test_version(companion: Command) -> None:
    assert metadata.version("board-companion") in companion("--version").out


def test_no_command_shows_the_help(companion: Command) -> None:
    result = companion()
    assert result.status == 2
    assert "Commands:" in result.out + result.err


def test_a_terminal_without_a_letter_shows_another(tmp_path: Path) -> None:
    (tmp_path / "game.pgn").write_text('[White "Łukasz"]\n[Black "Bo"]\n\n1. e4 *\n', encoding="utf-8")
    records = (sys.executable, "-c", "from companion.cli import main; main()", "records")
    data = ("--data", str(tmp_path))
    subprocess.run([*records, "import", *data, str(tmp_path / "game.pgn")], check=True, capture_output=True)
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    listed = subprocess.run([*records, "list", *data], check=True, capture_output=True, env=latin)
    assert "?ukasz ? Bo" in listed.stdout.decode("latin-1")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("legal - <&-", 0, ""),
        ("records list >&-", 0, ""),
        ("legal triune >/dev/full", 2, "companion: No space left on device\n"),
        ("legal board/none/such >&- <&-", 2, "companion: there is no game 'board/none/such'"),
    ],
)
def test_streams_that_are_closed_or_full(tmp_path: Path, words: str, status: int, said: str) -> None:
    program = f"{sys.executable} -c 'from companion.cli import main; main()' {words}"
    kept = {**os.environ, "COMPANION_DATA": str(tmp_path)}
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False, env=kept)
    assert (done.returncode, done.stderr[: len(said)], done.stderr.count("\n")) == (status, said, bool(said))


def test_the_help_of_the_records_loads_no_camera() -> None:
    """Asking the rules must not wait for OpenCV and Flask."""
    code = (
        "import sys; from companion import cli\n"
        "try: cli.main(['legal', 'triune'])\n"
        "except SystemExit: print(sorted({'cv2', 'numpy', 'flask', 'serial'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


class Bad:
    """Things on disk that are not what they should be."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.text("noise.txt", "no game, no record, no profile\n")
        self.text("damaged.rec", f"{FIRST_LINE}\ngame: triune\n\n2024-01-01T00:00:00.000Z acton a2-a3\n")
        self.text("headless.rec", f"{FIRST_LINE}\nred: Ann\n\n")
        self.text("illegal.txt", "triune a2-a5\n")
        self.text("bad.pgn", '[Event "x"]\n\n1. e4 e5 2. Ke3 *\n')
        self.text("bad.json", "{ not json")
        self.text("empty.json", "{}")
        self.text("board.json", json.dumps({"format": "board-companion board 1", "sites": {"a1": [0, 0]}}))
        (folder / "binary").write_bytes(bytes(range(256)) * 8)
        (folder / "empty").mkdir()
        cv2.imwrite(str(folder / "grey.png"), np.full((480, 640, 3), 127, np.uint8))

    def text(self, name: str, words: str) -> None:
        (self.folder / name).write_text(words, encoding="utf-8")


LEARN = ("calibrate", "--game", "triune", "-o", "p.json", "--image")
RUN = ("run", "--source", "none", "--port", "0")
REFUSED: dict[str, tuple[str, ...]] = {
    "unknown command": ("play",),
    "unknown option": ("legal", "triune", "--fast"),
    "no game text": ("legal",),
    "empty game text": ("legal", ""),
    "unknown game": ("legal", "ludo"),
    "unknown option of a game": ("legal", "triune colour=red"),
    "wrong value of an option": ("legal", "ternion_factor players=9"),
    "illegal action": ("legal", "triune a2-a5"),
    "nonsense for an action": ("legal", "triune hello"),
    "action twice": ("perft", "triune a2-a3 a2-a3", "-n", "1"),
    "negative depth": ("perft", "triune", "-n", "-1"),
    "depth beyond all games": ("perft", "triune", "-n", "99999999999999999999"),
    "puzzles without end": ("puzzle", "find", "triune", "--count", "99999999999999999999"),
    "depth is no number": ("perft", "triune", "-n", "deep"),
    "missing board file": ("legal", "triune board=missing.json"),
    "board file is no JSON": ("legal", "triune board=bad.json"),
    "board file is no board": ("legal", "triune board=empty.json"),
    "board file lacks parts": ("legal", "triune board=board.json"),
    "judge without an action": ("judge", ""),
    "judge of an unknown game": ("judge", "ludo a2"),
    "missing record": ("replay", "missing.rec"),
    "record is a folder": ("replay", "empty"),
    "record is binary": ("replay", "binary"),
    "record is noise": ("replay", "noise.txt"),
    "damaged record": ("replay", "damaged.rec"),
    "record without a game": ("replay", "headless.rec"),
    "damaged PGN": ("replay", "bad.pgn"),
    "no such game": ("records", "show", "99"),
    "number is no number": ("records", "show", "first"),
    "export of no game": ("records", "export", "99"),
    "unknown format": ("records", "export", "1", "--format", "docx"),
    "import of a missing file": ("records", "import", "missing.rec"),
    "import of a damaged record": ("records", "import", "damaged.rec"),
    "import of an illegal game": ("records", "import", "illegal.txt"),
    "import of nothing": ("records", "import"),
    "delete no game": ("records", "delete", "99"),
    "unknown command of records": ("records", "burn", "1"),
    "data folder is a file": ("records", "list", "--data", "noise.txt"),
    "data folder cannot be made": ("records", "list", "--data", "/proc/none/here"),
    "check a missing board": ("board", "check", "missing.json"),
    "start a board like none": ("board", "new", "mine.json", "--like", "ludo"),
    "start a board that exists": ("board", "new", "bad.json", "--like", "triune"),
    "start a board nowhere": ("board", "new", "none/mine.json", "--like", "triune"),
    "check puzzles in a file without any": ("puzzle", "check", "noise.txt"),
    "check puzzles in what is no text": ("puzzle", "check", "binary"),
    "see without a profile": ("see", "--profile", "missing.json", "grey.png"),
    "see with noise for a profile": ("see", "--profile", "noise.txt", "grey.png"),
    "see with another JSON": ("see", "--profile", "empty.json", "grey.png"),
    "see without files": ("see", "--profile", "empty.json"),
    "calibrate from a missing picture": (*LEARN, "none.jpg"),
    "calibrate from no picture": (*LEARN, "noise.txt"),
    "calibrate without a board in view": (*LEARN, "grey.png"),
    "calibrate with bad corners": (*LEARN, "grey.png", "--corners", "1,2 3"),
    "calibrate past the actions": (*LEARN, "grey.png@4"),
    "calibrate an unknown game": ("calibrate", "--game", "ludo", "--image", "grey.png", "-o", "p.json"),
    "watch without a profile": ("watch", "--game", "triune", "--source", "folder:."),
    "watch with more profiles than cameras": (
        *("watch", "--game", "triune", "--source", "folder:.", "--source", "serial:virtual"),
        *("--profile", "a.json", "--profile", "b.json"),
    ),
    "watch an unknown source": ("watch", "--game", "triune", "--source", "radio:1"),
    "watch a missing camera": ("watch", "--game", "triune", "--source", "camera:7"),
    "watch a camera without a number": ("watch", "--game", "triune", "--source", "camera:x"),
    "watch without picamera2": ("watch", "--game", "triune", "--source", "picamera"),
    "watch a missing video": ("watch", "--game", "triune", "--source", "video:none.avi"),
    "watch an unreadable video": ("watch", "--game", "triune", "--source", "video:binary"),
    "watch a missing folder": ("watch", "--game", "triune", "--source", "folder:none"),
    "watch an empty folder": ("watch", "--game", "triune", "--source", "folder:empty"),
    "watch a missing trace": ("watch", "--game", "triune", "--source", "trace:none"),
    "watch a broken trace": ("watch", "--game", "triune", "--source", "trace:binary"),
    "watch an unknown game": ("watch", "--game", "ludo", "--source", "folder:."),
    "watch an illegal start": ("watch", "--game", "triune a2-a5", "--source", "folder:."),
    "run an unknown game": ("run", "--game", "ludo"),
    "run an illegal start": ("run", "--game", "triune a2-a5"),
    "run with a bad port": ("run", "--port", "99999"),
    "run with an unknown source": ("run", "--source", "radio:1", "--port", "0"),
    "run with a camera without a number": ("run", "--source", "camera:x", "--port", "0"),
    "run with a grid at no speed": ("run", "--source", "serial:/dev/ttyACM0@99999999999999", "--port", "0"),
    "run with a missing profile": (*RUN, "--profile", "none.json"),
    "run with more profiles than cameras": (*RUN, "--profile", "none.json", "--profile", "none.json"),
    "run with a folder for a certificate": (*RUN, "--tls", "empty"),
    "print an unknown sheet": ("print", "money"),
    "print to nowhere": ("print", "markers", "-o", "none/sheet.pdf"),
    "print markers of no size": ("print", "markers", "--size", "0"),
    "doctor with an unknown option": ("doctor", "--heal"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_done(companion: Command, tmp_path: Path, case: str) -> None:
    Bad(tmp_path)
    line = companion.refuses(*REFUSED[case])
    assert len(line) > len("companion: ") + 8


@pytest.fixture(scope="module")
def of_rooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A camera's profile of the board of the puzzle `rooks`."""
    path = tmp_path_factory.mktemp("profile") / "rooks.json"
    virtual = VirtualTable(load_board("rooks"), Random(1))
    lay_virtual(virtual, begin(read_game("rooks"))).profile.save(path)
    return path


@pytest.mark.parametrize(
    "args",
    [
        ("see", "--game", "triune", "grey.png"),
        ("watch", "--game", "triune", "--source", "folder:."),
    ],
)
def test_the_profile_of_another_board(
    companion: Command, tmp_path: Path, of_rooks: Path, args: tuple[str, ...]
) -> None:
    Bad(tmp_path)
    line = companion.refuses(*args, "--profile", of_rooks)
    assert "rooks" in line
    assert "triune" in line


def refused_process(*args: object, folder: Path) -> str:
    """As `Command.refuses`, in a process of its own."""
    words = [str(Path(sys.executable).with_name("companion")), *map(str, args), "--data", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=240)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    return done.stderr


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        assert "--port" in refused_process("run", "--source", "none", "--port", number, folder=tmp_path)


def test_an_address_of_another_machine(tmp_path: Path) -> None:
    assert "192.0.2.77:0 (Cannot assign" in refused_process(*RUN, "--host", "192.0.2.77", folder=tmp_path)


def test_a_damaged_store(companion: Command, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "games.sqlite").write_bytes(b"no database" * 500)
    assert "companion records repair" in companion.refuses("records", "list")


def test_an_interrupt_is_no_traceback(companion: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.cli.rules.replay", interrupted)
    result = companion("legal", "triune")
    assert (result.status, result.out, result.err.strip()) == (2, "", "companion: stopped")


def test_an_illegal_record_is_exit_status_1(companion: Command, tmp_path: Path) -> None:
    (tmp_path / "illegal.txt").write_text("triune a2-a3 a3-a4")
    result = companion("replay", "illegal.txt")
    assert (result.status, result.out) == (1, "")
    assert "'a3-a4' is not allowed (TR-1)" in result.err


def test_a_puzzle_that_is_none_is_exit_status_1(companion: Command, tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text("triune | a2-a3\n")
    result = companion("puzzle", "check", "wrong.txt")
    assert (result.status, result.out) == (1, "triune | a2-a3\n")


def test_board_new_and_check(companion: Command, tmp_path: Path) -> None:
    made = companion("board", "new", "mine.json", "--like", "triune")
    assert made.status == 0
    checked = companion("board", "check", "mine.json")
    assert (checked.status, "board=mine.json" in checked.out) == (0, True)
    assert companion("legal", "triune board=mine.json").lines[0]


def test_board_check_names_what_is_wrong(companion: Command, tmp_path: Path) -> None:
    Bad(tmp_path)
    result = companion("board", "check", "board.json")
    assert result.status == 1
    assert all(line.startswith("board.json: ") for line in result.lines)


def test_print(companion: Command, tmp_path: Path) -> None:
    assert companion("print", "markers").status == 0
    assert (tmp_path / "markers.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(("opening", "end"), [("[", ""), ("[", "]"), ('{"a":', "0")])
@pytest.mark.parametrize("command", [["board", "check", "deep.json"], ["legal", "triune board=deep.json"]])
def test_a_board_file_nested_too_deep(
    companion: Command, tmp_path: Path, command: list[str], opening: str, end: str
) -> None:
    (tmp_path / "deep.json").write_text(200_000 * opening + 200_000 * end)
    assert "nested too deep" in companion.refuses(*command)


def spoil_clock(path: Path) -> None:
    path.write_text(path.read_text().replace('"corners"', '"cornets"'))


def spoil_site(path: Path) -> None:
    data = json.loads(path.read_text())
    data["sites"].pop("a1")
    path.write_text(json.dumps(data))


@pytest.mark.parametrize("spoil", [spoil_clock, spoil_site])
def test_a_damaged_board_is_refused_with_its_name(
    companion: Command, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    path = tmp_path / "mine.json"
    shutil.copy(str(resources.files("companion") / "boards" / "triune.json"), path)
    spoil(path)
    assert "mine" in companion.refuses("legal", "triune board=mine.json")
