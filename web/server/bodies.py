"""The bodies of requests: how large they may be, checked before they are kept.

A body that is too large is refused as soon as its headers say so, or as soon as that much has come. Nobody
needs a cookie to send one. So only one large body (a camera's profile) is taken in at a time.
"""

from __future__ import annotations

from werkzeug.exceptions import RequestEntityTooLarge, ServiceUnavailable

from companion.language import say

LARGEST = 256 * 1024
"""The bytes that a body may have."""
LARGEST_PROFILE = 6 * 1024 * 1024
"""The bytes that the body with a profile may have: with what its connection needs, less than 10 MB."""
PROFILES = "/api/v1/setup/profiles"


class Bodies:
    """What a server takes in. A connection holds the one place for a large body until that is answered."""

    def __init__(self) -> None:
        self._holder: object = None

    def check(self, path: str, size: int, holder: object) -> None:
        """Raises HTTPException where so many bytes are not taken from a connection."""
        if size <= LARGEST:
            return
        most, words = (LARGEST_PROFILE, "6 MB") if path == PROFILES else (LARGEST, "256 kB")
        if size > most:
            raise RequestEntityTooLarge(say("this is too large: at most {size} are taken here", size=words))
        if self._holder not in (None, holder):
            raise ServiceUnavailable(say("another profile is being loaded: try again in a minute"))
        self._holder = holder

    def release(self, holder: object) -> None:
        """Gives the place back, if this connection holds it."""
        if self._holder is holder:
            self._holder = None
