"""The runtime beside the page: the sources of one table, and the threads that follow its snapshots."""
