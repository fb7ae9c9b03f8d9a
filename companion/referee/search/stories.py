"""Stories: the sequences of actions that the search found to explain the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.core.game import Action
from companion.referee.evidence.evidence import CAP
from companion.referee.hypotheses.paths import ahead, carried, origins_of, path_of
from companion.referee.search.expansion import Expansion
from companion.referee.search.node import Node


@dataclass(frozen=True, slots=True)
class Story:
    """Actions that lead from a root (its number) to a board that fits.

    `cost_so_far` is how unlikely the root and the actions are; the other costs are of what speaks against
    the board that they lead to (`misfit`), its move markers, the touches, and when places changed.
    """

    root: int
    actions: tuple[Action, ...]
    position: Any
    cost_so_far: float
    misfit: float
    marks: float = 0.0
    handling: float = 0.0
    """The cost of how hands touched the board."""
    ahead: float = 0.0
    """The cost of pieces that were seen where they went before they left."""

    @property
    def cost(self) -> float:
        """All that speaks against the story, in nats."""
        return self.cost_so_far + self.misfit + self.marks + self.handling + self.ahead


class Explanation(NamedTuple):
    """Stories that fit, likeliest first, each leading to another future.

    `is_exhaustive` says that none was missed for want of time or tries.
    """

    stories: list[Story]
    is_exhaustive: bool


class Stories:
    """The stories found so far: for each future the likeliest."""

    def __init__(self, expansion: Expansion) -> None:
        self._expansion = expansion
        self._found: dict[object, Story] = {}

    def __len__(self) -> int:
        return len(self._found)

    def add(self, node: Node) -> Story:
        """Adds the story that leads to a node, unless a likelier one leads to the same future."""
        story = self._story_of(node)
        _, is_unseen, _ = node.key
        future = self._expansion.rules.future(node.position), is_unseen
        known = self._found.get(future, story)
        self._found[future] = min(story, known, key=lambda s: s.cost)
        return story

    def all(self) -> list[Story]:
        """Returns all stories, in the order in which their futures were first found."""
        return list(self._found.values())

    def ranked(self) -> list[Story]:
        """Returns all stories, the likeliest first, with the costs of their detours."""
        stories = sorted(self.all(), key=lambda story: story.cost)
        return sorted((self._with_detours(story, stories) for story in stories), key=lambda s: s.cost)

    def _story_of(self, node: Node) -> Story:
        """Returns the story that leads to a node, with all that speaks against it."""
        rules, evidence = self._expansion.rules, self._expansion.evidence
        root, timeline = self._expansion.roots[node.root], evidence.timeline
        *_, stray = node.key
        moves = carried(rules, node.actions)
        handling = (
            timeline.astray(stray)
            + timeline.crossing(moves)
            + timeline.disordered(moves)
            + timeline.hanging(node.looks)
        )
        origins = origins_of(rules, node.actions)
        return Story(
            node.root,
            node.actions,
            node.position,
            node.cost_so_far,
            node.misfit,
            marks=evidence.mark_misfit(rules.marks(node.position), node.looks),
            handling=handling,
            ahead=ahead(rules, timeline, origins, root.position, node.position),
        )

    def _with_detours(self, story: Story, stories: Iterable[Story]) -> Story:
        """Returns a story with the cost of what hands did for nothing, unless they were felt doing it.

        An action is needless where a shorter story from the same root does without it, and takes no place
        for plainly misread.
        """
        shorter = (o for o in stories if o.root == story.root and o.misfit < CAP)
        needed = next((o.actions for o in shorter if _is_part(o, story)), None)
        if needed is None:
            return story
        needless = Counter(story.actions) - Counter(needed)
        detours = sum(1 for action in needless.elements() if self._is_unfelt(action))
        return replace(story, cost_so_far=story.cost_so_far + self._expansion.limits.detour * detours)

    def _is_unfelt(self, action: Action) -> bool:
        """Returns whether an action is done on the board, and nobody was felt doing it."""
        path = path_of(self._expansion.rules, action)
        touched = self._expansion.evidence.timeline.touched or frozenset()
        return bool(path) and touched.isdisjoint(path)


def _is_part(shorter: Story, story: Story) -> bool:
    """Returns whether the actions of a shorter story are among those of another, in the same order."""
    rest = iter(story.actions)
    return len(shorter.actions) < len(story.actions) and all(action in rest for action in shorter.actions)
