"""Reads the looks of pieces by solids: forms, colours and prints that were fitted to pictures of them.

Calibration learns the models (`learn_solids`); the reader of frames asks a `SolidReader`, beside the network.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.board import Board
from companion.core.game import EMPTY, Look
from vision.arrays import Image, Indices
from vision.geometry.view import View
from vision.known.example import Example
from vision.known.reference import Reference
from vision.solids.balance import balance
from vision.solids.classify import SolidsExplanation
from vision.solids.learn import fit_models
from vision.solids.model import Geometry, Model
from vision.solids.prepared_view import PreparedView
from vision.solids.sample import LevelLayout
from vision.solids.synthesis import with_unseen_looks


class SolidReader:
    """Reads the frames of one view by models."""

    def __init__(
        self, layout: LevelLayout, view: View, reference: Reference, models: Sequence[Model]
    ) -> None:
        self._view = PreparedView(layout, view, reference)
        self._explainer = self._view.explainer(models)

    def explain(self, frame: Image, places: Indices) -> SolidsExplanation:
        """Returns which looks explain a frame of the view's size; it is asked about some places."""
        return self._explainer.explain(self._view.sample(frame, self._explainer.around(places)))


def learn_solids(
    board: Board,
    layout: LevelLayout,
    view: View,
    reference: Reference,
    looks: Sequence[Look],
    examples: Sequence[Example],
) -> tuple[Model, ...]:
    """Returns the models of all looks, from pictures of the view's size; none where no picture shows a
    piece."""
    known = [{p: look for p, look in e.looks.items() if look != EMPTY} for e in examples]
    if not any(known):
        return ()
    prepared = PreparedView(layout, view, reference)
    frames = [prepared.sample(example.image) for example in examples]
    seen, markers = fit_models(frames, known)
    all_looks = with_unseen_looks(seen, markers, looks, board, layout.unit)
    geometry = Geometry.of(prepared.sampler)
    return tuple(balance(geometry, all_looks, frames, known))
