"""How the occlusion network was trained: `python -m vision.training.occlusion` (docs/model.md)."""
