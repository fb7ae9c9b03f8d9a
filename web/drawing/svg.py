"""SVG elements as text, with escaped names and values and short numbers."""

from __future__ import annotations

from html import escape
from typing import TypeAlias

Value: TypeAlias = str | float


def tag(name: str, *children: str, **attributes: Value) -> str:
    """Returns an element. `stroke_width` becomes the attribute `stroke-width`; children are SVG already."""
    head = "".join(f' {key.rstrip("_").replace("_", "-")}="{_write(v)}"' for key, v in attributes.items())
    return f"<{name}{head}>{''.join(children)}</{name}>" if children else f"<{name}{head}/>"


def group(*children: str, **attributes: Value) -> str:
    return tag("g", *children, **attributes)


def text(words: str, x: float, y: float, size: float, **attributes: Value) -> str:
    """Returns a line of text with its middle at a point."""
    return tag(
        "text", escape(words), x=x, y=y, font_size=size, text_anchor="middle", dominant_baseline="central",
        font_family="Alegreya Sans, sans-serif", **attributes,
    )  # fmt: skip


def _write(value: Value) -> str:
    return escape(value) if isinstance(value, str) else f"{round(value, 3):g}"
