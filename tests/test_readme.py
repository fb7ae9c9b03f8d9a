"""Every command of the README and of docs/ works: each is run, with stand-ins for devices alone.

A line of a block marked `sh` is a command. One that is neither run as it stands nor has a stand-in fails.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path
from random import Random

import cv2
import pytest

from companion.cli import main
from companion.core.board import load_board
from companion.games.text import read_game, replay
from companion.language.catalogue import catalogue
from hall.archive.archive import Archive
from hall.archive.database import open_database
from tests.hall.archived_games import arrived, lines_of
from tests.hall.archived_games import game as archived_game
from vision.sources.virtual import VirtualTable

ROOT = Path(__file__).resolve().parents[1]
FILES = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
PAGES = [page.relative_to(ROOT) for page in FILES]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
LINKED = [*PAGES, *(page.relative_to(ROOT) for page in sorted((ROOT / "hardware").glob("*.md")))]
GUIDES = (
    "README",
    *(f"docs/quickstart{language}" for language in ("", ".de", ".es", ".fr")),
    "docs/own-board",
    "docs/camera",
    "docs/eboards",
    "docs/playing-alone",
    "docs/two-tables",
    "docs/records",
    "docs/trouble",
    "docs/command-line",
    "docs/pi",
    "docs/hall",
    "docs/wall",
    "docs/api",
)
"""The pages for people who play, whose italics are the page's words."""
LABEL = re.compile(r"(?<!\*)\*(?=[^\s*])([^*]{1,60})(?<=\S)\*(?!\*)")
CALIBRATES = Path("docs/camera.md")
"""The page whose commands teach the profile that the others use."""
POSITIONS = {"start": "triune", "later": "triune a2~ b7~"}
STAND_INS = {
    r"--source camera(:\d)?\b": "--source folder:frames",
    r"--source picamera\b": "--source folder:frames",
    r"--source serial:\S*": "--source serial:virtual",
    r"^\.venv/bin/companion\b": "companion",
    r"^companion grid setup$": "companion grid setup virtual",
    r"^companion hall archive\b": "companion hall archive --broker mqtt://127.0.0.1",
    r"^sudo hardware/pi/install\.sh": f"{ROOT}/hardware/pi/install.sh --dry-run",
    r"^sudo -u board-companion companion": "companion",
    r"/var/lib/board-companion": "data",
    r"^\./run\b": "companion run",
    r"^python -m vision\.training\.places (\w+).*": rf"{sys.executable} -m vision.training.places \1 --help",
    r"^python -m vision\.training\.occlusion .*": f"{sys.executable} -m vision.training.occlusion --help",
    r"^python -m vision\.training\.studio .*": f"{sys.executable} -m vision.training.studio --help",
    r"^python -m hardware\.kicad release\b": "python -m hardware.kicad",
    r"^python -m hardware\.(bom|cross_section|kicad|magnets)\b": rf"{sys.executable} -m hardware.\1",
    r"^python -m hardware\.openscad .*": f"{sys.executable} -m hardware.openscad --help",
    r"^\.ci/supply .*": f"{ROOT}/.ci/supply --help",
    r"^python -m release\b.*": f"{sys.executable} -m release --help",
    r"^\.ci/bare-release .*": f"sh -n {ROOT}/.ci/bare-release",
    r"^\.ci/run$": f"bash -n {ROOT}/.ci/run",
    r"^\.ci/check-page$": f"sh -n {ROOT}/.ci/check-page",
    r"^\.ci/site$": f"sh -n {ROOT}/.ci/site",
    r"^\.ci/catalogues\b.*": f"sh -n {ROOT}/.ci/catalogues",
    r"^\./test\b.*": f"{sys.executable} -m pytest -q --collect-only {Path(__file__)}",
}
"""What stands in for a device, for root's rights and for what would run for minutes."""
IN_PROSE = (
    "git pull",
    "pipx install",
    "sudo apt",
    "sudo -u postgres",
    "sudo systemctl",
    "journalctl",
    "sudo rm -r",
    "timedatectl",
)
"""Commands of the system, which are not ours to run."""


def commands(page: Path) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = [line for block in BLOCK.findall(text) for line in block.splitlines()]
    return [command for line in lines if (command := line.partition("  #")[0].strip())]


def runnable(command: str) -> str:
    """The command with its stand-ins."""
    for pattern, other in STAND_INS.items():
        command = re.sub(pattern, other, command)
    if command.startswith("companion run"):
        command = re.sub(r" --port \d+", "", command) + " --port 0"
    return command


