"""The referee: rules and no time. Given what the sensors say of the board, what was played?

`evidence` weighs positions against an observation, `course` against how it came about; `explain` searches the
legal actions that lead to what is seen, step by step as `expand` has them, and then the `variants` of what it
found; `guide` finds the fewest steps back to what should be there, and `judgement` joins them.
"""

from companion.referee.choice import Belief
from companion.referee.evidence import Evidence
from companion.referee.judgement import Finding, Referee

__all__ = ["Belief", "Evidence", "Finding", "Referee"]
