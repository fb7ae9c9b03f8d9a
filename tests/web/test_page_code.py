"""The page's own code: the unit tests of its modules, run by node without a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from flask import Flask
from web_clients import Client

from web.server.joined import join_files

CHECKS = Path(__file__).parent / "page"
STATIC = Path(__file__).parents[2] / "web" / "static"
OLDEST_NODE = 18
LONGEST_LINE = 120
PAGES = ("/", "/seat", "/phone", "/records", "/setup", "/setup/grid", "/how-to-play/magnet")
MOST_BYTES = 400_000
"""What the files of a page may take together: code, styles, type and icons, as they are served."""


@pytest.fixture(scope="session")
def node() -> str:
    """Node's path; the unit tests are skipped without it."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("no node: './test' says how to install it")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.strip().removeprefix("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"node {OLDEST_NODE} or later is needed; this is {version.strip()}")
    return found


@pytest.mark.parametrize("name", sorted(path.name for path in CHECKS.glob("*.test.js")))
def test_unit(node: str, name: str) -> None:
    done = subprocess.run([node, name], cwd=CHECKS, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert re.search(r"pass [1-9]", done.stdout), done.stdout


def test_no_line_is_too_long() -> None:
    """Lines stay within their limit also where eslint, which checks this too, is not installed."""
    long = [
        f"{path.relative_to(STATIC)}:{number}"
        for path in sorted((*STATIC.rglob("*.js"), *STATIC.rglob("*.css")))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    assert long == []


def files_of(html: str) -> set[Path]:
    """Returns all files that a page asks for: what it names, what these import, the type and the icons."""
    found = {STATIC / name for name in re.findall(r'"/static/((?!css/joined/)[^"]+)"', html)}
    for names in re.findall(r'"/static/css/joined/([^"]+)\.css"', html):
        found |= {STATIC / "css" / f"{name.replace('.', '/')}.css" for name in names.split("+")}
    found |= {*(STATIC / "icons").iterdir(), *(STATIC / "fonts").glob("*.woff2")}
    todo = [path for path in found if path.suffix == ".js"]
    while todo:
        path = todo.pop()
        names = re.findall(r'(?:from|import\() ?"(\.[^"]+)"', path.read_text(encoding="utf-8"))
        new = {(path.parent / name).resolve() for name in names if name.endswith(".js")} - found
        found |= new
        todo += new
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_files_of_each_page_stay_small(home: Client, page: str) -> None:
    files = files_of(home.get(page).get_data(as_text=True))
    sizes = {path.relative_to(STATIC): path.stat().st_size for path in files}
    assert len(sizes) > 10
    assert sum(sizes.values()) < MOST_BYTES, sorted(sizes.items(), key=lambda item: -item[1])[:10]


def test_a_page_asks_once_for_the_styles_of_its_own(home: Client) -> None:
    css = STATIC / "css"
    joined = home.get("/static/css/joined/shared.moves+phone.phone+shared.moves.css")
    sheets = [(css / name).read_text() for name in ("shared/moves.css", "phone/phone.css")]
    assert (joined.mimetype, joined.get_data(as_text=True)) == ("text/css", "\n".join(sheets))
    again = home.get(joined.request.path, headers={"If-None-Match": joined.headers["ETag"]})
    assert (again.status_code, again.headers["Cache-Control"]) == (304, "no-cache")
    asked = re.findall(r'rel="stylesheet" href="(.+?)"', home.get("/").get_data(as_text=True))
    assert len(asked) == 3, "those of all pages, the dark ones, its own"


@pytest.mark.parametrize("names", ["shared.none", "shared", "..fonts.OFL", "shared.moves+", "shared%2fmoves"])
def test_no_other_file_is_sent_as_a_style(home: Client, names: str) -> None:
    assert home.get(f"/static/css/joined/{names}.css").status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_once_for_its_scripts(home: Client, page: str) -> None:
    html = home.get(page).get_data(as_text=True)
    scripts = re.findall(r'<script type="module" src="/static/(js/.+?)"', html)
    assert len(scripts) == 2, "that of all pages, and its own"
    for name in scripts:
        joined = home.get(f"/static/{name}")
        assert joined.mimetype == "text/javascript"
        again = home.get(joined.request.path, headers={"If-None-Match": joined.headers["ETag"]})
        assert (again.status_code, again.headers["Cache-Control"]) == (304, "no-cache")
        lines = joined.get_data(as_text=True).splitlines()
        assert not [line for line in lines if line.startswith(("import ", "export "))]
        modules = [path for path in files_of(f'"/static/{name}"') if path.suffix == ".js"]
        heads = [path.read_text().splitlines()[0] for path in modules]
        assert {head: lines.count(head) for head in heads} == dict.fromkeys(heads, 1)


def test_joined_scripts_run_as_the_modules_do(node: str, tmp_path: Path) -> None:
    for name, code in {
        "package.json": '{ "type": "module" }',
        "js/shared/count.js": """let n = 0;
const hidden = 1;
export function count() {
  return (n += hidden);
}
""",
        "js/page/more.js": """import { count } from "../shared/count.js";
const hidden = 10;
export const ten = hidden;
export async function later() {
  return count() + hidden;
}
export class Box {}
""",
        "js/page/main.js": """import {
  count as counted,
} from "../shared/count.js";
import * as more from "./more.js";
import { Box } from "./more.js";
console.log(counted(), await more.later(), more.ten, new Box() instanceof more.Box);
""",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(code)
    app = Flask("scripts", static_folder=tmp_path, static_url_path="/static")
    join_files(app)
    (tmp_path / "joined.js").write_bytes(app.test_client().get("/static/js/page/main.js").data)
    for path in ("js/page/main.js", "joined.js"):
        done = subprocess.run([node, path], cwd=tmp_path, capture_output=True, text=True)
        assert done.stdout.split() == ["1", "12", "10", "true"], done.stderr


@pytest.mark.parametrize("page", ["shared", "none", ".."])
def test_no_other_file_is_sent_as_a_script(home: Client, page: str) -> None:
    assert home.get(f"/static/js/{page}/main.js").status_code == 404


def test_the_type_comes_with_its_licence_and_is_all_used() -> None:
    fonts = {path.name for path in (STATIC / "fonts").iterdir()}
    styles = "".join(path.read_text() for path in (STATIC / "css").rglob("*.css"))
    assert fonts - {"OFL.txt"} == set(re.findall(r'url\("../../fonts/(.+?)"\)', styles))
    assert "SIL OPEN FONT LICENSE Version 1.1" in (STATIC / "fonts" / "OFL.txt").read_text()


def test_every_import_leads_to_a_module() -> None:
    """Modules import each other by their paths, as they are joined without a build step."""
    lost = [
        f"{path.relative_to(STATIC)}: {name}"
        for path in sorted((STATIC / "js").rglob("*.js"))
        for name in re.findall(r'^(?:import|export|\}).* from "(.+)";$', path.read_text(), re.MULTILINE)
        if not (path.parent / name).is_file()
    ]
    assert lost == []
