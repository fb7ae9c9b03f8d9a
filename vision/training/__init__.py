"""How the network that compares places was trained: `python -m vision.training` (docs/model.md).

Nothing of it is needed to run the product; it needs the extra `train`.
"""
