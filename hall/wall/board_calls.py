"""Asks a board's own API to carry out a ruling, by the arbiter's token.

A certificate that the board made itself is known by its fingerprint: nothing is sent before it is right.
"""

from __future__ import annotations

import hmac
import http.client
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass

from companion.language import Phrases, say
from hall.wall.board_addresses import BoardAddress
from web.calling import MEANT, connect

TIMEOUT_S = 6.0
"""The seconds that a board may take: it waits for its table for five."""
LARGEST = 64 * 1024
UNREACHABLE = 0
"""The status of an answer that never came."""


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """The answer of a board: the status of HTTP, or `UNREACHABLE`, and one line."""

    status: int
    words: str

    @property
    def is_done(self) -> bool:
        return 200 <= self.status < 300


class BoardCalls:
    """Asks a board's API by HTTP or HTTPS. It follows no redirections: the token goes nowhere else."""

    def __init__(self, timeout: float = TIMEOUT_S) -> None:
        self._timeout = timeout

    def post(
        self, board: BoardAddress, path: str, body: Mapping[str, object], companion: str = ""
    ) -> BoardAnswer:
        """Sends a body to `/api/v1/PATH` of a board and returns its answer. Another `companion` than the one
        that is meant does nothing."""
        headers = {"Authorization": f"Bearer {board.token}", "Content-Type": "application/json"}
        if companion:
            headers[MEANT] = companion
        try:
            connection = self._connect(board)
        except _WrongCertificateError:
            return BoardAnswer(UNREACHABLE, say("the board shows another certificate: nothing was sent"))
        except ssl.SSLError:
            return BoardAnswer(
                UNREACHABLE, say("the board's certificate is not trusted: enter its fingerprint at the desk")
            )
        except (OSError, http.client.HTTPException) as error:
            return _unreachable(error)
        try:
            connection.request("POST", f"/api/v1/{path}", json.dumps(body).encode(), headers)
            response = connection.getresponse()
            return BoardAnswer(response.status, _words(response.status, response.read(LARGEST)))
        except (OSError, http.client.HTTPException) as error:
            return _unreachable(error)
        finally:
            connection.close()

    def _connect(self, board: BoardAddress) -> http.client.HTTPConnection:
        connection, digest = connect(board.address, self._timeout, is_vouched_for=not board.fingerprint)
        if board.fingerprint and not hmac.compare_digest(digest.hex(), board.fingerprint):
            connection.close()
            raise _WrongCertificateError
        return connection


class _WrongCertificateError(Exception):
    """The certificate is not the one with the fingerprint."""


def _unreachable(error: Exception) -> BoardAnswer:
    reason = "it did not answer in time" if isinstance(error, TimeoutError) else str(error) or repr(error)
    return BoardAnswer(
        UNREACHABLE, say("the board cannot be reached: {reason}", reason=" ".join(reason.split()))
    )


OF_STATUS: Phrases = {
    401: "the board does not know this token: it was revoked, or belongs to another board",
    403: "this token may not do that: it needs the scope arbiter",
    404: "this is no board's address: nothing there takes rulings",
    421: "this is the page of another board: nothing was done",
}
"""What is said of the answers that a board gives before it looks at the ruling."""


def _words(status: int, content: bytes) -> str:
    """Returns an answer in one line: what it means for whoever is at the desk, else what the board says."""
    if status in OF_STATUS:
        return say(OF_STATUS[status])
    try:
        values = json.loads(content)
        told = values.get("error") or values.get("words") or ""
    except (ValueError, AttributeError, RecursionError):
        told = ""
    told = " ".join(str(told).split())[:300]
    if 200 <= status < 300:
        return told or say("done")
    return told or say("the board answers with an error ({status})", status=status)
