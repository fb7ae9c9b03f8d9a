"""The virtual table: the things that lie on it, and the pictures that its camera takes of them."""
