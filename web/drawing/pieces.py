"""Draws pieces as SVG: a form and a badge from the board's data, in their owner's paint.

Colour is never the only sign: each owner also has a small glyph (triangle, square, circle, …), which the page
shows beside the player's name as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.core.board import Face, PieceSet
from web.drawing.svg import group, tag, text

GLYPHS = ("triangle", "square", "circle", "diamond", "star", "cross")
GLYPH_PATHS = {
    "triangle": "M0-1L.95.7H-.95Z",
    "square": "M-.75-.75H.75V.75H-.75Z",
    "circle": "M-.85 0A.85.85 0 1 1 .85 0A.85.85 0 1 1-.85 0Z",
    "diamond": "M0-1.05L.85 0L0 1.05L-.85 0Z",
    "star": "M0-.99L.27-.31L1-.26L.44.2L.62.91L0 .52L-.62.91L-.44.2L-1-.26L-.27-.31Z",
    "cross": "M-.3-1H.3V-.3H1V.3H.3V1H-.3V.3H-1V-.3H-.3Z",
}
NEUTRAL = "#6d6a66"
MARKER = "#fbf7ec"
DARK, LIGHT = "#1d1712", "#fffaf0"
BASE = "M-.25.4V.33Q-.25.29-.2.29H.2Q.25.29.25.33V.4Z"
KINDS = {
    "pawn": "M0-.3A.13.13 0 0 1 .07-.06L.16.29H-.16L-.07-.06A.13.13 0 0 1 0-.3Z",
    "knight": "M-.19.29C-.19.11-.01.07-.02-.06C-.1-.01-.14.04-.2.03C-.27.02-.29-.06-.24-.12L-.12-.27"
    "L-.11-.38L-.03-.31C.16-.29.26-.1.21.29Z",
    "bishop": "M0-.42A.05.05 0 0 1 .03-.33C.16-.22.18-.07.09.03L.15.29H-.15L-.09.03C-.18-.07-.16-.22"
    "-.03-.33A.05.05 0 0 1 0-.42Z",
    "rook": "M-.2.29L-.15-.13H-.22V-.34H-.12V-.27H-.05V-.34H.05V-.27H.12V-.34H.22V-.13H.15L.2.29Z",
    "queen": "M-.29-.24L-.15-.04L-.13-.35L0-.09L.13-.35L.15-.04L.29-.24L.18.29H-.18Z",
    "king": "M-.03-.46H.03V-.4H.09V-.34H.03V-.22C.1-.3.29-.26.26-.07C.25.06.18.14.18.29H-.18"
    "C-.18.14-.25.06-.26-.07C-.29-.26-.1-.3-.03-.22V-.34H-.09V-.4H-.03Z",
}
"""The silhouettes of chess pieces, each in a square of one step."""
CROWN = ((-0.29, -0.26), (-0.13, -0.37), (0.13, -0.37), (0.29, -0.26))


class Coat(NamedTuple):
    """An owner's colours (paint, readable ink, dark edge) and glyph."""

    paint: str
    ink: str
    edge: str
    glyph: str


def draw_look(pieces: PieceSet, look: str) -> str:
    """Returns the SVG of a look: a piece, a marker, or a piece below a marker.

    Steps; its middle is at 0, 0.
    """
    body, _, marker = look.partition("+")
    parts = [_draw_piece(pieces, body)] if body else []
    if marker:
        at = "translate(.22 -.22)" if body else "scale(1.35)"
        parts.append(group(_draw_marker(pieces, marker), transform=at))
    return "".join(parts)


def glyph_of(pieces: PieceSet, owner: str) -> str:
    """Returns the name of an owner's glyph; '' for nobody's pieces."""
    owners = list(pieces.paint)
    return GLYPHS[owners.index(owner) % len(GLYPHS)] if owner in owners else ""


