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
from vision.solids.caps import Cap, bare, parts_of, unknown_cap, with_cap
from vision.solids.evidence import COLOURS
from vision.solids.model import SIGMA, Model
from vision.solids.solid import RINGS

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
    placed = donor.mask is None and donor.radii == plain.radii == own.radii
    pairs, same = (_in_place(donor, plain, own), SAME / 2) if placed else (_by_shade(donor, plain, own), SAME)
    mean = donor.mean.copy()
    for c, (theirs, mine) in enumerate(pairs):
        away = float(np.linalg.norm((theirs - donor.mean[c]) / SIGMA))
        part = 1.0 if away < same else _share(donor.mean[c], theirs)
        mean[c] = mine if part == 1 else donor.mean[c] + part * (mine - theirs)
    return replace(donor, look=look, mean=mean, count=0.5)


def _in_place(donor: Model, plain: Model, own: Model) -> list[tuple[Singles, Singles]]:
    """For each of the donor's colours, what colours the plain pieces of both owners, of the same form, have
    where it has that one."""
    free = _uncovered(donor.radii)
    pairs = []
    for c in range(COLOURS):
        mine = free & (donor.colours == c)
        at = mine if mine.any() else free
        pairs.append((plain.mean[plain.colours[at]].mean(axis=0), own.mean[own.colours[at]].mean(axis=0)))
    return pairs


def _uncovered(radii: tuple[float, ...]) -> npt.NDArray[np.bool_]:
    """Which parts of a solid can be seen from above."""
    rings = np.array(radii)[:, None] * (np.arange(RINGS) + 1) / RINGS
    above = [max(radii[k + 1 :], default=0.0) for k in range(len(radii))]
    return np.asarray((rings > np.array(above)[:, None]).ravel())


def _by_shade(donor: Model, plain: Model, own: Model) -> list[tuple[Singles, Singles]]:
    """For each of the donor's colours the nearest of its owner's paint, and the other owner's that is as dark
    or light among its own."""
    least = MUCH if donor.mask is None else 0.0  # walls show colours that are rare on a round piece
    theirs, mine = _paints(plain, least), _paints(own, least)
    nearest = [int(np.linalg.norm((theirs - colour) / SIGMA, axis=1).argmin()) for colour in donor.mean]
    step = (len(mine) - 1) / max(len(theirs) - 1, 1)
    return [(theirs[n], mine[round(n * step)]) for n in nearest]


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
