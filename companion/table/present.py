"""A snapshot as one viewer may see it: the only door through which the state of a table leaves.

`present` gives plain data for JSON. A viewer is a player's name, `arbiter`, or None for a spectator; all
that it says is made from what `session.seen_by` gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from companion import tutorials
from companion.core.game import EMPTY, Asked, Breach, Event, Look, Outcome, Place, Player
from companion.core.players import named, say_player
from companion.core.puzzle import Puzzle
from companion.core.rules import Rules
from companion.language import say, sentences
from companion.record.clock import write_controls
from companion.record.review import numbers, say_correction, written
from companion.record.session import ARBITER, GIVEN_UP, Ply, Session
from companion.referee.hypotheses.choices import Choice
from companion.referee.verdict.beginning import what_is_left
from companion.referee.verdict.guide import GuideStep
from companion.rulebook import rule
from companion.table.snapshot import Happening, Snapshot, SourceStatus, Verdict

SPOKEN = {"claim", "notice", "outcome", "prompt", "last", "moves", "offer", "question", "sources", "verdict"}
"""The parts of a state whose sentences name players."""
ENDINGS = ("won", "drawn", "solved")
"""The kinds of events that tell how a game ended."""


def present(snapshot: Snapshot, viewer: str | None = None, has_moves: bool = True) -> dict[str, Any]:
    """Returns all that a viewer is shown at this moment; without `has_moves` not the list of moves, which
    grows with the game."""
    state = _present(snapshot, viewer, has_moves)
    names = names_of(snapshot)
    return {key: named(value, names) if key in SPOKEN else value for key, value in state.items()}


def names_of(snapshot: Snapshot) -> dict[Player, str]:
    """Returns the names that are known of the players at the table."""
    session = snapshot.session
    players = session.players if session else ()
    return {player: name for player in players if (name := snapshot.head.get(player))}


def _present(snapshot: Snapshot, viewer: str | None, has_moves: bool) -> dict[str, Any]:
    session = snapshot.session
    common = {
        "sources": [{"name": s.name, "state": s.state, "words": s.words} for s in _sources(snapshot)],
        "notice": snapshot.notice,
        "clock": _clock(snapshot),
        "proposal": _proposal(snapshot),
    }
    if session is None:
        return {"state": "empty", "game": None, **common}
    moves = {"moves": _moves(session, viewer)} if has_moves else {}
    return {**common, **_present_session(snapshot, session, viewer), **moves}


def _proposal(snapshot: Snapshot) -> dict[str, Any] | None:
    """Returns the game that a round has for this table: who plays, what, and in which round."""
    proposal = snapshot.proposal
    if proposal is None:
        return None
    head = proposal.head
    return {
        "title": proposal.title,
        "players": [head.get(player) or say_player(player) for player in proposal.players],
        **{name: head.get(name, "") for name in ("event", "round", "clock")},
    }


def _sources(snapshot: Snapshot) -> tuple[SourceStatus, ...]:
    """Returns how the sources are. A store that fails, or was damaged, is shown as one of them, and so is the
    companion itself."""
    own = {"recording": snapshot.store_trouble or snapshot.store_warning, "companion": snapshot.fault}
    troubles = (SourceStatus(name, "trouble", words) for name, words in own.items() if words)
    return (*snapshot.sources, *troubles)


def _present_session(snapshot: Snapshot, session: Session, viewer: str | None) -> dict[str, Any]:
    rules = session.rules
    position = session.seen_by(viewer, session.position)
    outcome = session.outcome
    return {
        "state": _state(snapshot, session),
        "number": snapshot.number,
        "plies": len(session.plies),
        "head": dict(snapshot.head),
        "game": _game(session, position),
        "turn": position.turn,
        "to_act": position.to_act,
        "playing": list(rules.playing(session.position)),
        "prompt": "" if outcome else rules.prompt(position),
        **present_position(session, position),
        "seen": _differing(snapshot.seen, rules.look(position)),
        "last": present_ply(session, len(session.plies), viewer) if session.plies else None,
        "verdict": present_verdict(session, snapshot.verdict) if snapshot.verdict else None,
        "question": _question(snapshot, session, viewer),
        "teller": asdict(snapshot.teller) if snapshot.teller else None,
        "offer": _offer(session),
        "claim": "" if outcome else rules.claim(session.position),
        "set_up": snapshot.is_set_up,
        "can_undo": _can_undo(session),
        "can_redo": bool(session.undone) and not session.is_told,
        "ruled": session.ruled is not None,
        "counts": [
            {"name": c.name, "values": dict(c.values), "total": c.total} for c in rules.counts(position)
        ],
        "outcome": outcome and present_outcome(outcome),
        "legal": _legal(session, viewer),
    }


def present_game(session: Session, head: Mapping[str, str], number: int) -> dict[str, Any]:
    """Returns a game as everybody may know it now: its head, its moves and how it ended.

    What players had left after their moves is told where nobody has secrets, or when the game is over.
    """
    rules, outcome, position = session.rules, session.outcome, session.public_position
    tells_clock = session.is_public or type(rules).view is Rules.view
    names = {player: name for player in session.players if (name := head.get(player))}
    moves = [
        {**move, "clock": ply.entry.clock if tells_clock else None}
        for move, ply in zip(_moves(session, None), session.plies, strict=True)
    ]
    return {
        "number": number,
        "game": session.game.head,
        "name": rules.name,
        "title": rules.title,
        "head": dict(head),
        "players": list(session.players),
        "turn": position.turn,
        "moves": named(moves, names),
        "pieces": dict(rules.pieces(position)),
        "fen": rules.write_position(position),
        "outcome": named(present_outcome(outcome), names) if outcome else None,
    }


def _can_undo(session: Session) -> bool:
    """Tells whether the last action, or a result without one, can be taken back."""
    if session.is_told:
        return False
    last = session.plies[-1] if session.plies else None
    return session.ruled is not None or (last is not None and not session.has_revealed(last))


def present_position(session: Session, position: Any) -> dict[str, Any]:
    """Returns what of a position is drawn. It is one of the session's, or what a viewer may know of it."""
    rules = session.rules
    return {
        "pieces": dict(rules.pieces(position)),
        "checked": list(rules.checked(position)),
        "gone": list(rules.gone(session.first, position)),
        "fen": rules.write_position(position),
    }


