"""A snapshot as one viewer may see it: the only door through which the state of a table leaves.

`present` gives the state of a table as the wire has it. A viewer is a player's name, `arbiter`, or None for
a spectator; all that it says is made from what `session.seen_by` gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Literal

from msgspec import UNSET

from companion import tutorials
from companion.core.game import EMPTY, Action, Asked, Breach, Event, Look, Outcome, Place, Player
from companion.core.players import named, say_player
from companion.core.puzzle import Puzzle
from companion.core.rules import Rules
from companion.language import say, sentences
from companion.record.clock import write_controls
from companion.record.opponents import PRACTICE, opponents_in, others_in, seats_elsewhere
from companion.record.review import numbers, say_correction, written
from companion.record.session import ARBITER, GIVEN_UP, Ply, Session
from companion.record.task import TASK, may_take_back, progress, task_in
from companion.referee import Finding
from companion.referee.hypotheses.choices import Choice
from companion.referee.verdict.beginning import what_is_left
from companion.rulebook import rule
from companion.table.refusals import is_begun
from companion.table.snapshot import Happening, PlayedAction, Snapshot, Verdict
from companion.wire import events
from companion.wire import state as wire

ENDINGS = ("won", "drawn", "solved")
"""The kinds of events that tell how a game ended."""


def present(snapshot: Snapshot, viewer: str | None = None, has_moves: bool = True) -> wire.TableState:
    """Returns all that a viewer is shown at this moment; without `has_moves` not the list of moves, which
    grows with the game."""
    shown = named(_present(snapshot, viewer, has_moves), names_of(snapshot))
    return replace(shown, proposal=_proposal(snapshot))  # others than those at the table play it


def names_of(snapshot: Snapshot) -> dict[Player, str]:
    """Returns the names that are known of the players at the table."""
    session = snapshot.session
    players = session.players if session else ()
    return {player: name for player in players if (name := snapshot.head.get(player))}


def _present(snapshot: Snapshot, viewer: str | None, has_moves: bool) -> wire.TableState:
    session, sources = snapshot.session, _sources(snapshot)
    clock = _clock(snapshot)
    if session is None:
        return wire.EmptyState(sources=sources, notice=snapshot.notice, clock=clock, proposal=None)
    rules, outcome = session.rules, session.outcome
    position = session.seen_by(viewer, session.position)
    task = task_in(snapshot.head)
    puzzle: Literal["", "open", "solved"] = ""
    if task:
        puzzle = "solved" if progress(task, session) == "solved" else "open"
    return wire.GameState(
        state=_state(snapshot, session),
        sources=sources,
        notice=snapshot.notice,
        clock=clock,
        proposal=None,
        number=snapshot.number,
        plies=len(session.plies),
        head=_shown_head(snapshot.head),
        game=_game(session, position, snapshot.head),
        turn=position.turn,
        to_act=position.to_act,
        playing=tuple(rules.playing(session.position)),
        prompt="" if outcome else rules.prompt(position),
        **vars(present_position(session, position)),
        seen=_differing(snapshot.seen, rules.look(position)),
        last=present_ply(session, len(session.plies), viewer) if session.plies else None,
        verdict=present_verdict(session, snapshot.verdict) if snapshot.verdict else None,
        question=_question(snapshot, session, viewer),
        teller=snapshot.teller,
        offer=wire.Offer(session.offer, session.agreed or UNSET) if session.offer else None,
        claim="" if outcome else rules.claim(session.position),
        set_up=snapshot.is_set_up,
        may_be_turned=snapshot.may_be_turned,
        companion=_levels(snapshot.head),
        puzzle=puzzle,
        can_undo=is_begun(snapshot, session) or (_can_undo(session) and may_take_back(task, session)),
        can_redo=bool(session.undone) and not outcome,
        ruled=session.ruled is not None,
        counts=tuple(rules.counts(position)),
        outcome=present_outcome(outcome) if outcome else None,
        legal=_legal(snapshot, session, viewer),
        moves=_moves(session, viewer) if has_moves else (),
    )


def _shown_head(head: Mapping[str, str]) -> dict[str, str]:
    """Returns a head without the solution of a puzzle."""
    return {key: value for key, value in head.items() if key != TASK}


def _levels(head: Mapping[str, str]) -> dict[Player, int]:
    """Returns at which level the companion plays its seats; 0 for those at another table."""
    own = {seat: opponent.level for seat, opponent in opponents_in(head).items()}
    return {**own, **dict.fromkeys(seats_elsewhere(head), 0)}


def _proposal(snapshot: Snapshot) -> wire.Proposal | None:
    """Returns the game that a round has for this table: who plays, what, and in which round."""
    proposal = snapshot.proposal
    if proposal is None:
        return None
    head = proposal.head
    players = tuple(head.get(player) or say_player(player) for player in proposal.players)
    return wire.Proposal(
        proposal.title, players, head.get("event", ""), head.get("round", ""), head.get("clock", "")
    )


def _sources(snapshot: Snapshot) -> tuple[wire.SourceStatus, ...]:
    """Returns how the sources are. A store that fails, or was damaged, is shown as one of them, and so is the
    companion itself."""
    own = {"recording": snapshot.store_trouble or snapshot.store_warning, "companion": snapshot.fault}
    troubles = (wire.SourceStatus(name, "trouble", words) for name, words in own.items() if words)
    return (*snapshot.sources, *troubles)


def present_game(session: Session, head: Mapping[str, str], number: int) -> wire.Feed:
    """Returns a game as everybody may know it now: its head, its moves and how it ended.

    What players had left after their moves is told where nobody has secrets, or when the game is over.
    """
    rules, outcome, position = session.rules, session.outcome, session.public_position
    tells_clock = session.is_public or type(rules).view is Rules.view
    moves = zip(_moves(session, None), session.plies, strict=True)
    feed = wire.Feed(
        number=number,
        game=session.game.head,
        name=rules.name,
        title=rules.title,
        head=_shown_head(head),
        players=tuple(session.players),
        turn=position.turn,
        moves=tuple(
            wire.FeedMove(**vars(move), clock=ply.entry.clock if tells_clock else None) for move, ply in moves
        ),
        pieces=dict(rules.pieces(position)),
        fen=rules.write_position(position),
        outcome=present_outcome(outcome) if outcome else None,
    )
    return named(feed, {player: name for player in session.players if (name := head.get(player))})


def _can_undo(session: Session) -> bool:
    """Tells whether the last action, or a result without one, can be taken back."""
    if session.is_told:
        return False
    last = session.plies[-1] if session.plies else None
    return session.ruled is not None or (last is not None and not session.has_revealed(last))


def present_position(session: Session, position: Any) -> wire.PagePosition:
    """Returns what of a position is drawn. It is one of the session's, or what a viewer may know of it."""
    rules = session.rules
    return wire.PagePosition(
        pieces=dict(rules.pieces(position)),
        checked=tuple(rules.checked(position)),
        gone=tuple(rules.gone(session.first, position)),
        fen=rules.write_position(position),
    )


