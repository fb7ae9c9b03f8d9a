"""Fuzzers: a module for each part of the product that takes something in from outside.

`campaign` makes inputs and counts what comes of them, `mutation` changes valid inputs, `reduction` makes a
failing one small, and `resources` limits and measures time and memory.
"""
