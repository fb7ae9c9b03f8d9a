"""The names by which other machines reach this one; the block of addresses that one device may have."""

from __future__ import annotations

import ipaddress
import socket


def host_names() -> tuple[str, ...]:
    """Returns the host name, and the name under which avahi announces it."""
    host = socket.gethostname()
    return tuple(dict.fromkeys((host, f"{host.partition('.')[0]}.local")))


def block_of(address: str) -> str:
    """Returns the block of addresses that one device may take as it likes: of IPv6 a whole network (/64)."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found), 64), strict=False))
