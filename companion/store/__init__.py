"""The store: the games on disk, and the words for a disk that takes no more."""