def readable_on(paint: str) -> str:
    """Returns dark or light ink, whichever can be read on this colour (WCAG relative luminance)."""
    return DARK if _luminance(paint) > 0.22 else LIGHT


def _draw_piece(pieces: PieceSet, look: str) -> str:
    owner = look.partition("/")[0]
    face = _face(pieces, look)
    paint = pieces.paint.get(owner, NEUTRAL)
    coat = Coat(paint, readable_on(paint), _mix(paint, "#000000", 0.45), glyph_of(pieces, owner))
    return _FORMS.get(face.form, _draw_disc)(face, coat)


def _face(pieces: PieceSet, look: str) -> Face:
    try:
        return pieces.face(look)
    except KeyError:
        return Face("disc", 0.36, 0.2, look.partition("/")[2][:1])


def _draw_silhouette(face: Face, coat: Coat) -> str:
    if face.badge not in KINDS:
        return _draw_pawn(face, coat)
    light = coat.ink == DARK
    fill = _mix(coat.paint, "#ffffff", 0.6) if light else _mix(coat.paint, "#000000", 0.35)
    ink = DARK if light else "#f1e6d2"
    outline = KINDS[face.badge] + BASE
    halo = "" if light else tag("path", d=outline, stroke=ink, stroke_width=0.07, fill="none")
    body = group(
        tag("path", d=KINDS[face.badge]), tag("path", d=BASE), fill=fill, stroke=DARK, stroke_width=0.03
    )
    detail = group(_detail(face.badge, ink), fill="none", stroke=ink, stroke_width=0.03)
    return group(halo, body, detail, stroke_linejoin="round", transform="scale(1.12)")


def _detail(kind: str, ink: str) -> str:
    match kind:
        case "knight":
            return tag("circle", cx=-0.07, cy=-0.2, r=0.025, fill=ink, stroke="none")
        case "bishop":
            return tag("path", d="M.02-.24L.08-.12")
        case "queen":
            return "".join(tag("circle", cx=x, cy=y, r=0.03, fill=ink) for x, y in CROWN)
    return ""


def _draw_disc(face: Face, coat: Coat) -> str:
    r = face.radius
    top = tag("circle", r=r, fill=coat.paint, stroke=coat.edge, stroke_width=0.03)
    if face.badge not in ("stack", "tall"):
        return group(top, _badge(face, coat))
    under = _mix(coat.paint, "#000000", 0.3)
    return group(
        tag("circle", cy=0.09, r=r, fill=under, stroke=coat.edge, stroke_width=0.03),
        group(top, _badge(face, coat), transform="translate(0 -.04)"),
    )


def _badge(face: Face, coat: Coat) -> str:
    r, ink = face.radius, coat.ink
    ring = tag("circle", r=r * 0.72, fill="none", stroke=ink, stroke_width=0.05)
    match face.badge:
        case "ring":
            return ring + _glyph(coat, r * 0.3)
        case "dot":
            return tag("circle", cy=-r * 0.56, r=r * 0.17, fill=ink) + _glyph(coat, r * 0.34, 0, r * 0.14)
        case "stack":
            outer = tag("circle", r=r * 0.88, fill="none", stroke=ink, stroke_width=0.025)
            return ring + outer + _glyph(coat, r * 0.4)
        case "tall":
            outer = tag("circle", r=r * 0.8, fill="none", stroke=ink, stroke_width=0.03)
            return outer + _glyph(coat, r * 0.36)
        case "":
            return _glyph(coat, r * 0.36)
    words = face.badge if len(face.badge) <= 4 else face.badge[:1].upper()
    size = r * (1.15, 1.0, 0.88, 0.72)[len(words) - 1]
    return text(words, 0, -r * 0.16, size, fill=ink, font_weight="700") + _glyph(coat, r * 0.18, 0, r * 0.64)


