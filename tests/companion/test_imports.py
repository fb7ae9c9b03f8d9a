"""What the packages may import: the referee no device and no web, eyes and grid the referee alone."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BARRED = {"vision", "firmware_bridge", "web", "hardware", "cv2", "numpy", "serial", "flask", "gpiozero"}
OURS = {"companion", "vision", "firmware_bridge", "web", "hardware"}


def imported(file: Path) -> set[str]:
    """The modules that a module imports, at its head or inside a function; names imported from a package
    count as its modules."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def imports(file: Path) -> set[str]:
    """The top-level packages that a module imports."""
    return {name.partition(".")[0] for name in imported(file)}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Modules of which each imports the next, and the last the first; none where there is no circle."""
    clear: set[str] = set()

    def visit(module: str, way: list[str]) -> list[str]:
        if module in way:
            return way[way.index(module):]
        if module not in clear:
            for following in sorted(graph[module]):
                if found := visit(following, [*way, module]):
                    return found
            clear.add(module)
        return []

    return next((found for module in sorted(graph) if (found := visit(module, []))), [])


def graph_of(package: Path) -> dict[str, set[str]]:
    """What each module of a package imports of the same package."""
    files = {_name(file, package.parent): file for file in package.rglob("*.py")}
    return {name: imported(file) & files.keys() for name, file in files.items()}


def _name(file: Path, root: Path) -> str:
    return ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("file", sorted((ROOT / "companion").rglob("*.py")), ids=lambda f: f.stem)
def test_companion_imports_no_device_and_no_web(file: Path) -> None:
    assert not imports(file) & BARRED


@pytest.mark.parametrize("package", ["vision", "firmware_bridge"])
def test_what_makes_sightings_imports_companion_only(package: str) -> None:
    others = OURS - {package, "companion"}
    files = (ROOT / package).rglob("*.py")
    assert not [f"{_name(f, ROOT)}: {name}" for f in files for name in sorted(imports(f) & others)]


def test_no_modules_of_vision_import_each_other_in_a_circle() -> None:
    assert not circle(graph_of(ROOT / "vision"))


def test_the_product_imports_nothing_of_the_training() -> None:
    training = ROOT / "vision" / "training"
    files = [f for package in OURS for f in (ROOT / package).rglob("*.py") if training not in f.parents]
    barred = ("torch.", "onnx.", "vision.training.")
    assert len(files) > 100
    assert not [
        f"{_name(f, ROOT)}: {name}" for f in files for name in imported(f) if f"{name}.".startswith(barred)
    ]


def test_the_check_sees_an_import(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text("def f():\n    from vision.geometry.view import View\n")
    assert imports(module) & BARRED == {"vision"}


def test_the_check_sees_a_circle(tmp_path: Path) -> None:
    package = tmp_path / "p"
    package.mkdir()
    texts = {
        "__init__": "", "a": "import p.b", "b": "from p import c", "c": "def f():\n    from p.b import x",
        "d": "import p.a",
    }
    for name, text in texts.items():
        (package / f"{name}.py").write_text(text)
    assert circle(graph_of(package)) == ["p.b", "p.c"]
    (package / "c.py").write_text("")
    assert not circle(graph_of(package))


@pytest.mark.parametrize("file", sorted((ROOT / "firmware_bridge").rglob("*.py")), ids=lambda f: f.stem)
def test_only_the_link_imports_serial(file: Path) -> None:
    assert "serial" not in imports(file) or file.stem == "link"
