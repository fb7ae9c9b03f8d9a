"""Packs the companion for Debian: a virtual environment of what a lock names, which dpkg owns file by file.

Nothing is fetched or built where it is installed, and nothing of it is run as root but bytecode's compiler.
uv unpacks the wheels for any architecture, each checked by its hash, so that one machine makes all packages.
The library for chess is under the GPL: it is a package of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "release" / "debian"
PI = ROOT / "hardware" / "pi"
UV = ROOT / "build" / "supply" / "bin" / "uv"
NAME, HOME = "board-companion", Path("usr/lib/board-companion")
CHESS, TITLE = "chess", "Board Companion"
MAINTAINER = (
    f"{os.environ.get('DEBFULLNAME', TITLE)} <{os.environ.get('DEBEMAIL', 'board-companion@localhost')}>"
)
"""Who publishes the package names an address of theirs in DEBEMAIL, as Debian's own tools have it."""
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
NEEDED = "ca-certificates, fonts-dejavu-core, libc6 (>= 2.36), libstdc++6, passwd"
LIKED = "avahi-daemon, python3-lgpio, python3-picamera2"
"""What is taken where there is any: only Raspberry Pi OS has the last."""
RIGHTS = {"bin": 0o755, "preinst": 0o755, "postinst": 0o755, "prerm": 0o755, "postrm": 0o755}
WORDS = "referee, recorder and display for wooden board games"


class Suite(NamedTuple):
    """A release of Debian: its number, its Python, and the lock for it."""

    number: int
    python: str
    lock: str


SUITES = {"bookworm": Suite(12, "3.11", "run-numpy1"), "trixie": Suite(13, "3.13", "run")}
"""Bookworm's camera library on a Pi is built for NumPy 1."""


def version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def packages(wheel: Path, work: Path, out: Path) -> Iterator[Path]:
    """Makes all packages of a wheel of the companion, and yields their files."""
    for suite in SUITES.values():
        for architecture in MACHINES:
            yield package(wheel, suite, architecture, work / f"{NAME}-{suite.number}-{architecture}", out)
    yield chess(work / f"{NAME}-{CHESS}", out)


def package(wheel: Path, suite: Suite, architecture: str, tree: Path, out: Path) -> Path:
    shutil.rmtree(tree, ignore_errors=True)
    home = tree / HOME
    site = home / "lib" / f"python{suite.python}" / "site-packages"
    lock = tree.with_suffix(".txt")
    tree.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text(without(CHESS, (ROOT / "locks" / f"{suite.lock}.txt").read_text(encoding="utf-8")))
    platform = ("--python-platform", f"{MACHINES[architecture]}-manylinux_2_36")
    unpack(site, "--python-version", suite.python, *platform, "--require-hashes", "--requirement", str(lock))
    unpack(site, "--python-version", suite.python, *platform, str(wheel))
    for left in (site / "bin", site / ".lock", *site.rglob("__pycache__")):
        _remove(left)
    (site / "board-companion-chess.pth").write_text(f"/{HOME}/{CHESS}\n", encoding="ascii")
    (home / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = true\nversion = {suite.python}\n"
    )
    _script(home / "bin" / "companion", f"#!/{HOME}/bin/python3\n" + COMMAND)
    for name in ("python", "python3"):
        (home / "bin" / name).symlink_to("/usr/bin/python3")
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "usr/bin/companion").symlink_to(f"../lib/{NAME}/bin/companion")
    _install(_unit(), tree / "usr/lib/systemd/system" / f"{NAME}.service")
    _install((PI / f"{NAME}.rules").read_text(), tree / "usr/lib/udev/rules.d" / f"77-{NAME}.rules")
    avahi = (PI / "avahi.service").read_text().replace("@PORT@", "8000")
    _install(avahi, tree / "etc/avahi/services" / f"{NAME}.service")
    _documents(tree, NAME)
    major, minor = suite.python.split(".")
    fields = {
        "Version": f"{version()}+deb{suite.number}",
        "Architecture": architecture,
        "Depends": f"python3 (>= {suite.python}), python3 (<< {major}.{int(minor) + 1}), {NEEDED}",
        "Recommends": LIKED,
        "Suggests": f"{NAME}-{CHESS}",
    }
    for name in ("preinst", "postinst", "prerm", "postrm"):
        _install((HERE / name).read_text(encoding="utf-8"), tree / "DEBIAN" / name, 0o755)
    _install(f"/etc/avahi/services/{NAME}.service\n", tree / "DEBIAN" / "conffiles")
    return _build(tree, NAME, fields, WORDS, out)


