"""Connects to another companion, by HTTP or HTTPS.

A companion at home has a certificate of its own making, for which no authority vouches. Whoever connects
knows it by its digest (SHA-256), and compares that before anything is sent.
"""

from __future__ import annotations

import hashlib
import http.client
import ssl
from urllib.parse import urlsplit

MEANT = "Companion-Meant"
"""The header of a request that acts which names the companion that is meant, by its store's identity."""


def connect(
    address: str, timeout: float, *, is_vouched_for: bool
) -> tuple[http.client.HTTPConnection, bytes]:
    """Returns a connection, and the digest of the certificate that was shown; b"" by HTTP.

    `is_vouched_for`: an authority has to vouch for the certificate, else ssl.SSLError.
    """
    parts = urlsplit(address)
    host = parts.hostname or ""
    if parts.scheme == "http":
        connection = http.client.HTTPConnection(host, parts.port, timeout=timeout)
        connection.connect()
        return connection, b""
    context = ssl.create_default_context()
    if not is_vouched_for:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    secure = http.client.HTTPSConnection(host, parts.port, timeout=timeout, context=context)
    secure.connect()
    return secure, hashlib.sha256(secure.sock.getpeercert(binary_form=True) or b"").digest()
