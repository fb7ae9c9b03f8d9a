"""What the packages may import: the referee knows no device and no web."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BARRED = {"vision", "firmware_bridge", "web", "hardware", "cv2", "numpy", "serial", "flask", "gpiozero"}


def imports(file: Path) -> set[str]:
    """The top-level packages that a module imports, at its head or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("file", sorted((ROOT / "companion").rglob("*.py")), ids=lambda f: f.stem)
def test_companion_imports_no_device_and_no_web(file: Path) -> None:
    assert not imports(file) & BARRED


def test_the_check_sees_an_import(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text("def f():\n    from vision.geometry.view import View\n")
    assert imports(module) & BARRED == {"vision"}


@pytest.mark.parametrize("file", sorted((ROOT / "firmware_bridge").rglob("*.py")), ids=lambda f: f.stem)
def test_only_the_link_imports_serial(file: Path) -> None:
    assert "serial" not in imports(file) or file.stem == "link"
