"""Light: what exposure, shadows, blur and change do to a picture, and how it is undone."""