def present_past(session: Session, n: int, viewer: str | None) -> dict[str, Any]:
    """Returns the board after n plies, as a viewer may know it while the game goes on, and the nth ply."""
    shown = session.seen_by(viewer, session.positions()[n])
    last = {**present_ply(session, n, viewer), "round": numbers(session)[n - 1]} if n else None
    return {"n": n, "last": last, **present_position(session, shown)}


def present_ply(session: Session, n: int, viewer: str | None) -> dict[str, Any]:
    """Returns ply n of a session (from 1): the action, in words, and where it is known from."""
    ply = session.plies[n - 1]
    shown = _shown_action(session, ply, viewer)
    return {
        "n": n,
        "action": shown,
        "written": _written(session, n, shown),
        "player": ply.player,
        "sites": _sites(session, ply, shown),
        "words": ply_words(session, ply),
        "tells_end": any(event.kind in ENDINGS for event in ply.events),
        "source": ply.entry.source,
        "certainty": round(ply.entry.certainty, 4) if _knows(session, viewer) else None,
    }


def _sites(session: Session, ply: Ply, shown: str) -> list[Place]:
    """Returns the places that an action names, and those between which it moved a piece unnamed."""
    if ply.entry.kind == "correction":
        return []
    return _with_moved(session.rules.path(shown), ply)


def _with_moved(path: Sequence[Place], ply: Ply) -> list[Place]:
    moved = (place for event in ply.events if event.kind == "moved" for place in event.sites)
    return list(dict.fromkeys((*path, *moved)))


def ply_words(session: Session, ply: Ply) -> list[str]:
    """Says what a ply did: a sentence for each consequence."""
    if ply.entry.kind == "correction":
        return [say("The arbiter corrects the position.")]
    return event_words(session, ply.events)


