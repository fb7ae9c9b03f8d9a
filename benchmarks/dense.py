"""Lists dense functions: eight branches or more, and at least 0.8 of them a line.

    python -m benchmarks dense [FOLDER …]

A function has one branch to begin with. Each `if`, `for`, `while`, `except` and `case` adds one, and so does
each conditional expression, each `for` and `if` of a comprehension, and each operand of `and` and `or` after
the first. Lines are lines of code: neither docstrings nor comments nor empty lines count.

Run it by hand; nothing depends on it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

BRANCHES = 8
"""Functions with fewer branches are never dense."""
PER_LINE = 0.8
"""Branches a line from which a function is dense."""
FOLDERS = (
    "companion",
    "vision",
    "firmware_bridge",
    "broker_bridge",
    "opponent",
    "hardware",
    "web",
    "hall",
    "benchmarks",
)

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
CONDITIONS = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.match_case, ast.IfExp)


class Density(NamedTuple):
    """The branches of one function, and its lines."""

    file: Path
    name: str
    branches: int
    lines: int

    @property
    def is_dense(self) -> bool:
        """Returns whether it has too many branches for its lines."""
        return self.branches >= max(BRANCHES, PER_LINE * self.lines)


def main(args: list[str]) -> int:
    """Prints the dense functions of these folders, the densest first."""
    dense, count = [], 0
    for folder in args or FOLDERS:
        for file in sorted(Path(folder).rglob("*.py")):
            functions = list(measure(file))
            count += len(functions)
            dense += [function for function in functions if function.is_dense]
    for function in sorted(dense, key=lambda f: f.branches / f.lines, reverse=True):
        place = f"{function.file}:{function.name}"
        print(f"{function.branches:3} branches in {function.lines:3} lines  {place}")
    print(f"{len(dense)} dense functions of {count}")
    return 0


def measure(file: Path) -> Iterator[Density]:
    """Yields every function of a file."""
    text = file.read_text(encoding="utf-8")
    code_lines = {
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.strip().startswith("#")
    }
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, Function):
            span = set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            lines = code_lines & span - _docstring_lines(node)
            yield Density(file, node.name, 1 + sum(map(_weight, _own_nodes(node))), len(lines))


def _docstring_lines(function: Function) -> set[int]:
    first = function.body[0]
    if ast.get_docstring(function) is None:
        return set()
    return set(range(first.lineno, (first.end_lineno or first.lineno) + 1))


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """Yields all nodes of a function, without those of functions and classes that are defined in it."""
    pending = list(ast.iter_child_nodes(function))
    while pending:
        node = pending.pop()
        if isinstance(node, Function | ast.ClassDef):
            continue
        yield node
        pending.extend(ast.iter_child_nodes(node))


def _weight(node: ast.AST) -> int:
    """Returns how many branches a node adds."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    return 1 if isinstance(node, CONDITIONS) else 0
