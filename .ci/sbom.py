"""Prints a bill of materials (CycloneDX, JSON) of an environment, with the libraries that wheels bring along.

Usage: sbom.py PYTHON, by a Python that has cyclonedx-bom. A wheel's own bills and the shared libraries in its
folder NAME.libs become parts of its component.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

Component = dict[str, Any]
ROOT = Path(__file__).resolve().parents[1]
FFMPEG = "LGPL-2.1-or-later"
LICENCES = {
    "libaom": "BSD-2-Clause",
    "libavcodec": FFMPEG,
    "libavformat": FFMPEG,
    "libavif": "BSD-2-Clause",
    "libavutil": FFMPEG,
    "libcrypto": "OpenSSL",
    "libdrm": "MIT",
    "libgfortran": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libopenblasp": "BSD-3-Clause",
    "libpng16": "libpng-2.0",
    "libquadmath": "LGPL-2.1-or-later",
    "libscipy_openblas64_": "BSD-3-Clause",
    "libssl": "OpenSSL",
    "libswresample": FFMPEG,
    "libswscale": FFMPEG,
    "libvpx": "BSD-3-Clause",
}
"""Licences of shared libraries of which no wheel tells them: of OpenCV's (its FFmpeg is built without the
parts that are under the GPL) and NumPy's."""


def name_of(text: str) -> str:
    """Returns a library's name as all tools can compare it."""
    return re.sub(r"[-_.]+", "-", text).lower()


def shared_libraries(folder: Path) -> Iterator[Component]:
    """Returns a part for each shared library that a wheel brings along."""
    for file in sorted(folder.glob("*.so*")):
        digest = {"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}
        part: Component = {"type": "file", "name": file.name, "hashes": [digest]}
        if licence := LICENCES.get(file.name.split("-")[0].split(".")[0]):
            part["licenses"] = [{"expression": licence}]
        yield part


def own_bill(path: Path, owner: str) -> Iterator[Component]:
    """Returns a part for each library that a wheel's own bill names beside the wheel."""
    seen = set()
    for part in json.loads(path.read_text())["components"]:
        kept = {key: part[key] for key in ("type", "name", "version", "purl", "licenses") if key in part}
        text = json.dumps(kept, sort_keys=True)
        if name_of(part["name"]) != owner and text not in seen:
            seen.add(text)
            yield kept


def parts(site: Path) -> dict[str, list[Component]]:
    """Returns what wheels in a folder of libraries bring along, by the wheel's name."""
    found: dict[str, list[Component]] = {}
    for path in sorted(site.glob("*.dist-info/sboms/*.json")):
        owner = name_of(path.parts[-3].split("-")[0])
        found.setdefault(owner, []).extend(own_bill(path, owner))
    for folder in sorted(site.glob("*.libs")):
        found.setdefault(name_of(folder.stem), []).extend(shared_libraries(folder))
    return found


def bill(python: str) -> str:
    """Returns the bill of the environment of a Python."""
    where = [python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"]
    site = Path(subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip())
    make = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", python]
    made = json.loads(subprocess.run(make, capture_output=True, text=True, check=True).stdout)
    brought = parts(site)
    for component in made["components"]:
        if found := brought.get(name_of(component["name"])):
            component["components"] = found
    return json.dumps(made, indent=2)


if __name__ == "__main__":
    text = bill(sys.argv[1])
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error:
        sys.exit(f"the bill is not valid CycloneDX: {error}")
    print(text)
