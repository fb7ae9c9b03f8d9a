"""The best score of a puzzle of placing, proved: a model of at-most-one constraints for the CP-SAT solver.

The solver is OR-tools, an optional extra, for who changes a board; it is loaded when it is first asked. Hints
need none of it.
"""

from __future__ import annotations

from typing import Any

from companion.core.game import GameError
from companion.games.placing.position import Task


class SolverMissingError(GameError):
    """OR-tools is not installed."""


def best(task: Task, seconds: float) -> tuple[int, int] | None:
    """Returns the most pieces that fit, and the fewest claims left over; None if not proved in time."""
    cp_model = _library()
    model = cp_model.CpModel()
    chosen = {site: model.new_bool_var(site) for site in task.claims}
    for claim in task.all_claims:
        model.add_at_most_one(chosen[site] for site, claims in task.claims.items() if claim in claims)
    weight = len(task.all_claims) + 1  # one more piece outweighs all claims
    model.maximize(sum((weight + len(claims)) * chosen[site] for site, claims in task.claims.items()))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1  # one answer for one question, whatever the machine
    if solver.status_name(solver.solve(model)) != "OPTIMAL":
        return None
    solution = [site for site, variable in chosen.items() if solver.value(variable)]
    return len(solution), len(task.all_claims) - sum(len(task.claims[site]) for site in solution)


def _library() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ModuleNotFoundError as error:
        raise SolverMissingError(
            "this proof needs the library 'ortools': pip install 'board-companion[puzzles]'"
        ) from error
    return cp_model
