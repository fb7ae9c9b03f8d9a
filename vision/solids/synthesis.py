"""Puts models of looks that were never seen together from looks that were.

A red pawn with a T on it is a red pawn, and the T of the black one: the parts of a seen look that have its
owner's paint are painted over, the rest is kept. A marker that lies on the board is the marker without the
pawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from companion.core.board import Board
from companion.core.game import EMPTY
from vision.arrays import Mask, Singles
from vision.solids.evidence import COLOURS
from vision.solids.model import SIGMA, Model
from vision.solids.piece_markers import (
    PieceMarker,
    marker_alone,
    piece_and_marker,
    unseen_marker,
    with_marker,
)
from vision.solids.solid import RINGS

SAME_PAINT = 3.0
"""Distance of colours, in their usual spread, under which they are one paint in more or less light."""
UNSEEN = 0.5
"""The count of a model that was put together: less than of any that was seen."""
MUCH = 0.1
"""The share of a piece's parts from which a colour is its paint, and no glint or shade at its edge."""
HUE = 0.1
"""The least distance of a paint from grey for its share in a mixed colour to be told."""


Key = tuple[str, str]
"""A look, and the kind of place that it stands on ('' for a site)."""


def owner(look: str) -> str:
    """Returns the owner in a look; '' for a marker alone."""
    return look.partition("+")[0].partition("/")[0]


def form(look: str) -> str:
    """Returns a look without its owner: `piece/glider`; `piece+T`, but `+T` for a marker alone."""
    piece, plus, marker = look.partition("+")
    return ("piece" if piece else "") + piece[len(owner(look)) :] + plus + marker


def with_unseen_looks(
    models: Sequence[Model],
    markers: Mapping[str, PieceMarker],
    looks: Iterable[str],
    board: Board,
    unit: float,
) -> list[Model]:
    """Adds models of looks that were never seen, for each kind of place, as far as the seen ones tell.

    `unit` is the distance of neighbouring sites in steps.
    """
    known = {(model.look, model.kind): model for model in models}
    kinds = sorted({model.kind for model in models})
    # Pieces of one form stand either on sites or on parts of sites; what was never seen stands on sites.
    on_parts = {form(model.look): bool(model.kind) for model in models}
    plain_first = sorted((look for look in looks if look != EMPTY), key=lambda look: "+" in look)
    for look, kind in product(plain_first, kinds):
        if (look, kind) in known or on_parts.get(form(look), False) != bool(kind):
            continue
        model = _with_marker(look, kind, known, markers, board, unit) or _recoloured(look, kind, known)
        if model is not None:
            known[look, kind] = model
    return list(known.values())


def _with_marker(
    look: str,
    kind: str,
    known: Mapping[Key, Model],
    markers: Mapping[str, PieceMarker],
    board: Board,
    unit: float,
) -> Model | None:
    """Returns a look as the piece without its marker, and that marker; None where the piece is not known."""
    parts = piece_and_marker(board, look)
    if parts is None or kind:
        return None
    below, name = parts
    marker = markers.get(name) or unseen_marker(name, list(markers.values()), unit, board)
    if not below:
        return marker_alone(look, kind, marker, UNSEEN)
    return with_marker(look, known[below, kind], marker, UNSEEN) if (below, kind) in known else None


def _recoloured(look: str, kind: str, known: Mapping[Key, Model]) -> Model | None:
    """Returns the look as another owner's piece shows it, in this owner's paint; None where either is not
    known."""
    donor = _most_seen(m for m in known.values() if m.kind == kind and form(m.look) == form(look))
    own = _most_seen(_plain_pieces(owner(look), known))
    if donor is None or own is None:
        return None
    donors_plain = _most_seen(_plain_pieces(owner(donor.look), known))
    return _repainted(look, donor, donors_plain or donor, own)


def _plain_pieces(name: str, known: Mapping[Key, Model]) -> Iterator[Model]:
    """Yields the models of an owner's pieces without a marker."""
    return (model for model in known.values() if "+" not in model.look and owner(model.look) == name)


def _most_seen(models: Iterable[Model]) -> Model | None:
    return max(models, key=lambda model: model.count, default=None)


def _repainted(look: str, donor: Model, plain: Model, own: Model) -> Model:
    """Returns the donor with its owner's paint (as `plain` has it) exchanged for that of `own`: wholly where
    a colour is that paint, and by as much as is in it where a mark shines through."""
    placed = donor.mask is None and donor.radii == plain.radii == own.radii
    pairs, same = (
        (_in_place(donor, plain, own), SAME_PAINT / 2)
        if placed
        else (_by_shade(donor, plain, own), SAME_PAINT)
    )
    mean = donor.mean.copy()
    for c, (theirs, mine) in enumerate(pairs):
        away = float(np.linalg.norm((theirs - donor.mean[c]) / SIGMA))
        part = 1.0 if away < same else _share(donor.mean[c], theirs)
        mean[c] = mine if part == 1 else donor.mean[c] + part * (mine - theirs)
    return replace(donor, look=look, mean=mean, count=UNSEEN)


def _in_place(donor: Model, plain: Model, own: Model) -> list[tuple[Singles, Singles]]:
    """Returns for each of the donor's colours those of both owners' plain pieces where the donor has it.

    The plain pieces have the donor's form.
    """
    free = _uncovered(donor.radii)
    pairs = []
    for c in range(COLOURS):
        mine = free & (donor.colours == c)
        at = mine if mine.any() else free
        pairs.append((plain.mean[plain.colours[at]].mean(axis=0), own.mean[own.colours[at]].mean(axis=0)))
    return pairs


def _uncovered(radii: tuple[float, ...]) -> Mask:
    """Returns which parts of a solid can be seen from above."""
    rings = np.array(radii)[:, None] * (np.arange(RINGS) + 1) / RINGS
    above = [max(radii[k + 1 :], default=0.0) for k in range(len(radii))]
    return np.asarray((rings > np.array(above)[:, None]).ravel())


def _by_shade(donor: Model, plain: Model, own: Model) -> list[tuple[Singles, Singles]]:
    """Returns for each of the donor's colours the nearest of its owner's paint, and the other owner's
    counterpart.

    The counterpart is as dark or light among its owner's colours.
    """
    least = MUCH if donor.mask is None else 0.0  # walls show colours that are rare on a round piece
    theirs, mine = _paints(plain, least), _paints(own, least)
    nearest = [int(np.linalg.norm((theirs - colour) / SIGMA, axis=1).argmin()) for colour in donor.mean]
    step = (len(mine) - 1) / max(len(theirs) - 1, 1)
    return [(theirs[n], mine[round(n * step)]) for n in nearest]


def _paints(model: Model, least: float) -> Singles:
    """Returns the colours (n, 3) that at least this share of a piece has, from dark to light."""
    there = np.repeat(np.array(model.radii) > 0, RINGS) if model.mask is None else model.mask.ravel()
    parts = np.bincount(model.colours, there, COLOURS) / there.sum()
    main = model.mean[parts >= min(least, float(parts.max()))]
    return np.asarray(main[main[:, 0].argsort()], dtype=np.float32)


def _share(colour: Singles, paint: Singles) -> float:
    """Returns how much of a paint is in a colour, by its hue; nought where the paint has none."""
    hue = paint[1:]
    if float(hue @ hue) < HUE**2:
        return 0.0
    return float(np.clip(colour[1:] @ hue / (hue @ hue), 0, 1))
