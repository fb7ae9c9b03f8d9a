"""The sources: cameras, files, recorded traces, and the virtual table's camera."""
