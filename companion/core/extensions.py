"""Games that come as packages of their own: found by the entry point group `board_companion.games`.

An entry point is named after its game and points to its class, `pebbles = "pebbles_game:Pebbles"`. Its
package may bring folders like those of `companion`: `boards/` with board files, and `rulebook/` with the
words of its rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

GROUP = "board_companion.games"


@cache
def extension_games() -> Mapping[str, str]:
    """Returns the games that are installed beside the product, by name, each as `package.module:Class`."""
    from importlib.metadata import entry_points  # slow, and seldom needed

    return {point.name: point.value for point in entry_points(group=GROUP)}


@cache
def data_files(folder: str, suffix: str) -> Mapping[str, Traversable]:
    """Returns the files of a folder of the product and of all extensions, by their names without the suffix.

    Where several have the same name, the product's counts.
    """
    found: dict[str, Traversable] = {}
    for home in _homes():
        if (home / folder).is_dir():
            for file in sorted((home / folder).iterdir(), key=lambda file: file.name):
                if file.name.endswith(suffix):
                    found.setdefault(file.name.removesuffix(suffix), file)
    return found


def data_file(folder: str, name: str) -> Traversable | None:
    """Returns one of these files by its whole name; extensions are asked only where the product has none."""
    files = (home / folder / name for home in _homes())
    return next((file for file in files if file.is_file()), None) if Path(name).name == name else None


def _homes() -> Iterator[Traversable]:
    """Yields the folder of the product, and that of each extension's package."""
    yield resources.files("companion")
    yield from map(_package_of, extension_games().values())


def _package_of(place: str) -> Traversable:
    """Returns the folder of the package that an entry point names, or that holds the module it names."""
    spec = find_spec(place.partition(":")[0])
    if spec is None or spec.origin is None:
        return Path("nowhere")
    return Path(spec.origin).parent