def event_words(session: Session, events: Iterable[Event]) -> list[str]:
    return [session.tell(event) for event in events]


def present_verdict(session: Session, verdict: Verdict) -> dict[str, Any]:
    """Returns why play waits: the rules broken, in words, and the steps that put the board right."""
    return {
        "kind": verdict.kind,
        "action": verdict.action or None,
        "written": _attempt(session, verdict),
        "words": session.game.board.called(verdict_words(session, verdict)),
        "breaks": [present_breach(b) for b in verdict.breaches],
        "steps": [_step(s) for s in verdict.steps],
    }


def verdict_words(session: Session, verdict: Verdict) -> str:
    """Says why play waits, as it is spoken: what is wrong here, with the numbers of the rules."""
    if verdict.kind != "refused":
        return verdict.words
    reasons = (say("{rule}: {words}", rule=b.rule, words=breach_words(b)) for b in verdict.breaches)
    return sentences(_not_allowed(session, verdict), *reasons)


def _not_allowed(session: Session, verdict: Verdict) -> str:
    if not verdict.action:
        return say("That is not allowed.")
    attempt = _attempt(session, verdict)
    if not verdict.after:
        return say("{action} is not allowed.", action=attempt)
    return say(
        "After {before}, {action} is not allowed.",
        before=" ".join(session.write(*verdict.after)),
        action=attempt,
    )


def _attempt(session: Session, verdict: Verdict) -> str:
    """Returns what a verdict is about as players write it, where it was done; '' for no action."""
    return session.write(*verdict.after, verdict.action)[-1] if verdict.action else ""


def breach_words(breach: Breach) -> str:
    """Says what is wrong here; the rule itself where a game does not say it."""
    return breach.words or rule(breach.rule).text


def present_breach(breach: Breach) -> dict[str, Any]:
    """Returns a broken rule: what is wrong `here`, and the `text` of the rule."""
    found = rule(breach.rule)
    return {
        "rule": breach.rule,
        "title": found.title,
        "here": breach_words(breach),
        "text": found.text,
        "sites": list(breach.sites),
    }


def present_happening(happening: Happening, session: Session | None) -> dict[str, Any]:
    """Returns a happening as `companion watch` prints it."""
    data = dict(happening.data)
    if happening.kind == "action":
        ply: Ply = data["ply"]  # type: ignore[assignment]
        told = {
            "action": ply.action,
            "player": ply.player,
            "words": event_words(session, ply.events) if session else [],
            "source": ply.entry.source,
            "certainty": round(ply.entry.certainty, 4),
        }
        return {"event": "action", **told, **({"settled": "likeliest"} if data["marked"] else {})}
    if happening.kind == "refused":
        finding: Any = data["finding"]
        breaks = [present_breach(b) for b in finding.breaches]
        steps = [s.words for s in finding.steps]
        what = {"action": data["action"] or None, "breaks": breaks, "steps": steps}
        return {"event": "refused", **what, **({"after": list(finding.after)} if finding.after else {})}
    if happening.kind == "begun":
        started: Any = data["finding"]
        actions = [beginning.action for beginning in started.begun]
        left = [step.words for step in what_is_left(started.begun)]
        return {"event": "begun", "actions": actions, "words": started.words, "left": left}
    if happening.kind == "setup":
        verdict: Any = data["verdict"]
        return {"event": "setup", "words": verdict.words, "steps": [s.words for s in verdict.steps]}
    if happening.kind == "ask":
        choices: Any = data["choices"]
        return {"event": "ask", "choices": [" ".join(c) for c in choices]}
    return {"event": happening.kind, **data}


def _clock(snapshot: Snapshot) -> dict[str, Any] | None:
    """Returns the time that each player had left at the snapshot, and whose clock runs on from there."""
    clock = snapshot.clock
    if clock is None:
        return None
    return {
        "control": write_controls(clock.controls),
        "left": {player: round(left, 1) for player, left in clock.left.items()},
        "runs": clock.runs or None,
        "since": clock.since,
        "paused": clock.paused,
        "held": clock.held,
        "flags": list(clock.flags),
        "byo_yomi": {
            player: {"periods": control.periods, "seconds": control.bonus}
            for player, control in clock.controls.items()
            if control.periods
        },
        "delay": round(clock.free(clock.runs), 1) if clock.runs else 0,
    }