@pytest.fixture(scope="session")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pictures of a virtual board, a profile learned from them, and a game."""
    folder = tmp_path_factory.mktemp("readme")
    game = read_game("triune")
    virtual = VirtualTable(load_board("triune"), Random(4))
    virtual.lay(game.rules, game.start(), game.board)
    cv2.imwrite(str(folder / "empty.jpg"), virtual.picture({}))
    (folder / "frames").mkdir()
    for name, text in POSITIONS.items():
        picture = virtual.picture(game.rules.look(replay(text)[1]))
        cv2.imwrite(str(folder / f"{name}.jpg"), picture)
    shutil.copy(folder / "start.jpg", folder / "frames" / "000.jpg")
    (folder / "game.txt").write_text("triune a2-a3 b7~\n")
    finish("companion board new my-trid.json --like trid", folder)
    finish(next(c for c in commands(CALIBRATES) if c.startswith("companion calibrate")), folder)
    finish("companion records import game.txt", folder)
    with closing(Archive(open_database(folder / "data" / "hall.sqlite"))) as archive:
        archive.prepare(1.0)
        archive.store(arrived(lines_of(archived_game("triune", 1), 12, "3f9c21d0")))
    return folder


def environment(folder: Path) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "COMPANION_DATA": str(folder / "data"), "PYTHONUNBUFFERED": "1"}


def finish(command: str, folder: Path, status: tuple[int, ...] = (0,)) -> None:
    """Runs a command to its end: in this process, which has all it needs, where no shell has a part in it."""
    name, *arguments = shlex.split(command)
    if name == "companion" and not set("|<>;&$") & set(command):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            patch.setenv("COMPANION_DATA", str(folder / "data"))
            patch.setattr(sys, "stdin", io.StringIO())
            with pytest.raises(SystemExit) as end:
                main(arguments)
        assert int(end.value.code or 0) in status, command
        return
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode in status, f"{command}\n{done.stdout}{done.stderr}"


def greet(command: str, folder: Path) -> None:
    """Starts what runs until it is stopped, and waits for its greeting."""
    with subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert re.search("open https?://|archiving what", process.stdout.readline())
        finally:
            process.kill()


@pytest.mark.parametrize("command", {runnable(c): c for page in PAGES for c in commands(page)}.values())
def test_every_command_works(command: str, laid: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(laid, tmp_path / "desk"))
    words = runnable(command)
    if words.startswith("companion board new"):
        (folder / words.split()[3]).unlink()
    if words.startswith(("companion run", "companion hall archive")):
        greet(words, folder)
    elif words.startswith(("companion ", "sh -n", "bash -n", str(ROOT), sys.executable)):
        finish(words, folder, (0, 1) if words.startswith("companion judge") else (0,))
    else:
        assert words.startswith(IN_PROSE), f"'{command}' has no test"


def test_a_command_without_a_test_is_noticed(laid: Path, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        finish("companion fly", tmp_path)
    assert not runnable("reboot").startswith(IN_PROSE)


@pytest.mark.parametrize("page", LINKED, ids=str)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = []
    for link, anchor in LINK.findall(text):
        target = ((ROOT / page).parent / link) if link else ROOT / page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            missing.append(f"{link}#{anchor}")
    assert missing == []


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub names them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    words = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in HEADING.findall(text))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in words}


@pytest.mark.parametrize("guide", GUIDES)
def test_every_label_stands_on_the_page(guide: str) -> None:
    """What a guide writes in italics is a button, a link or a heading, in the guide's own language."""
    language = guide.partition(".")[2]
    words = catalogue(language or "de").texts
    said = {w for local in words.values() for w in local} if language else {text for _, text in words}
    known = set(map(bare, said))
    labels = LABEL.findall((ROOT / f"{guide}.md").read_text(encoding="utf-8"))
    parts = [part for label in labels for part in label.split("→")]
    assert [part for part in parts if bare(part) not in known] == []


def test_every_message_under_trouble_is_one_of_the_program() -> None:
    told = "\n".join(bare(text) for _, text in catalogue("de").texts)
    quoted = re.findall(r'"([^"`]{6,})"', (ROOT / "docs" / "trouble.md").read_text(encoding="utf-8"))
    assert len(quoted) > 10
    assert [part for words in quoted for part in words.split("…") if bare(part) not in told] == []


def bare(words: str) -> str:
    """The words without what differs between a text and the program: fields, line ends, signs."""
    return " ".join(re.sub(r"\{[^}]*\}", " ", words).replace("’", "'").split()).strip(" .…:").lower()


@pytest.mark.parametrize("name", ["run", "test"])
def test_the_two_commands_are_there(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)
    subprocess.run(["sh", "-n", ROOT / name], check=True)


def test_every_library_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    table = (
        (ROOT / "docs" / "supply.md").read_text(encoding="utf-8").partition("## What it stands on")[2].lower()
    )
    names = {"opencv-python-headless": "opencv"}
    extras = project["optional-dependencies"].values()
    wanted = {re.split(r"[>\[]", w)[0].lower() for group in (project["dependencies"], *extras) for w in group}
    assert [n for n in wanted - {"board-companion"} if names.get(n, n) not in table] == []