def present_past(snapshot: Snapshot, session: Session, n: int, viewer: str | None) -> wire.PastPosition:
    """Returns the board after n plies, as a viewer may know it while the game goes on, and the nth ply."""
    shown = session.seen_by(viewer, session.positions()[n])
    last = wire.PastPly(**vars(present_ply(session, n, viewer)), round=numbers(session)[n - 1]) if n else None
    past = wire.PastPosition(n=n, number=snapshot.number, last=last, **vars(present_position(session, shown)))
    return named(past, names_of(snapshot))


def present_ply(session: Session, n: int, viewer: str | None) -> wire.Ply:
    """Returns ply n of a session (from 1): the action, in words, and where it is known from."""
    ply = session.plies[n - 1]
    shown = _shown_action(session, ply, viewer)
    return wire.Ply(
        n=n,
        action=shown,
        written=_written(session, n, shown),
        player=ply.player,
        sites=_sites(session, ply, shown),
        words=ply_words(session, ply),
        tells_end=any(event.kind in ENDINGS for event in ply.events),
        source=ply.entry.source,
        certainty=round(ply.entry.certainty, 4) if _knows(session, viewer) else None,
    )


def _sites(session: Session, ply: Ply, shown: str) -> tuple[Place, ...]:
    """Returns the places that an action names, and those between which it moved a piece unnamed."""
    if ply.entry.kind == "correction":
        return ()
    return _with_moved(session.rules.path(shown), ply)


