"""The mains frequency, by which lamps flicker: told by the owner, else by the time zone.

Lamps on 50 Hz flicker a hundred times a second, on 60 Hz a hundred and twenty times. A camera whose exposures
are no multiples of that shows bands that wander through its pictures.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from companion.sensing.sources import SourceError

Hertz = Literal[50, 60]

VARIABLE = "COMPANION_MAINS_HZ"
"""The owner's setting: `50`, `60`, or `auto` for the time zone's."""
COUNTRIES_60_HZ = frozenset((
    "AG", "AI", "AS", "AW", "BM", "BR", "BS", "BZ", "CA", "CO", "CR", "CU", "DO", "EC", "FM",
    "GT", "GU", "GY", "HN", "HT", "KN", "KR", "KY", "MH", "MP", "MS", "MX", "NI", "PA", "PE",
    "PF", "PH", "PR", "PW", "SA", "SR", "SV", "SX", "TC", "TT", "TW", "US", "VE", "VG", "VI",
))  # fmt: skip
"""ISO 3166 codes of the countries on 60 Hz, as the IEC's list of world plugs has them."""
COUNTRIES_OF_BOTH = frozenset(["JP", "LR"])
"""Those of which it depends on the place: the east of Japan has 50 Hz, its west 60 Hz."""


def mains_hertz(
    environment: Mapping[str, str] = os.environ,
    root: Path = Path("/"),
) -> Hertz | None:
    """Returns the mains frequency here; None where nothing tells.

    `root` is the folder in which the system's files of the time zone are looked for. SourceError for a
    setting that is no mains frequency.
    """
    match environment.get(VARIABLE, "auto").strip():
        case "50":
            return 50
        case "60":
            return 60
        case "auto" | "":
            return _of_zone(_zone(environment, root), root)
        case other:
            raise SourceError(f"{VARIABLE} is '{other}': write 50, 60 or auto")


def _zone(environment: Mapping[str, str], root: Path) -> str:
    """Returns the name of the time zone, as Europe/Vienna; '' where there is none."""
    if named := environment.get("TZ", "").lstrip(":"):
        return named
    link = root / "etc" / "localtime"
    if link.is_symlink():
        _, found, zone = os.readlink(link).partition("zoneinfo/")
        if found:
            return zone
    try:
        return (root / "etc" / "timezone").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def _of_zone(zone: str, root: Path) -> Hertz | None:
    country = _country(zone, root)
    if not country or country in COUNTRIES_OF_BOTH:
        return None
    return 60 if country in COUNTRIES_60_HZ else 50


def _country(zone: str, root: Path) -> str:
    """Returns the country of a zone by the system's table; '' where it has none, as UTC has."""
    try:
        table = (root / "usr/share/zoneinfo/zone.tab").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return next((row[0] for row in rows if len(row) > 2 and row[2] == zone), "")
