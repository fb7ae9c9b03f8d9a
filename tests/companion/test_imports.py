"""What may import what: rooms in layers, no circles, and no device below the packages that need it."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.sensing.sources import SOURCES

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("companion", "vision", "firmware_bridge", "broker_bridge", "opponent", "hardware", "web", "hall")
LAYERS = (
    ("companion.language",),
    ("companion.core",),
    ("companion.config", "companion.rulebook", "companion.sensing"),
    ("companion.games",),
    ("companion.tutorials",),
    ("companion.record",),
    ("companion.store", "companion.wire"),
    ("companion.referee",),
    ("companion.table",),
    ("companion.cli",),
    ("vision", "firmware_bridge", "broker_bridge", "opponent"),
    ("hardware",),
    ("web",),
    ("hall",),
)
"""Rooms from the lowest to the highest: a module imports its own room and those below it, and no others."""
OF_THE_REFEREE = {"babel", "companion", "click", "chess", "msgspec", *sys.stdlib_module_names}
SEARCHES = {"startswith", "removeprefix", "partition", "split"}


def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Returns all nodes of a file's syntax."""
    return _nodes(file.read_text(encoding="utf-8"))


@cache
def _nodes(text: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(text)))


def imported(file: Path) -> set[str]:
    """Returns the modules that a module imports, at its head or inside a function.

    What is imported from a package counts as a module of it: `from a import b` gives `a` and `a.b`.
    """
    found = set()
    for node in nodes(file):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def modules(package: Path) -> dict[str, Path]:
    """Returns the modules of a package, with their files."""
    files = package.rglob("*.py")
    parts = {file: file.relative_to(package.parent).with_suffix("").parts for file in files}
    return {".".join(names).removesuffix(".__init__"): file for file, names in parts.items()}


def graph_of(package: Path) -> dict[str, set[str]]:
    """Returns what each module of a package imports of the same package.

    The packages that a module lies in are left out: Python has loaded them before the module.
    """
    files = modules(package)
    return {
        name: {other for other in imported(file) & files.keys() if not f"{name}.".startswith(f"{other}.")}
        for name, file in files.items()
    }


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Returns modules of which each imports the next, and the last the first; [] where there is no circle."""
    clear: set[str] = set()

    def visit(module: str, way: list[str]) -> list[str]:
        if module in way:
            return way[way.index(module) :]
        if module not in clear:
            for following in sorted(graph[module]):
                if found := visit(following, [*way, module]):
                    return found
            clear.add(module)
        return []

    return next((found for module in sorted(graph) if (found := visit(module, []))), [])


def rooms(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """Returns which rooms of a package each room imports; a module that lies in none is one by itself."""
    found: dict[str, set[str]] = {}
    for name, others in graph.items():
        room = found.setdefault(_room(name), set())
        room |= {_room(other) for other in others} - {_room(name)}
    return found


def _room(module: str) -> str:
    return ".".join(module.split(".")[:2])


def layer(module: str) -> tuple[int, str]:
    """Returns the number of the layer that a module lies in, and its room; -1 for no room."""
    for number, rooms in enumerate(LAYERS):
        for room in rooms:
            if f"{module}.".startswith(f"{room}."):
                return number, room
    return -1, ""


def upward(files: dict[str, Path]) -> Iterator[tuple[str, str]]:
    """Yields the imports that lead out of a module's room and not down: importing module and imported one."""
    for name, file in files.items():
        height, room = layer(name)
        for other in sorted(imported(file) & files.keys()):
            other_height, other_room = layer(other)
            if other_room != room and other_height >= height:
                yield name, other


def product() -> dict[str, Path]:
    """Returns all modules that run at a table."""
    return {name: file for package in PACKAGES for name, file in modules(ROOT / package).items()}


