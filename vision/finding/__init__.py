"""Finding: where a board lies in a picture, and whether it still lies there."""
