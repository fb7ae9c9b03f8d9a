"""What makes a release: Debian packages, the site, parts to print, and the workflow that does it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from companion.language import LANGUAGES
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.table import Table
from release import debian, site
from release.__main__ import table, write_sums
from release.printed import shapes
from web import Services, Settings, create_app

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))


def test_the_version_is_one_that_semver_knows_and_the_change_log_tells() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", debian.version())
    assert re.search(rf"^## {debian.version()} - \d{{4}}-\d\d-\d\d$", _text("CHANGELOG.md"), re.MULTILINE)
    assert f"_{debian.version()}+deb13_" in _text("docs/install.md")


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_installer_takes_every_package_of_the_wheel() -> None:
    parts = re.search(r"local parts=\((.*)\)", _text("hardware/pi/install.sh"))
    assert parts
    assert {*PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]} <= {*parts[1].split()}


def test_the_wheel_has_nothing_of_the_workshop() -> None:
    assert "release" not in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]


@pytest.mark.parametrize("lock", [suite.lock for suite in debian.SUITES.values()])
def test_a_package_takes_a_whole_lock_but_chess(lock: str) -> None:
    text = _text(f"locks/{lock}.txt")
    assert "".join(debian.blocks(text)) == text
    kept = debian.without("chess", text)
    assert "\nchess==" not in kept
    assert kept.count("==") == text.count("==") - 1


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_of_the_package_is_well_formed_and_asks_nothing(name: str) -> None:
    script = debian.HERE / name
    subprocess.run(["sh", "-n", script], check=True)
    assert not re.search(r"^\s*read\b|debconf|db_input", script.read_text(), re.MULTILINE)


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="no dpkg-deb: packages are made on Debian")
@pytest.mark.parametrize("architecture", debian.MACHINES)
def test_a_package_has_program_service_and_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, architecture: str
) -> None:
    def unpack(folder: Path, *words: str, binary: bool = True) -> None:
        (folder / "companion").mkdir(parents=True, exist_ok=True)
        (folder / "companion" / "__init__.py").write_text("")

    monkeypatch.setattr(debian, "unpack", unpack)
    suite = debian.SUITES["trixie"]
    file = debian.package(tmp_path / "x.whl", suite, architecture, tmp_path / "tree", tmp_path)
    assert file.name == f"board-companion_{debian.version()}+deb13_{architecture}.deb"
    fields = _told("--field", file)
    assert f"Architecture: {architecture}" in fields
    assert "python3 (>= 3.13), python3 (<< 3.14)" in fields
    lines = _told("--contents", file).splitlines()
    assert all(line.split()[1] == "root/root" for line in lines)
    assert any("./usr/bin/companion -> ../lib/board-companion/bin/companion" in line for line in lines)
    assert any("-rwxr-xr-x" in line and "lib/board-companion/bin/companion" in line for line in lines)
    unit = (tmp_path / "tree/usr/lib/systemd/system/board-companion.service").read_text()
    assert "ExecStart=/usr/lib/board-companion/bin/companion run $COMPANION_ARGS" in unit
    assert "/opt/" not in unit
    assert "@" not in re.sub(r"@(system-service|privileged|resources)", "", unit)


def _told(what: str, file: Path) -> str:
    return subprocess.run(["dpkg-deb", what, file], capture_output=True, text=True, check=True).stdout


def test_each_printed_shape_is_exported_once() -> None:
    parts = list(shapes(("chess", "triune", "rooks")))
    names = [part.name for part in parts]
    assert len({*names}) == len(names)
    assert len({(part.source, str(part.values)) for part in parts}) == len(parts)
    assert {"case-uno-tray", "case-pico-lid", "arm-module-plate", "panel"} <= {*names}


def test_a_release_lists_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "a.pdf").write_text("a")
    (tmp_path / "b.whl").write_text("b")
    write_sums(tmp_path)
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=tmp_path, check=True)
    assert [line.split("MB  ")[1] for line in table(tmp_path)] == ["SHA256SUMS", "b.whl", "sheets/ (1 files)"]


def test_the_site_has_a_page_for_each_game_in_each_language_and_each_address() -> None:
    with Store(":memory:") as store, Table(Desk(store)) as of_table:
        app = create_app(of_table, Settings(port=0), Services(store=store))
        pages = site.pages_of(app)
    for language in LANGUAGES:
        assert "TR-8" in pages[f"play/{language}/triune.md"]
    assert "Steine und Plätze" in pages["play/de/triune.md"]
    assert f'width="{site.SHEET_MM}mm"' in pages["play/boards/triune-a4.svg"].split(">")[0]
    assert "## GET /api/v1/tutorials/{name}" in pages["reference/api.md"]
    contents = site.contents()
    listed = re.findall(r"^(?:docs|play|hardware|reference)/\S+", contents, re.MULTILINE)
    missing = [name for name in listed if f"{name}.md" not in pages and not (ROOT / f"{name}.md").is_file()]
    assert missing == []


def test_the_workflow_runs_what_there_is() -> None:
    steps = [step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]
    for command in re.findall(r"\.ci/\w[\w-]*", "\n".join(steps)):
        assert (ROOT / command).is_file(), command
    tried = {one["python"] for one in WORKFLOW["jobs"]["tests"]["strategy"]["matrix"]["include"]}
    told = {kind.rpartition(" ")[2] for kind in PROJECT["project"]["classifiers"] if kind[-1].isdigit()}
    assert tried == told
    assert {suite.python for suite in debian.SUITES.values()} == tried
