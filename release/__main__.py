"""Builds all files of a release into one folder: `python -m release FOLDER [PART…] [--boards BOARD…]`.

Parts: wheel (and the source), debian, firmware, gerbers, prints (STL), sheets (drilling, PDF), rules (how to
play, PDF, in every language), bill (of materials, CycloneDX). Without any, all. A part that cannot be made
here is told with what it needs, and the others are made all the same; the status is then 1. SHA256SUMS in
the folder lists what lies in it, and `sha256sum -c` checks it.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import monotonic

from companion.core.board import bundled_boards
from companion.core.errors import CompanionError
from hardware.images import build_image, release_variants
from release import debian, printed, sheets

ROOT = Path(__file__).resolve().parents[1]
SUMS = "SHA256SUMS"
TILES = ("chess", "triune", "teleporters", "queens")
"""The boards for which there is a printed board of 8 × 8 sites, 50 mm and the like."""
Maker = Callable[[Path, tuple[str, ...]], Iterator[Path]]


def wheel(out: Path, _: tuple[str, ...]) -> Iterator[Path]:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    yield from out.glob("board_companion-*")


def packages(out: Path, _: tuple[str, ...]) -> Iterator[Path]:
    supply()
    with tempfile.TemporaryDirectory() as work:
        made = next(file for file in wheel(Path(work), ()) if file.suffix == ".whl")
        yield from debian.packages(made, Path(work) / "trees", out)


def supply() -> None:
    """Has `.ci/venv` make the environment of the locked tools, which has uv."""
    if not debian.UV.exists():
        subprocess.run(["sh", "-c", ". .ci/venv; locked build/supply supply"], check=True, cwd=ROOT)


def firmware(out: Path, boards: tuple[str, ...]) -> Iterator[Path]:
    """Builds every image whose compiler is there. The folder of the images is what `--images` takes."""
    folder = out / "grid-firmware"
    folder.mkdir(exist_ok=True)
    missing: dict[str, CompanionError] = {}
    for variant in release_variants(boards):
        controller = variant.wiring.controller.name
        if controller in missing:
            continue
        try:
            yield Path(shutil.copyfile(build_image(variant), folder / variant.file))
        except CompanionError as error:
            missing[controller] = error
    write_sums(folder)
    if missing:
        raise next(iter(missing.values()))


def gerbers(out: Path, boards: tuple[str, ...]) -> Iterator[Path]:
    for board in TILES:
        if board in boards:
            folder = out / f"printed-board-{board}"
            command = [sys.executable, "-m", "hardware.kicad", "release", board, str(folder)]
            done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
            if done.returncode:
                raise CompanionError(done.stderr.strip())
            yield from files(folder)


def prints(out: Path, boards: tuple[str, ...]) -> Iterator[Path]:
    yield from printed.export_all(out / "printed-parts", boards)


def drilling(out: Path, boards: tuple[str, ...]) -> Iterator[Path]:
    yield from sheets.drilling(out / "drilling-sheets", boards)


def rules(out: Path, _: tuple[str, ...]) -> Iterator[Path]:
    yield from sheets.rules(out / "how-to-play")


def bill(out: Path, _: tuple[str, ...]) -> Iterator[Path]:
    file = out / f"board-companion-{debian.version()}.cdx.json"
    told = subprocess.run([".ci/supply", "sbom"], check=True, cwd=ROOT, stdout=subprocess.PIPE).stdout
    file.write_bytes(told)
    yield file


PARTS: dict[str, Maker] = {
    "wheel": wheel,
    "debian": packages,
    "firmware": firmware,
    "gerbers": gerbers,
    "prints": prints,
    "sheets": drilling,
    "rules": rules,
    "bill": bill,
}


def files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file() and file.name != SUMS)


def write_sums(folder: Path) -> None:
    """Writes the digests of what lies in a folder, as `sha256sum` does."""
    sums = {file.relative_to(folder): hashlib.sha256(file.read_bytes()).hexdigest() for file in files(folder)}
    lines = (f"{digest}  {name}\n" for name, digest in sums.items())
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


def table(folder: Path) -> Iterator[str]:
    """Yields a line for each file beside the others, and for each folder, with sizes."""
    for path in sorted(folder.iterdir()):
        inside = files(path) if path.is_dir() else [path]
        size = sum(file.stat().st_size for file in inside) / 1e6
        yield f"{size:8.2f} MB  {path.name}" + (f"/ ({len(inside)} files)" if path.is_dir() else "")


def make(out: Path, parts: Iterable[str], boards: tuple[str, ...]) -> list[str]:
    """Makes some parts, and returns what could not be made."""
    out.mkdir(parents=True, exist_ok=True)
    failed = []
    for name in parts:
        began, count = monotonic(), 0
        try:
            for _ in PARTS[name](out, boards):
                count += 1
        except (CompanionError, OSError, subprocess.CalledProcessError) as error:
            failed.append(f"{name}: {error}")
        print(f"{name}: {count} files in {monotonic() - began:.0f} s", flush=True)
    write_sums(out)
    return failed


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m release", description=str(__doc__).split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--boards", nargs="+", default=bundled_boards(), metavar="BOARD", help="else all")
    asked = parser.parse_args(args)
    if unknown := set(asked.parts) - PARTS.keys():
        parser.error(f"there is no part {', '.join(unknown)}: there are {', '.join(PARTS)}")
    failed = make(asked.folder.resolve(), asked.parts or PARTS, tuple(asked.boards))
    print(*table(asked.folder), sep="\n")
    for words in failed:
        print(f"not made: {words}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
