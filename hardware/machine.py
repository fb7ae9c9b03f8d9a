"""What this machine tells of itself: its processor's temperature, and its address in the network."""

from __future__ import annotations

import socket
from pathlib import Path

ZONE = Path("/sys/class/thermal/thermal_zone0/temp")


def read_temperature(zone: Path = ZONE) -> float | None:
    """Returns degrees Celsius; None on a machine that does not tell them."""
    try:
        return int(zone.read_text()) / 1000
    except (OSError, ValueError):
        return None


def outward_address() -> str:
    """Returns this machine's address in its network, or '' without a network.

    A UDP socket that is connected, and sends nothing, knows the address.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
        try:
            towards.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(towards.getsockname()[0])
