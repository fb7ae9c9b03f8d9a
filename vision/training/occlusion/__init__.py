"""Training of the occlusion network: `python -m vision.training.occlusion` (docs/model.md)."""