def _differing(seen: Mapping[Place, Look], looks: Mapping[Place, Look]) -> dict[Place, Look]:
    """Returns the places where the board was seen otherwise than the game has it: none of an unseen board."""
    places = sorted({*seen, *looks}) if seen else []
    return {p: seen.get(p, EMPTY) for p in places if seen.get(p, EMPTY) != looks.get(p, EMPTY)}


def _state(snapshot: Snapshot, session: Session) -> str:
    if session.outcome:
        return "over"
    return "setup" if snapshot.verdict and snapshot.verdict.kind == "setup" else "playing"


def _game(session: Session, position: Any) -> dict[str, Any]:
    game = session.game
    return {
        "name": game.rules.name,
        "title": game.rules.title,
        "board": game.board.name,
        "options": dict(game.options),
        "head": game.head,
        "players": list(session.players),
        "palette": list(game.rules.palette(position)),
        "notations": [notation.name for notation in game.rules.notations],
        "hints": isinstance(game.rules, Puzzle),
        "tutorial": game.rules.name in tutorials.known(),
        "goal": _goal(game.rules.name),
        "kinds": [[spelling, say(kind)] for spelling, kind in game.rules.action_kinds.items()],
    }


def _goal(game: str) -> str:
    """Says what a game is about; '' where no tutorial tells."""
    return tutorials.tutorial(game).goal if game in tutorials.known() else ""


def _shown_action(session: Session, ply: Ply, viewer: str | None) -> str:
    if ply.entry.kind == "correction":
        return say_correction(ply.entry)
    return session.rules.show(ply.action, ply.player, viewer, session.is_public)


def _written(session: Session, n: int, shown: str) -> str:
    """Returns ply n as players write it; what is shown of it where that is not the whole action.

    An action that fills in a form is a row of letters, or hidden: it is called by its kind, 'set up'. One
    that names no place is a word of the spelling: it is said as a button names it.
    """
    ply = session.plies[n - 1]
    before = session.plies[n - 2].after if n > 1 else session.first
    if ply.entry.kind == "action" and session.rules.form(before):
        return session.rules.kind(ply.action)
    if shown != ply.action:
        return shown
    if ply.entry.kind == "action" and ply.written == ply.action and not session.rules.path(ply.action):
        kind, label = session.rules.kind(ply.action), session.rules.label(ply.action)
        return label if label == kind or not kind else say("{kind}: {label}", kind=kind, label=label)
    return written(ply)


def _moves(session: Session, viewer: str | None) -> list[dict[str, Any]]:
    """Returns all plies in a line each, with the numbers of their rounds."""
    plies = zip(session.plies, numbers(session), strict=True)
    return [_move(session, n, ply, number, viewer) for n, (ply, number) in enumerate(plies, 1)]


def _move(session: Session, n: int, ply: Ply, number: int, viewer: str | None) -> dict[str, Any]:
    shown = _shown_action(session, ply, viewer)
    return {
        "n": n,
        "round": number,
        "player": ply.player,
        "action": shown,
        "written": _written(session, n, shown),
        "words": sentences(*ply_words(session, ply)),
    }


def _question(snapshot: Snapshot, session: Session, viewer: str | None) -> dict[str, Any] | None:
    question = snapshot.question_to(viewer) if viewer else None
    if question is None and _knows(session, viewer):
        question = snapshot.question
    if question is None:
        return None
    rules, asked = session.rules, _asked(session, question.choices)
    choices = [
        {
            "action": " ".join(choice),
            "words": words,
            "sites": [place for action in choice for place in rules.path(action)],
        }
        for choice, words in zip(question.choices, asked.choices, strict=True)
    ]
    first = _parting(session, question.choices)
    parts = [
        {
            "words": words,
            "sites": _with_moved(rules.path(session.plies[first + n].action), session.plies[first + n]),
            "choices": [
                i for i, choice in enumerate(question.choices) if choice[n] != question.choices[0][n]
            ],
        }
        for n, words in asked.parts
    ]
    return {"id": question.id, "by": question.by, "words": asked.words, "choices": choices, "parts": parts}