def _with_moved(path: Sequence[Place], ply: Ply) -> tuple[Place, ...]:
    moved = (place for event in ply.events if event.kind == "moved" for place in event.sites)
    return tuple(dict.fromkeys((*path, *moved)))


def ply_words(session: Session, ply: Ply) -> tuple[str, ...]:
    """Says what a ply did: a sentence for each consequence."""
    if ply.entry.kind == "correction":
        return (say("The arbiter corrects the position."),)
    return event_words(session, ply.events)


def event_words(session: Session, events: Iterable[Event]) -> tuple[str, ...]:
    return tuple(map(session.tell, events))


def present_verdict(session: Session, verdict: Verdict) -> wire.Verdict:
    """Returns why play waits: the rules broken, in words, and the steps that put the board right."""
    return wire.Verdict(
        kind=verdict.kind,
        action=verdict.action or None,
        written=_attempt(session, verdict),
        words=session.game.board.called(verdict_words(session, verdict)),
        breaks=tuple(map(present_breach, verdict.breaches)),
        steps=tuple(wire.GuideStep(s.start, s.end, s.look, s.words) for s in verdict.steps),
    )


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


def present_breach(breach: Breach) -> wire.Breach:
    """Returns a broken rule: what is wrong `here`, and the `text` of the rule."""
    found = rule(breach.rule)
    return wire.Breach(breach.rule, found.title, breach_words(breach), found.text, tuple(breach.sites))


def present_happening(happening: Happening, session: Session) -> events.Event:
    """Returns a happening as `companion watch` prints it."""
    if not isinstance(happening, PlayedAction):
        return happening
    ply = happening.ply
    return events.ActionPlayed(
        action=ply.action,
        player=ply.player,
        words=event_words(session, ply.events),
        source=ply.entry.source,
        certainty=round(ply.entry.certainty, 4),
        settled="likeliest" if happening.is_marked else UNSET,
    )


def present_refused(finding: Finding) -> events.ActionRefused:
    return events.ActionRefused(
        action=finding.attempt or None,
        breaks=tuple(map(present_breach, finding.breaches)),
        steps=tuple(step.words for step in finding.steps),
        after=finding.after or UNSET,
    )


def present_begun(finding: Finding) -> events.ActionBegun:
    return events.ActionBegun(
        actions=tuple(beginning.action for beginning in finding.begun),
        words=finding.words,
        left=tuple(step.words for step in what_is_left(finding.begun)),
    )


def _clock(snapshot: Snapshot) -> wire.Clock | None:
    """Returns the time that each player had left at the snapshot, and whose clock runs on from there."""
    clock = snapshot.clock
    if clock is None:
        return None
    return wire.Clock(
        control=write_controls(clock.controls),
        left={player: round(left, 1) for player, left in clock.left.items()},
        runs=clock.runs or None,
        since=clock.since,
        paused=clock.paused,
        held=clock.held,
        flags=tuple(clock.flags),
        byo_yomi={
            player: wire.ByoYomi(control.periods, control.bonus)
            for player, control in clock.controls.items()
            if control.periods
        },
        delay=round(clock.free(clock.runs), 1) if clock.runs else 0,
    )


def _differing(seen: Mapping[Place, Look], looks: Mapping[Place, Look]) -> dict[Place, Look]:
    """Returns the places where the board was seen otherwise than the game has it: none of an unseen board."""
    places = sorted({*seen, *looks}) if seen else []
    return {p: seen.get(p, EMPTY) for p in places if seen.get(p, EMPTY) != looks.get(p, EMPTY)}


