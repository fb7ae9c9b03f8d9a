"""Training of the network that compares places: `python -m vision.training.places` (docs/model.md)."""
