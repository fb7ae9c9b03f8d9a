"""Sensing: sources of sightings, and the observations that they report."""
