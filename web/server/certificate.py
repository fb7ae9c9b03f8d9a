"""The certificate of a page served by HTTPS: a given one, or one that this machine makes for itself.

The `openssl` command makes a self-made certificate; Debian and Raspberry Pi OS bring it along. No browser
trusts such a certificate by itself: it asks once, and shows the fingerprint that `companion run` prints.
"""

from __future__ import annotations

import hashlib
import shutil
import socket
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

from companion.core.game import GameError
from hardware.machine import outward_address

SELF = "self"
DAYS = 820
"""Some tablets refuse a certificate that holds longer than 825 days."""
RENEW = 30 * 24 * 3600
"""Seconds before its end at which a self-made certificate is made anew."""


def host_names() -> tuple[str, ...]:
    """Returns the host name, and the name under which avahi announces it."""
    host = socket.gethostname()
    return tuple(dict.fromkeys((host, f"{host.partition('.')[0]}.local")))


@dataclass(frozen=True)
class Certificate:
    """The files of a certificate and of its key, both PEM."""

    cert: Path
    key: Path
    is_self_made: bool = False

    def context(self) -> ssl.SSLContext:
        """Returns the context with which a server speaks TLS. GameError when the files cannot be used."""
        found = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            found.load_cert_chain(self.cert, self.key, password="")
        except FileNotFoundError as error:
            raise GameError(f"no certificate at {self.cert}, or no key at {self.key}") from error
        except OSError as error:
            raise GameError(
                f"cannot use the certificate {self.cert} with the key {self.key}: both must be PEM files "
                f"that belong together, the key without a password ({error.strerror or error})"
            ) from error
        return found

    @property
    def fingerprint(self) -> str:
        """The SHA-256 hash of the certificate, written as browsers show it."""
        der = ssl.PEM_cert_to_DER_cert(_first(self.cert.read_text()))
        return hashlib.sha256(der).digest().hex(":").upper()


def certificate(named: str, key: Path | None, folder: Path) -> Certificate:
    """Returns the certificate named on the command line: a file, or `self`, which is kept in the folder."""
    if named == SELF:
        return self_made(folder / "tls")
    return Certificate(Path(named), key or Path(named))


def self_made(folder: Path) -> Certificate:
    """Returns this machine's own certificate, and makes it if there is none or it ends soon."""
    found = Certificate(folder / "certificate.pem", folder / "key.pem", is_self_made=True)
    if not _holds(found):
        folder.mkdir(parents=True, exist_ok=True)
        _make(found)
    return found


def _holds(found: Certificate) -> bool:
    if not (found.cert.exists() and found.key.exists()):
        return False
    return _openssl("x509", "-noout", "-checkend", str(RENEW), "-in", str(found.cert)).returncode == 0


def _make(found: Certificate) -> None:
    """Makes the files beside the old ones, then renames them: a power cut leaves the old or the new."""
    cert, key = found.cert.with_suffix(".new"), found.key.with_suffix(".new")
    key.touch(0o600)
    made = _openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", str(DAYS), "-subj", f"/CN={socket.gethostname()[:60]}",
        "-keyout", str(key), "-out", str(cert),
        "-addext", f"subjectAltName={','.join(_names())}", "-addext", "extendedKeyUsage=serverAuth",
        "-addext", "basicConstraints=critical,CA:FALSE",
    )  # fmt: skip
    if made.returncode:
        raise GameError(f"openssl made no certificate: {' '.join(made.stderr.split())[-200:]}")
    key.replace(found.key)
    cert.replace(found.cert)


def _names() -> list[str]:
    """Returns the names by which browsers may call this machine, as openssl writes them."""
    names = (*host_names(), "localhost")
    addresses = dict.fromkeys(filter(None, ("127.0.0.1", "::1", outward_address())))
    return [*(f"DNS:{name}" for name in names), *(f"IP:{address}" for address in addresses)]


def _openssl(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = shutil.which("openssl")
    if command is None:
        raise GameError("a self-made certificate needs openssl: sudo apt install openssl")
    return subprocess.run([command, *arguments], capture_output=True, text=True)  # noqa: S603 (our own words)


def _first(pem: str) -> str:
    """Returns the first certificate of a file that may hold a chain and a key."""
    end = "-----END CERTIFICATE-----"
    return pem[pem.index("-----BEGIN CERTIFICATE-----") : pem.index(end) + len(end)]
