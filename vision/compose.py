"""Appearances of looks that were never seen, put together from looks that were.

A red pawn with a T on it is a red pawn, and the T of the black one: what of a seen look has its owner's
paint is painted over, the rest kept. A marker that lies on the board is the marker without the pawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.model import COLOURS, SIGMA, Model
from vision.solid import RINGS

Singles = npt.NDArray[np.float32]
SAME = 3.0
"""Distance of colours, in their usual spread, under which they are one paint in more or less light."""


def owner(look: str) -> str:
    return look.partition("+")[0].partition("/")[0]


def form(look: str) -> str:
    """A look without its owner: `/glider`, `+T` on a piece as ` +T`."""
    piece, plus, marker = look.partition("+")
    return ("piece" if piece else "") + piece[len(owner(look)):] + plus + marker


def complete(models: Sequence[Model], looks: Iterable[str]) -> list[Model]:
    """The models, and one for each look and kind of place that the seen ones tell."""
    seen = {(m.look, m.kind): m for m in models}
    out = dict(seen)
    sites = {face: kind for face, kind in ((form(m.look), bool(m.kind)) for m in models)}
    for kind in sorted({m.kind for m in models}):
        for look in looks:
            fits = look == "empty" or sites.get(form(look), bool(kind)) == bool(kind)
            if look != "empty" and fits and (look, kind) not in out:
                made = _compose(look, kind, seen)
                if made is not None:
                    out[look, kind] = made
    return list(out.values())


def _compose(look: str, kind: str, seen: Mapping[tuple[str, str], Model]) -> Model | None:
    if look.startswith("+"):
        return _bare(look, kind, seen)
    donors = [m for m in seen.values() if m.kind == kind and form(m.look) == form(look)]
    own = [m for m in seen.values() if owner(m.look) == owner(look) and "+" not in m.look]
    for donor in sorted(donors, key=lambda m: -m.count):
        plain = [m for m in seen.values() if owner(m.look) == owner(donor.look) and "+" not in m.look]
        if own and plain:
            most = max(plain, key=lambda m: m.count), max(own, key=lambda m: m.count)
            return _repainted(look, donor, *most)
    return _marked(look, kind, seen) if "+" in look else None


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


def _bare(look: str, kind: str, seen: Mapping[tuple[str, str], Model]) -> Model | None:
    """A marker on the board: a flat disc of that colour of a marked piece which the piece has not."""
    for marked in seen.values():
        piece, _, marker = marked.look.partition("+")
        plain = seen.get((piece, kind))
        if "+" + marker == look and plain is not None and marked.kind == kind:
            colour = _strange(marked, plain)
            radius = 0.85 * max(_radius_of(marked, colour), 0.5 * max(plain.radii))
            radii = (radius, *(0.0 for _ in plain.radii[1:]))
            mean, sigma = (np.repeat(v[colour][None], COLOURS, axis=0) for v in (marked.mean, marked.sigma))
            return Model(look, kind, radii, np.zeros_like(marked.colours), mean, sigma, 0.5)
    return None


def _marked(look: str, kind: str, seen: Mapping[tuple[str, str], Model]) -> Model | None:
    """A piece with a marker of which only the bare form, or one on another's piece, is known."""
    piece, _, marker = look.partition("+")
    plain, bare = seen.get((piece, kind)), seen.get(("+" + marker, kind))
    if plain is None or bare is None or plain.mask is not None:
        return None
    top = max((k for k, r in enumerate(plain.radii) if r > 0), default=0)
    head = min(top + 1, len(plain.radii) - 1)
    radii = tuple(max(bare.radii) if k == head else r for k, r in enumerate(plain.radii))
    mean, sigma, colours = plain.mean.copy(), plain.sigma.copy(), plain.colours.copy()
    spare = int(np.bincount(colours, minlength=COLOURS).argmin())
    colours[colours == spare] = int(np.bincount(colours, minlength=COLOURS).argmax())
    mean[spare], sigma[spare] = bare.mean[0], bare.sigma[0]
    colours[head * RINGS:(head + 1) * RINGS] = spare
    return Model(look, kind, radii, colours, mean, sigma, 0.5)


def _strange(marked: Model, plain: Model) -> int:
    """The colour of a marked piece that is farthest from all of the plain one."""
    away = np.linalg.norm((marked.mean[:, None] - plain.mean[None]) / SIGMA, axis=2).min(axis=1)
    return int(away.argmax())


def _radius_of(model: Model, colour: int) -> float:
    slabs = {part // RINGS for part in np.flatnonzero(model.colours == colour)}
    return max((model.radii[s] for s in slabs), default=0.0)
