"""The referee: rules and no clock. Given what the sensors report of a board, what was played?

An observation comes in together with what is believed so far; a finding comes out: played, taken back, not
allowed, or not clear yet. The rooms build on one another in this order:

- `evidence` says how badly a board, and a way in which it came about, fits what was seen and felt;
- `hypotheses` holds what may have happened: the accepted session, its rivals, and questions among them;
- `search` finds the legal actions that lead to the board, the likeliest first;
- `verdict` joins them: it compares what was played, taken back or misread, and names an offence.
"""

from companion.referee.evidence.evidence import Evidence
from companion.referee.hypotheses.belief import Belief
from companion.referee.verdict.finding import Finding
from companion.referee.verdict.referee import Referee

__all__ = ["Belief", "Evidence", "Finding", "Referee"]