def _state(snapshot: Snapshot, session: Session) -> Literal["setup", "playing", "over"]:
    if session.outcome:
        return "over"
    return "setup" if snapshot.verdict and snapshot.verdict.kind == "setup" else "playing"


def _game(session: Session, position: Any, head: Mapping[str, str]) -> wire.GameInfo:
    game, rules = session.game, session.rules
    return wire.GameInfo(
        name=rules.name,
        title=rules.title,
        board=game.board.name,
        options=dict(game.options),
        head=game.head,
        players=tuple(session.players),
        palette=tuple(rules.palette(position)),
        notations=tuple(notation.name for notation in rules.notations),
        hints=isinstance(rules, Puzzle) or PRACTICE in head or TASK in head,
        tutorial=rules.name in tutorials.known(),
        goal=_goal(rules.name),
        kinds=tuple((spelling, say(kind)) for spelling, kind in rules.action_kinds.items()),
    )


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


def _moves(session: Session, viewer: str | None) -> tuple[wire.Move, ...]:
    """Returns all plies in a line each, with the numbers of their rounds."""
    plies = zip(session.plies, numbers(session), strict=True)
    return tuple(_move(session, n, ply, number, viewer) for n, (ply, number) in enumerate(plies, 1))


def _move(session: Session, n: int, ply: Ply, number: int, viewer: str | None) -> wire.Move:
    shown = _shown_action(session, ply, viewer)
    return wire.Move(
        n, number, ply.player, shown, _written(session, n, shown), sentences(*ply_words(session, ply))
    )


def _question(snapshot: Snapshot, session: Session, viewer: str | None) -> wire.Question | None:
    question = snapshot.question_to(viewer) if viewer else None
    if question is None and _knows(session, viewer):
        question = snapshot.question
    if question is None:
        return None
    rules, asked = session.rules, _asked(session, question.choices)
    choices = tuple(
        wire.Choice(" ".join(choice), words, tuple(chain.from_iterable(map(rules.path, choice))))
        for choice, words in zip(question.choices, asked.choices, strict=True)
    )
    first, usual = _parting(session, question.choices), question.choices[0]
    parts = tuple(
        wire.Part(
            words,
            _with_moved(rules.path(session.plies[first + n].action), session.plies[first + n]),
            tuple(i for i, choice in enumerate(question.choices) if choice[n] != usual[n]),
        )
        for n, words in asked.parts
    )
    return wire.Question(question.id, question.by, asked.words, choices, parts)


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
        position = rules.after(position, action) if is_legal else position


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


def _legal(snapshot: Snapshot, session: Session, viewer: str | None) -> tuple[wire.LegalAction, ...]:
    position = session.seen_by(viewer, session.position)
    is_others = position.to_act in others_in(snapshot.head)
    if session.outcome or is_others or viewer not in (ARBITER, position.to_act):
        return ()
    return tuple(_choosable(session, position, action) for action in session.rules.legal(position))


def _choosable(session: Session, position: Any, action: Action) -> wire.LegalAction:
    rules = session.rules
    form = rules.form(position) if "?" in action else None
    return wire.LegalAction(
        action=action,
        path=tuple(rules.path(action)),
        label=session.game.board.called(rules.label(action)),
        form=wire.ActionForm(tuple(form.sites), tuple(wire.StockPiece(*piece) for piece in form.stock))
        if form
        else UNSET,
    )


def present_outcome(outcome: Outcome) -> wire.Outcome:
    return wire.Outcome(outcome.winner, outcome.reason, outcome_words(outcome))


def outcome_words(outcome: Outcome) -> str:
    """Says how a game ended, in a sentence."""
    if outcome.reason == GIVEN_UP:
        return say("Given up.")
    if outcome.winner is None:
        return say("Drawn: {reason}.", reason=outcome.reason)
    if outcome.reason == "solved":
        return say("Solved.")
    return say("{player} wins: {reason}.", player=say_player(outcome.winner), reason=outcome.reason)
