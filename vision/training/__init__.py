"""How the two networks of `vision/` were trained: the one that compares places, and the occlusion network
(docs/model.md).

Nothing of it is needed to run the product; it needs the extra `train`.
"""
