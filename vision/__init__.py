"""Vision: reads from a camera's frames what stands on each place of a board, and whether a hand is there."""

import os

# The products of matrices here are small: threads for them cost more than they give, and take the cores
# that cameras, rules and page need. Has an effect only before numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