def _draw_pawn(face: Face, coat: Coat) -> str:
    r = face.radius
    badge = "" if face.badge in KINDS else face.badge
    return group(
        tag("circle", r=r, fill=_mix(coat.paint, "#000000", 0.2), stroke=coat.edge, stroke_width=0.03),
        tag("circle", r=r * 0.74, fill=coat.paint, stroke=coat.edge, stroke_width=0.015),
        _badge(Face(face.form, r * 0.9, face.height, badge), coat),
    )


def _draw_block(face: Face, coat: Coat) -> str:
    r = face.radius
    body = tag(
        "rect", x=-r, y=-r, width=2 * r, height=2 * r, rx=0.08,
        fill=coat.paint, stroke=coat.edge, stroke_width=0.03,
    )  # fmt: skip
    return group(body, _badge(face, coat))


def _draw_pole(face: Face, coat: Coat) -> str:
    r = max(face.radius, 0.2)
    return group(
        tag("circle", r=r, fill=coat.paint, stroke=coat.edge, stroke_width=0.05), _glyph(coat, r * 0.5)
    )


def _draw_port(face: Face, coat: Coat) -> str:
    """Draws two walls that meet in the north-western corner, 0.3 steps off the middle of the site."""
    walls = "".join(
        tag(
            "path", d="M-.12.7V-.12H.7", fill="none", stroke=colour, stroke_width=width,
            stroke_linejoin="round", stroke_linecap="round",
        )
        for colour, width in ((coat.edge, 0.2), (coat.paint, 0.14))
    )  # fmt: skip
    return group(walls, _glyph(coat, 0.055, -0.12, -0.12))


def _draw_pillar(face: Face, coat: Coat) -> str:
    r = max(face.radius, 0.26)
    arch = "M-.42-.5V0A.42 .42 0 0 0 .42 0V-.5"
    return group(
        tag("circle", r=r, fill="#3a3d42", stroke="#f1e6d2", stroke_width=0.04),
        tag("path", d=arch, fill="none", stroke="#f1e6d2", stroke_width=0.28, transform=f"scale({r:g})"),
    )


def _draw_cross(face: Face, coat: Coat) -> str:
    at = f"scale({face.radius:g})"
    return tag("path", d=GLYPH_PATHS["cross"], transform=at, fill=coat.paint, stroke=DARK, stroke_width=0.1)


def _draw_marker(pieces: PieceSet, name: str) -> str:
    face = pieces.faces.get("+" + name) or pieces.faces.get(name)
    paint = pieces.paint.get(name) or pieces.paint.get("+" + name) or MARKER
    words = (face.badge if face and face.badge else name)[:2]
    r = min(face.radius if face else 0.19, 0.2)
    disc = tag("circle", r=r, fill=paint, stroke=DARK, stroke_width=0.03)
    return disc + text(words, 0, 0, r * 1.3, fill=readable_on(paint), font_weight="700")


def _glyph(coat: Coat, size: float, x: float = 0.0, y: float = 0.0) -> str:
    if not coat.glyph:
        return ""
    at = f"translate({x:.3g} {y:.3g}) scale({size:.3g})"
    return tag("path", d=GLYPH_PATHS[coat.glyph], fill=coat.ink, transform=at)


def _channels(colour: str) -> tuple[int, ...]:
    digits = colour.lstrip("#")
    wide = "".join(c * 2 for c in digits) if len(digits) == 3 else digits
    return tuple(int(wide[i : i + 2], 16) for i in (0, 2, 4))


def _mix(colour: str, other: str, share: float) -> str:
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _luminance(colour: str) -> float:
    parts = [c / 255 for c in _channels(colour)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


_FORMS: dict[str, Callable[[Face, Coat], str]] = {
    "disc": _draw_disc,
    "pawn": _draw_pawn,
    "block": _draw_block,
    "pole": _draw_pole,
    "port": _draw_port,
    "pillar": _draw_pillar,
    "cross": _draw_cross,
    "piece": _draw_silhouette,
}
