"""What a person enters, as a line of the game's log."""

from __future__ import annotations

from companion import messages as m
from companion.session import ARBITER, Entry, Session, write_looks


def entry_of(message: m.Message, session: Session) -> Entry:
    """The log's line for what a person entered. A correction keeps what no camera sees."""
    match message:
        case m.Submit(action, by, source):
            return Entry("action", session.rules.read(session.position, action), by, source)
        case m.TakeBack(count, by):
            return Entry("takeback", str(count), by, "tablet")
        case m.Redo(by):
            return Entry("redo", "", by, "tablet")
        case m.Resign(by):
            return Entry("resign", "", by, "tablet")
        case m.OfferDraw(by):
            return Entry("offer", "", by, "tablet")
        case m.AcceptDraw(by):
            return Entry("accept", "", by, "tablet")
        case m.DeclineDraw(by):
            return Entry("decline", "", by, "tablet")
        case m.RuleResult(winner):
            return Entry("result", winner, ARBITER, "tablet")
        case m.Correct(looks=looks, turn=turn):
            before = session.rules.pieces(session.position)
            return Entry("correction", write_looks(turn, looks, before), ARBITER, "tablet")
    raise TypeError(message)
