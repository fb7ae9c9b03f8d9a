"""Solutions of puzzles of placing: a model of at-most-one constraints for the CP-SAT solver.

The solver is OR-tools, an optional extra; it is loaded when it is first asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.core.game import GameError, Site
from companion.core.puzzle import Advice
from companion.games.placing.position import Position, Task


class SolverMissingError(GameError):
    """OR-tools is not installed."""


def advise(position: Position, seconds: float) -> Advice:
    """Advises the next piece of a solution that keeps all pieces; else which piece to take away first."""
    if position.solved:
        return Advice(True, None, "Solved.")
    piece = position.task.piece.name
    status, solution = complete(position.task, position.placed, seconds / 2)
    if solution is None and status != "INFEASIBLE":
        return Advice(None, None, "No solution was found in this time, and no proof that there is none.")
    if solution == position.placed:
        return Advice(None, None, f"No further {piece} fits.")
    if solution is not None:
        site = min(solution - position.placed)
        return Advice(True, f"+{site}", f"Put a {piece} on {site}.")
    return _advise_taking_away(position, seconds)


def _advise_taking_away(position: Position, seconds: float) -> Advice:
    words = "This can no longer be solved"
    kept = most_kept(position.task, position.placed, seconds / 2)
    if kept is None:
        return Advice(False, None, f"{words}.")
    site = min(position.placed - kept)
    return Advice(False, f"-{site}", f"{words}: take away the {position.task.piece.name} on {site}.")


def complete(task: Task, placed: frozenset[Site], seconds: float) -> tuple[str, frozenset[Site] | None]:
    """Returns the solver's verdict and a solution that keeps these pieces, or None (`INFEASIBLE`, `UNKNOWN`).

    Where the best is not known, it is the best found: most pieces, then fewest claims left over.
    """
    model, chosen = _model(task)
    for site in placed:
        model.add(chosen[site] == 1)
    if task.pieces is None:
        model.maximize(_score(task, chosen))
    return _run(model, chosen, seconds)


def most_kept(task: Task, placed: frozenset[Site], seconds: float) -> frozenset[Site] | None:
    """Returns the solution that keeps most of these pieces; None when none was found."""
    model, chosen = _model(task)
    model.maximize(sum(chosen[site] for site in placed))
    return _run(model, chosen, seconds)[1]


def best(task: Task, seconds: float) -> tuple[int, int] | None:
    """Returns the most pieces that fit, and the fewest claims left over; None if not proved in time."""
    free = replace(task, pieces=None, unclaimed=None)
    status, solution = complete(free, frozenset(), seconds)
    if status != "OPTIMAL" or solution is None:
        return None
    return len(solution), len(task.all_claims) - sum(len(task.claims[site]) for site in solution)


def solutions(task: Task) -> list[frozenset[Site]]:
    """Returns every solution, in no particular order."""
    cp_model = _library()
    model, chosen = _model(task)
    found: list[frozenset[Site]] = []

    class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[name-defined,misc]
        def on_solution_callback(self) -> None:
            found.append(frozenset(site for site, variable in chosen.items() if self.value(variable)))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, Collector())
    return found


def _library() -> Any:
    try:
        from ortools.sat.python import cp_model
    except ModuleNotFoundError as error:
        raise SolverMissingError(
            "hints need the library 'ortools': pip install 'board-companion[puzzles]'"
        ) from error
    return cp_model


def _model(task: Task) -> tuple[Any, dict[Site, Any]]:
    model = _library().CpModel()
    chosen = {site: model.new_bool_var(site) for site in task.claims}
    claimants: dict[str, list[Site]] = {}
    for site, claims in task.claims.items():
        for claim in claims:
            claimants.setdefault(claim, []).append(site)
    for sites in claimants.values():
        model.add_at_most_one(chosen[s] for s in sites)
    if task.pieces is not None:
        model.add(sum(chosen.values()) == task.pieces)
    if task.unclaimed is not None:
        claimed = sum(len(claims) * chosen[s] for s, claims in task.claims.items())
        model.add(claimed == len(claimants) - task.unclaimed)
    if task.full:
        for claims in task.claims.values():
            model.add_bool_or(chosen[s] for claim in claims for s in claimants[claim])
    return model, chosen


def _score(task: Task, chosen: dict[Site, Any]) -> Any:
    """Returns a score in which one more piece outweighs all claims."""
    weight = len(task.all_claims) + 1
    return sum((weight + len(claims)) * chosen[site] for site, claims in task.claims.items())


def _run(model: Any, chosen: dict[Site, Any], seconds: float) -> tuple[str, frozenset[Site] | None]:
    solver = _library().CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1  # one answer for one question, whatever the machine
    status = solver.status_name(solver.solve(model))
    if status not in ("OPTIMAL", "FEASIBLE"):
        return status, None
    return status, frozenset(s for s, variable in chosen.items() if solver.value(variable))