def is_workshop(file: Path) -> bool:
    """Returns whether the wheel leaves out a file."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    path = file.relative_to(ROOT)
    return any(path.is_relative_to(left_out) for left_out in build["targets"]["wheel"]["exclude"])


def test_every_module_lies_in_a_room() -> None:
    assert [name for name in product() if not layer(name)[1]] == ["companion"]


def test_no_import_leads_upward() -> None:
    assert len(product()) > 100
    assert not list(upward(product()))


@pytest.mark.parametrize("package", PACKAGES)
def test_no_modules_import_each_other_in_a_circle(package: str) -> None:
    assert not circle(graph_of(ROOT / package))


@pytest.mark.parametrize("package", PACKAGES)
def test_no_rooms_of_a_package_import_each_other(package: str) -> None:
    assert not circle(rooms(graph_of(ROOT / package)))


def test_the_referee_needs_no_device_and_no_web() -> None:
    packages = {
        name: {other.partition(".")[0] for other in imported(file)} for name, file in product().items()
    }
    companion = {name: found for name, found in packages.items() if f"{name}.".startswith("companion.")}
    assert {name: found - OF_THE_REFEREE for name, found in companion.items() if found - OF_THE_REFEREE} == {}


def test_only_the_link_imports_serial() -> None:
    bridge = modules(ROOT / "firmware_bridge")
    (only,) = [name for name, file in bridge.items() if "serial" in imported(file)]
    assert only == "firmware_bridge.line.link"


def test_what_runs_imports_nothing_of_the_workshop() -> None:
    """The workshop is left out of the wheel: it trains the networks, and draws and bills the hardware."""
    files = product()
    workshop = {name for name, file in files.items() if is_workshop(file)}
    assert {name.partition(".")[0] for name in workshop} == {"vision", "hardware"}
    barred = ("torch.", "onnx.", "benchmarks.", "tests.", *(f"{name}." for name in workshop))
    assert not [
        f"{name}: {other}"
        for name in files.keys() - workshop
        for other in imported(files[name])
        if f"{other}.".startswith(barred)
    ]


def test_only_the_table_of_sources_takes_their_texts_apart() -> None:
    schemes = {*SOURCES, "virtual", *(f"{scheme}:" for scheme in SOURCES)}
    schemes.remove("video")  # a camera is found by Linux's name of it: /dev/video0
    assert not [
        f"{name}: {ast.unparse(node)}"
        for name, file in product().items()
        if name != "companion.sensing.sources"
        for node in nodes(file)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SEARCHES
        if any(isinstance(part, ast.Constant) and part.value in schemes for part in ast.walk(node))
    ]


def test_the_check_sees_an_import_inside_a_function(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text("def f():\n    from vision.geometry.view import View\n")
    assert imported(module) == {"vision.geometry.view", "vision.geometry.view.View"}


def test_the_check_sees_an_arrow_upward(tmp_path: Path) -> None:
    texts = {
        "companion.core.a": "from companion.core import b",
        "companion.core.b": "from companion.store.store import Store",
        "companion.store.store": "import companion.core.a",
        "vision.c": "import firmware_bridge.d",
        "firmware_bridge.d": "",
    }
    files = {name: tmp_path / f"{name}.py" for name in texts}
    for name, text in texts.items():
        files[name].write_text(text)
    assert list(upward(files)) == [
        ("companion.core.b", "companion.store.store"),
        ("vision.c", "firmware_bridge.d"),
    ]


def test_the_check_sees_rooms_that_import_each_other() -> None:
    graph = {"p.a.x": {"p.b.y"}, "p.a.z": set(), "p.b.y": set(), "p.b.v": {"p.a.z"}, "p.c": {"p.a.x"}}
    assert circle(rooms(graph)) == ["p.a", "p.b"]
    assert not circle(rooms(graph | {"p.b.v": set()}))


def test_the_check_sees_a_circle(tmp_path: Path) -> None:
    package = tmp_path / "p"
    package.mkdir()
    texts = {
        "__init__": "",
        "a": "import p.b",
        "b": "from p import c",
        "c": "def f():\n    from p.b import x",
        "d": "import p.a",
    }
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text)
    assert circle(graph_of(package)) == ["p.b", "p.c"]
    (package / "c.py").write_text("")
    assert not circle(graph_of(package))
