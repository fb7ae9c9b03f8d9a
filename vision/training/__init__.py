"""Training of the two networks of `vision/`: the one that compares places, and the occlusion network
(docs/model.md).

Nothing here is needed to run the product. It needs the extra `train`.
"""
