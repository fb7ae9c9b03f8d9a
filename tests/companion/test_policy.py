"""The policy: one table of waits and thresholds, each with its unit, its meaning and its origin."""

from dataclasses import fields
from pathlib import Path

import pytest

from companion.table.policy import POLICY, Policy

ROWS = {
    "hold": (0.35, "seconds"),
    "sightings": (2, "sightings"),
    "silence": (2.0, "seconds"),
    "lost": (4.0, "seconds"),
    "beginning": (15.0, "seconds"),
    "flicker": (3.0, "seconds"),
    "changes": (3, "changes"),
    "grace": (1.0, "seconds"),
    "slight_refusal": (2.0, "seconds"),
    "piece_in_hand": (8.0, "seconds"),
    "faint": (3.0, "seconds"),
    "ahead": (4.0, "seconds"),
    "restoring": (3.0, "seconds"),
    "doubtful_lead": (2.5, "nats"),
    "unlikely_cost": (6.0, "nats"),
    "faint_misfit": (4.0, "nats"),
    "slips": (2, "places"),
    "explains": (2, "places"),
    "many": (4, "places"),
    "takeback": (12, "plies"),
    "takeback_when_over": (2, "plies"),
    "left_alone": (60.0, "seconds"),
    "clock_kept": (10.0, "seconds"),
    "conflict": (3.0, "seconds"),
    "markers": (3.0, "seconds"),
}
DECISIONS = (Path(__file__).resolve().parents[2] / "docs" / "decisions.md").read_text(encoding="utf-8")


def test_the_table_holds_these_values() -> None:
    assert {f.name: (getattr(POLICY, f.name), f.metadata["unit"]) for f in fields(Policy)} == ROWS


@pytest.mark.parametrize("row", fields(Policy), ids=lambda row: row.name)
def test_each_row_says_its_meaning_and_origin(row) -> None:  # type: ignore[no-untyped-def]
    assert row.metadata["meaning"]
    document, _, decision = row.metadata["origin"].partition(": ")
    assert document
    assert document != "docs/decisions.md" or f"### {decision}" in DECISIONS


def test_waits_grow_with_the_doubt() -> None:
    names = ("hold", "grace", "slight_refusal", "faint", "ahead", "piece_in_hand")
    waits = [getattr(POLICY, name) for name in names]
    assert waits == sorted(set(waits))
    assert POLICY.silence < POLICY.lost
