"""What other machines can call this one by."""

from __future__ import annotations

import socket


def host_names() -> tuple[str, ...]:
    """Its name, and the one that avahi tells the network."""
    host = socket.gethostname()
    return tuple(dict.fromkeys((host, f"{host.partition('.')[0]}.local")))


def outward_address() -> str:
    """Its address in its network: that of a socket which could send, and does not. '' without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
        try:
            towards.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(towards.getsockname()[0])
