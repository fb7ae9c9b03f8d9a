"""Writes and reads the S-expressions that KiCad's files are made of.

A list is a list, a `Text` is quoted, a plain `str` is a bare word, and numbers are numbers: millimetres with
at most six decimals, as KiCad rounds to nanometres.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

Node: TypeAlias = "str | int | float | Sequence[Node]"
_TOKENS = re.compile(r'\s*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"]+))')


class Text(str):
    """A string that stands in quotes in the file."""

    __slots__ = ()


def dump(node: Node, depth: int = 0) -> str:
    """Returns the text of a node. A list in a list stands on a line of its own, after the plain values."""
    if not _is_list(node):
        return _atom(node)
    parts = list(node)  # type: ignore[arg-type]
    if not any(_is_list(part) for part in parts):
        return f"({' '.join(_atom(part) for part in parts)})"
    head = [_atom(part) for part in parts if not _is_list(part)]
    rest = [dump(part, depth + 1) for part in parts if _is_list(part)]
    indent = "\n" + "\t" * (depth + 1)
    return f"({' '.join(head)}{indent}{indent.join(rest)}\n{chr(9) * depth})"


def _is_list(node: Node) -> bool:
    return not isinstance(node, str | int | float)


def _atom(value: Node) -> str:
    if isinstance(value, Text):
        quoted = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{quoted}"'
    if isinstance(value, float):
        return f"{round(value, 6) + 0.0:.6f}".rstrip("0").rstrip(".")
    return str(value)


def load(text: str) -> list[Node]:
    """Returns the one list that a file holds. ValueError when the text is no such file."""
    stack: list[list[Node]] = [[]]
    for bracket, quoted, word in _tokens(text):
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            if len(stack) < 2:
                raise ValueError("a bracket closes that was not opened")
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word or Text(re.sub(r"\\(.)", r"\1", quoted)))
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], list):
        raise ValueError("the file does not hold exactly one list")
    return stack[0][0]


def _tokens(text: str) -> Iterator[tuple[str, str, str]]:
    position, end = 0, len(text.rstrip())
    while position < end:
        found = _TOKENS.match(text, position)
        if found is None:
            raise ValueError(f"no token at character {position}")
        position = found.end()
        yield found[1] or "", found[2] or "", found[3] or ""


def children(node: Sequence[Node], name: str) -> Iterator[list[Node]]:
    """Yields the lists in a list that begin with that word."""
    for part in node:
        if isinstance(part, list) and part and part[0] == name:
            yield part


def child(node: Sequence[Node], name: str) -> list[Node]:
    """Returns the only list in a list that begins with that word. ValueError when it is not one."""
    (found,) = children(node, name)
    return found


def number(node: Node) -> float:
    """Returns a value that was read, as a number. ValueError when it is none."""
    if not isinstance(node, str | int | float):
        raise ValueError("a list is no number")
    return float(node)
