"""How the network that compares places was trained: `python -m vision.training.places` (docs/model.md)."""
