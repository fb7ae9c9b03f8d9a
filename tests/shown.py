"""What leaves a table, as JSON has it: what a page, a hall and other programs get."""

from typing import Any

from companion.table import present as door
from companion.wire.codec import plain


def present(*of: Any, **more: Any) -> Any:
    return plain(door.present(*of, **more))


def present_ply(*of: Any) -> Any:
    return plain(door.present_ply(*of))


def present_verdict(*of: Any) -> Any:
    return plain(door.present_verdict(*of))


def present_happening(*of: Any) -> Any:
    return plain(door.present_happening(*of))
