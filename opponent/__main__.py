"""Answers questions, a line of JSON each, by choices: `python -m opponent`."""

from __future__ import annotations

import sys

from companion.wire import codec
from opponent.mind import Question
from opponent.thinker import answer, limit


def main() -> None:
    limit()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(codec.write(answer(codec.decode(line, Question))) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
