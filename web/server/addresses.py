"""The names and the address by which other machines reach this one."""

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
