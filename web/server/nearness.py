"""Tells where a request comes from: this machine, another one, or a proxy, behind which anybody may be."""

from __future__ import annotations

import ipaddress

from flask import request

from web.server.access import ITSELF
from web.server.addresses import block_of

PROXY_HEADERS = ("forwarded", "via", "x-forwarded", "x-real-ip", "x-client-ip", "true-client-ip")
"""The beginnings of headers by which proxies tell of themselves, or of who is behind them."""


def is_near() -> bool:
    """Returns whether the request comes from this machine, and through no proxy."""
    if is_handed_on():
        return False
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def is_handed_on() -> bool:
    """Returns whether a proxy handed the request on: then nobody knows who sent it.

    One that says nothing of itself (nginx, as it comes) speaks HTTP/1.0, which no browser does.
    """
    told = any(name.lower().startswith(PROXY_HEADERS) for name, _ in request.headers)
    return told or request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"


def guesser() -> str:
    """Returns the address for which a wrong PIN or code counts. All clients of a proxy count as one."""
    if is_near():
        return ITSELF
    address = block_of(request.remote_addr or "")
    return f"{address} by a proxy" if is_handed_on() else address
