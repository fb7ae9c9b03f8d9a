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

Singles = npt.NDArray[np.float32]
SAME = 3.0
"""Distance of colours, in their usual spread, under which they are one paint in more or less light."""


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
    """The donor with its owner's colours (as `plain` has them) exchanged for those of `own`."""
    old, new = _by_light(plain), _by_light(own)
    mean, sigma = donor.mean.copy(), donor.sigma.copy()
    for c in range(COLOURS):
        away = np.linalg.norm((plain.mean[old] - donor.mean[c]) / SIGMA, axis=1)
        nearest = int(away.argmin())
        if away[nearest] < SAME:
            mean[c], sigma[c] = own.mean[new[nearest]], own.sigma[new[nearest]]
    return replace(donor, look=look, mean=mean, sigma=sigma, count=0.5)


def _by_light(model: Model) -> list[int]:
    return [int(c) for c in np.argsort(model.mean[:, 0])]
