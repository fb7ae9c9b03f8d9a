"""The time of day where this machine is, as people there read it."""

from __future__ import annotations

from datetime import UTC, datetime

DAY, NOON = 24 * 3600, 12 * 3600


def local_time(seconds: float) -> datetime:
    """Returns seconds since 1970 as a time here.

    Noon in Greenwich stays so: it stands for a day of which the hour is not known. So does what no calendar
    has here.
    """
    told = datetime.fromtimestamp(seconds, UTC)
    try:
        return told if seconds % DAY == NOON else told.astimezone()
    except (OverflowError, ValueError):
        return told
