"""Companions in processes of their own, browsers and displays at their pages, and what processes use."""
