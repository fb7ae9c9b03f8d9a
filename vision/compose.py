"""Appearances of looks that were never seen, put together from looks that were.

A red pawn with a T on it is a red pawn, and the T of the black one: what of a seen look has its owner's
paint is painted over, the rest kept. A marker that lies on the board is the marker without the pawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from companion.board import Board
from companion.core import EMPTY
from vision.caps import Cap, bare, parts_of, unknown_cap, with_cap
from vision.evidence import COLOURS
from vision.model import SIGMA, Model
from vision.solid import RINGS

Singles = npt.NDArray[np.float32]
SAME = 3.0
"""Distance of colours, in their usual spread, under which they are one paint in more or less light."""
MUCH = 0.1
"""The share of a piece's parts from which a colour is its paint, and no glint or shade at its edge."""
HUE = 0.1
"""How far from grey a paint must be for its share in a mixed colour to be told."""


def owner(look: str) -> str:
    return look.partition("+")[0].partition("/")[0]


def form(look: str) -> str:
    """A look without its owner: `/glider`, `+T` on a piece as ` +T`."""
    piece, plus, marker = look.partition("+")
    return ("piece" if piece else "") + piece[len(owner(look)) :] + plus + marker


def complete(
    models: Sequence[Model], caps: Mapping[str, Cap], looks: Iterable[str], board: Board, unit: float
) -> list[Model]:
    """The models, and one for each look and kind of place that the seen ones tell."""
    out = {(m.look, m.kind): m for m in models}
    direct = {form(m.look): bool(m.kind) for m in models}
    kinds = sorted({m.kind for m in models})
    for look in sorted((k for k in looks if k != EMPTY), key=lambda k: "+" in k):
        for kind in kinds:
            if (look, kind) not in out and direct.get(form(look), False) == bool(kind):
                made = _capped(look, kind, out, caps, board, unit) or _recoloured(look, kind, out)
                if made is not None:
                    out[look, kind] = made
    return list(out.values())


def _capped(
    look: str,
    kind: str,
    known: Mapping[tuple[str, str], Model],
    caps: Mapping[str, Cap],
    board: Board,
    unit: float,
) -> Model | None:
    parts = parts_of(board, look)
    if parts is None or kind:
        return None
    below, name = parts
    cap = caps.get(name) or unknown_cap(name, list(caps.values()), unit, board)
    if not below:
        return bare(look, kind, cap, 0.5)
    return with_cap(look, known[below, kind], cap, 0.5) if (below, kind) in known else None


def _recoloured(look: str, kind: str, known: Mapping[tuple[str, str], Model]) -> Model | None:
    """The look as another owner's piece shows it, in this owner's paint."""
    plain = [m for m in known.values() if "+" not in m.look]
    own = max((m for m in plain if owner(m.look) == owner(look)), key=lambda m: m.count, default=None)
    donors = [m for m in known.values() if m.kind == kind and form(m.look) == form(look)]
    donor = max(donors, key=lambda m: m.count, default=None)
    if own is None or donor is None:
        return None
    theirs = max(
        (m for m in plain if owner(m.look) == owner(donor.look)), key=lambda m: m.count, default=donor
    )
    return _repainted(look, donor, theirs, own)


def _repainted(look: str, donor: Model, plain: Model, own: Model) -> Model:
    """The donor with its owner's paint (as `plain` has it) exchanged for that of `own`: wholly where a colour
    is that paint, and by as much as is in it where a mark shines through."""
    least = MUCH if donor.mask is None else 0.0  # walls show colours that are rare on a round piece
    theirs, mine = _paints(plain, least), _paints(own, least)
    mean = donor.mean.copy()
    for c in range(COLOURS):
        away = np.linalg.norm((theirs - donor.mean[c]) / SIGMA, axis=1)
        nearest = int(away.argmin())
        new = mine[round(nearest * (len(mine) - 1) / max(len(theirs) - 1, 1))]
        part = 1.0 if away[nearest] < SAME else _share(donor.mean[c], theirs[nearest])
        mean[c] = new if part == 1 else donor.mean[c] + part * (new - theirs[nearest])
    return replace(donor, look=look, mean=mean, count=0.5)


def _paints(model: Model, least: float) -> Singles:
    """The colours (n, 3) that at least this share of a piece has, from dark to light."""
    there = np.repeat(np.array(model.radii) > 0, RINGS) if model.mask is None else model.mask.ravel()
    parts = np.bincount(model.colours, there, COLOURS) / there.sum()
    main = model.mean[parts >= min(least, float(parts.max()))]
    return np.asarray(main[main[:, 0].argsort()], dtype=np.float32)


def _share(colour: Singles, paint: Singles) -> float:
    """How much of a paint is in a colour, by its hue; nought where the paint has none."""
    hue = paint[1:]
    if float(hue @ hue) < HUE**2:
        return 0.0
    return float(np.clip(colour[1:] @ hue / (hue @ hue), 0, 1))
