"""Pictures of which the truth is known: photographs, rendered scenes and random tables, as series to be read.

A series is learned from as a user would, and then read. `changes` spoils pictures as cameras, lamps and bumps
do.
"""

from pathlib import Path

SHARED = Path(__file__).resolve().parents[3] / "shared"
"""The folder of test data beside the checkout, with `photos/` and `scenes/`."""
