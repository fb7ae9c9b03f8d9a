"""What PlatformIO does before a build: makes wiring.h, and chooses the sources. platformio.ini calls it."""

# mypy: disable-error-code="name-defined"
# ruff: noqa: F821 - PlatformIO gives `Import`, which gives `env`
import os
import subprocess
import sys
from pathlib import Path

Import("env")

ROOT = Path(env.subst("$PROJECT_DIR")).resolve().parents[1]
LAYERS = {
    "avr": ["main", "clock", "guard", "serial"],
    "pico": ["arduino", "guard", "adc"],
    "esp32": ["main", "guard"],
}
"""The sources of each layer that every build has."""
LAMPS = ("avr", "pico")
"""The layers that can light lamps."""


def setting(name: str) -> str:
    """Returns what is to be built: from the environment, or else from [grid] in platformio.ini."""
    return str(os.environ.get(f"GRID_{name.upper()}") or env.GetProjectConfig().get("grid", name))


def sources(layer: str, sensor: str, lamps: bool) -> list[str]:
    """Returns the sources of a variant, as the Makefile has them."""
    core = ["frame", "grid", "sites", f"scan_{sensor}", "lamps" if lamps else "lamps_none"]
    core += [] if sensor == "analogue" else ["switches"]
    chip = LAYERS[layer] + (["lamps"] if lamps else [])
    chip += ["adc"] if sensor == "analogue" and "adc" not in chip else []
    files = [f"core/{name}.c" for name in core]
    return files + [f"chips/{layer}/{name}.{suffix(layer, name)}" for name in chip]


def suffix(layer: str, name: str) -> str:
    return "cpp" if (layer, name) in (("pico", "arduino"), ("esp32", "main")) else "c"


def make_header(board: str, sensor: str, controller: str, folder: Path) -> None:
    """Writes wiring.h; ends the build with one line where there is no such wiring."""
    command = [sys.executable, "-m", "hardware.wiring.header", board, sensor, controller]
    done = subprocess.run(  # noqa: S603
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr.strip().splitlines()[-1])
    folder.mkdir(parents=True, exist_ok=True)
    header = folder / "wiring.h"
    if not header.is_file() or header.read_text(encoding="utf-8") != done.stdout:
        header.write_text(done.stdout, encoding="utf-8")


def prepare() -> None:
    layer = env.GetProjectOption("custom_layer")
    controller = env.GetProjectOption("custom_controller")
    sensor, lamps = setting("sensor"), setting("lamps") == "yes"
    if lamps and layer not in LAMPS:
        sys.exit("lamps on the ESP32-S3 are not built yet: set lamps = no, or use an Uno, Mega or Pico")
    folder = Path(env.subst("$BUILD_DIR")) / "wiring"
    make_header(setting("board"), sensor, controller, folder)
    env.Append(CPPPATH=[str(folder)])
    env.Replace(SRC_FILTER=["-<*>", *(f"+<{name}>" for name in sources(layer, sensor, lamps))])


prepare()
