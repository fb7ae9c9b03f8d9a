"""The names and the address by which other machines reach this one."""

from __future__ import annotations

import socket


def host_names() -> tuple[str, ...]:
    """Returns the host name, and the name under which avahi announces it."""
    host = socket.gethostname()
    return tuple(dict.fromkeys((host, f"{host.partition('.')[0]}.local")))


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
