"""Light: what exposure, blur and change do to a picture, and how it is undone."""
