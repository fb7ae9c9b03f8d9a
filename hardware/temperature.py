"""The temperature of a Raspberry Pi's processor, as Linux tells it."""

from __future__ import annotations

from pathlib import Path

ZONE = Path("/sys/class/thermal/thermal_zone0/temp")


def read_temperature(zone: Path = ZONE) -> float | None:
    """Returns degrees Celsius; None on a machine that does not tell them."""
    try:
        return int(zone.read_text()) / 1000
    except (OSError, ValueError):
        return None
