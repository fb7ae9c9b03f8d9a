"""The store: the games on disk, their pictures, and the words for a disk that takes no more."""
