"""What makes a release: workshop code, used in a checkout and in no wheel. `python -m release --help`."""