COMMAND = """\
import sys

sys.path[:1] = []  # not the folder of this file
from companion.cli import main

main()
"""


def chess(tree: Path, out: Path) -> Path:
    """Packs the library for chess, of pure Python: what is in the package is its source."""
    shutil.rmtree(tree, ignore_errors=True)
    text = (ROOT / "locks" / "run.txt").read_text(encoding="utf-8")
    locked = "".join(block for block in blocks(text) if block.startswith(f"{CHESS}=="))
    lock = tree.with_suffix(".txt")
    lock.write_text(locked)
    unpack(tree / HOME / CHESS, "--require-hashes", "--requirement", str(lock), binary=False)
    _remove(tree / HOME / CHESS / ".lock")
    _documents(tree, f"{NAME}-{CHESS}")
    fields = {
        "Version": version(),
        "Architecture": "all",
        "Depends": NAME,
    }
    return _build(tree, f"{NAME}-{CHESS}", fields, "library for chess, under the GPL", out)


def blocks(lock: str) -> Iterator[str]:
    """Yields what a lock says of each library."""
    found: list[str] = []
    for line in lock.splitlines(keepends=True):
        if line[0] not in " #" and found:
            yield "".join(found)
            found = []
        found.append(line)
    yield "".join(found)


def without(library: str, lock: str) -> str:
    return "".join(block for block in blocks(lock) if f"\n{library}==" not in f"\n{block}")


def unpack(folder: Path, *words: str, binary: bool = True) -> None:
    """Has uv unpack wheels into a folder."""
    options = ["--only-binary", ":all:"] if binary else []
    command = [str(UV), "pip", "install", "--quiet", "--no-deps", "--target", str(folder), *options, *words]
    subprocess.run(command, check=True, cwd=ROOT)


def _unit() -> str:
    """Returns the installer's service, of this package's places. systemd gives it its account's groups."""
    lines = (PI / f"{NAME}.service").read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith("SupplementaryGroups="))
    return text.replace("/opt/board-companion/current/bin", f"/{HOME}/bin").replace(
        "/opt/board-companion/current", f"/usr/share/doc/{NAME}"
    )


def _documents(tree: Path, name: str) -> None:
    folder, texts = tree / "usr/share/doc" / name, [_text("docs/supply.md").partition("## Licences\n")[2]]
    if name == NAME:
        _install(_text("README.md"), folder / "README.md")
        texts.insert(0, _text("LICENSE"))
    _install("\n".join(texts), folder / "copyright")


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _install(text: str, path: Path, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def _script(path: Path, text: str) -> None:
    _install(text, path, 0o755)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _build(tree: Path, name: str, fields: dict[str, str], words: str, out: Path) -> Path:
    size = sum(file.lstat().st_size for file in tree.rglob("*") if file.is_file()) // 1024
    head = {"Package": name, "Maintainer": MAINTAINER, "Section": "games", "Priority": "optional"}
    about = {"Installed-Size": str(size), "Description": f"{words}\n see /usr/share/doc/{name}"}
    lines = "".join(f"{key}: {value}\n" for key, value in {**head, **fields, **about}.items())
    _install(lines, tree / "DEBIAN" / "control")
    for path in (tree, *tree.rglob("*")):  # whatever the maker's umask was
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    file = out / f"{name}_{fields['Version']}_{fields['Architecture']}.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z9", "--build", str(tree), str(file)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return file