def _asked(session: Session, choices: Sequence[Choice]) -> Asked:
    """Returns the question in words, as the game asks it; else which of the actions it was."""
    position, choices = session.positions()[_parting(session, choices)], _without_shared_end(choices)
    asked = session.rules.ask(position, choices)
    return asked or Asked(
        say("Which of these was it?"), tuple(_choice(session.rules, position, c) for c in choices)
    )


def _without_shared_end(choices: Sequence[Choice]) -> Sequence[Choice]:
    """Returns the choices without the actions with which all of them end, but with one each at least."""
    while all(len(choice) > 1 for choice in choices) and len({choice[-1] for choice in choices}) == 1:
        choices = [choice[:-1] for choice in choices]
    return choices


def _choice(rules: Rules[Any], position: Any, choice: Choice) -> str:
    if not choice:
        return say("nothing was played")
    words, *further = _labels(rules, position, choice)
    for label in further:
        words = say("{before}, then {action}", before=words, action=label)
    return words


def _labels(rules: Rules[Any], position: Any, choice: Choice) -> Iterator[str]:
    """Yields the actions of a choice as a button names them: in notation where they have no words."""
    for action in choice:
        label, is_legal = rules.label(action), not rules.judge(position, action)
        yield rules.write(position, action) if label == action and is_legal else label
        position = rules.play(position, action).position if is_legal else position


def _parting(session: Session, choices: Sequence[Choice]) -> int:
    """Returns after how many plies the choices part: before the last of them that was accepted."""
    actions = session.actions
    for n in reversed(range(len(actions))):
        if any(choice and actions[n : n + len(choice)] == choice[: len(actions) - n] for choice in choices):
            return n
    return len(actions)


def _knows(session: Session, viewer: str | None) -> bool:
    """Returns whether this viewer may know all. Doubts would give hidden things away to others."""
    return bool(session.seen_by(viewer, session.position) == session.position)


def _offer(session: Session) -> dict[str, Any] | None:
    """Returns the draw that is offered, and who has accepted it already where not all have."""
    if not session.offer:
        return None
    agreed = {"agreed": list(session.agreed)} if session.agreed else {}
    return {"kind": "draw", "by": session.offer, **agreed}


def _step(step: GuideStep) -> dict[str, Any]:
    return {"from": step.start, "to": step.end, "look": step.look, "words": step.words}


def _legal(session: Session, viewer: str | None) -> list[dict[str, Any]]:
    rules, position = session.rules, session.seen_by(viewer, session.position)
    if session.outcome or viewer not in (ARBITER, position.to_act):
        return []
    actions = []
    for action in rules.legal(position):
        path, label = list(rules.path(action)), session.game.board.called(rules.label(action))
        entry: dict[str, Any] = {"action": action, "path": path, "label": label}
        if "?" in action and (form := rules.form(position)):
            entry["form"] = {"sites": list(form.sites), "stock": [_stock(*piece) for piece in form.stock]}
        actions.append(entry)
    return actions


def _stock(letter: str, words: str, look: Look, number: int) -> dict[str, Any]:
    return {"letter": letter, "words": words, "look": look, "number": number}


def present_outcome(outcome: Outcome) -> dict[str, Any]:
    return {"winner": outcome.winner, "reason": outcome.reason, "words": outcome_words(outcome)}


def outcome_words(outcome: Outcome) -> str:
    """Says how a game ended, in a sentence."""
    if outcome.reason == GIVEN_UP:
        return say("Given up.")
    if outcome.winner is None:
        return say("Drawn: {reason}.", reason=outcome.reason)
    if outcome.reason == "solved":
        return say("Solved.")
    return say("{player} wins: {reason}.", player=say_player(outcome.winner), reason=outcome.reason)
