"""Questions to owners of secrets, which nobody else may know of: which of their actions was another one?

Nobody else learns that a player is asked, nor when, nor that the answer was 'as it was told'. So these
questions are made from the session as their player knows it, apart from what all know: there the same hands
count once, and what they meant is taken as it was told until its owner says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import product, takewhile
from math import prod

from companion.core.game import Action, Player
from companion.language import say
from companion.record.knowledge import carry_out, count_true_plies, is_answer, known_to
from companion.record.session import Entry, Ply, Session, SessionError, common_plies, read_looks
from companion.referee import Belief, Finding, Referee
from companion.referee.hypotheses.choices import Choice, choices
from companion.referee.hypotheses.hidden_alternatives import find_meanings, replace_action
from companion.referee.hypotheses.paths import path_of
from companion.referee.verdict.finding import certainty
from companion.table import messages as m
from companion.table.snapshot import Question
from companion.table.state import KeptGame, TableState, TableStep
from companion.wire.events import ChoiceAsked
from companion.wire.state import Teller

MOST_CHOICES = 16
"""A turn is asked about at once where there are no more choices than these."""


def referee_of(game: KeptGame, referee: Referee) -> Referee:
    """Returns the referee of a game: it judges what all know, and refuses what no secret allows."""
    if not game.has_secrets:
        return referee
    known = game.belief.accepted
    return replace(referee, allows=partial(_is_allowed, game.session, known))


def _is_allowed(session: Session, known: Session, after: Session) -> bool:
    """Returns whether the truth allows what is played, and does not merely contradict what was told."""
    found = carry_out(session, known, after)
    is_same = found is not None and found.actions == session.actions
    return found is not None and (not is_same or after.actions == known.actions)


def carry_into_truth(game: KeptGame, finding: Finding) -> tuple[Session, Finding]:
    """Returns the session that a finding leads to, and the finding as it concerns that: what it plays and
    takes back, and how sure that is."""
    session = carry_out(game.session, game.belief.accepted, finding.belief.accepted)
    if session is None:
        raise SessionError(say("that is not allowed here"))
    if not game.has_secrets:
        return session, finding
    common, known = common_plies(game.session, session), known_to(None, session)
    rivals = [cost for rival, cost in finding.belief.rivals if not _is_refuted(rival, known)]
    told = replace(
        finding,
        withdrawn=len(game.session.plies) - common,
        played=session.actions[common:],
        certainty=certainty(finding.belief.cost, rivals),
        choices=choices(belief_of_all(finding.belief, known)) if finding.choices else (),
    )
    return session, told


def belief_of_all(belief: Belief, known: Session) -> Belief:
    """Returns a belief beside the session as all know it now.

    What was told meanwhile refutes the rivals that had it otherwise, and nothing before it is read anew.
    Rivals by the same hands differ by nothing but what an owner may tell.
    """
    found, rivals = {_hands(known)}, []
    for rival, cost in belief.rivals:
        done = _hands(rival)
        if done not in found and not _is_refuted(rival, known):
            found.add(done)
            rivals.append((rival, cost))
    told = max((n for n, ply in enumerate(known.plies) if is_answer(known.rules, ply)), default=-1)
    past = tuple(
        replace(memory, is_answered=memory.is_answered or len(memory.belief.accepted.plies) <= told)
        for memory in belief.past
    )
    return replace(belief, accepted=known, rivals=tuple(rivals), past=past)


def _hands(session: Session) -> tuple[object, ...]:
    """Returns the paths of hands on the board, and the words said beside it, in a session as all know it."""
    rules = session.rules
    return tuple(path_of(rules, p.action) or p.action for p in session.plies if not is_answer(rules, p))


def _is_refuted(rival: Session, known: Session) -> bool:
    """Returns whether a rival goes on, where it parts from what is known, by another answer than was told."""
    common = common_plies(rival, known)
    parting = rival.plies[common : common + 1], known.plies[common : common + 1]
    return all(plies and is_answer(known.rules, plies[0]) for plies in parting)


def last_turns(session: Session) -> dict[Player, int]:
    """Returns for each owner of secrets how many plies came before its last turn, as that player knows it."""
    if not session.has_secrets:
        return {}
    return {player: _before_last_turn(known_to(player, session), player) for player in session.players}


def _before_last_turn(session: Session, player: Player) -> int:
    turns = [position.turn for position in session.positions()[:-1]]
    count = len(turns)
    while count and turns[count - 1] != player:
        count -= 1
    while count and turns[count - 1] == player:
        count -= 1
    return count


def ask_owners(step: TableStep, before: TableState) -> TableStep:
    """Asks each owner of secrets what only that player can tell, where the game changed."""
    game = step.state.game
    if game is None or not game.has_secrets:
        return _ask_nobody(step)
    if _is_unchanged(game, before.game):
        return step
    for player in game.session.players:
        step = _ask_owner(step, player)
    return step.to(replace(step.state, teller=last_teller(game.session)))


def _ask_nobody(step: TableStep) -> TableStep:
    state = step.state
    return step.to(replace(state, owners={}, teller=None)) if state.owners or state.teller else step


def last_teller(session: Session) -> Teller | None:
    """Returns who may have something to tell of the last turn that is over, by what everybody knows.

    So nobody learns from it who is asked. Players who share one tablet hand it to whoever may be asked.
    """
    known = known_to(None, session)
    turns = [position.turn for position in known.positions()[:-1]]
    end = len(turns)
    while end and turns[end - 1] == known.position.turn:
        end -= 1
    for n in reversed(range(end)):
        if turns[n] != turns[end - 1]:
            break
        if known.plies[n].player == turns[n] and find_meanings(known, n):
            return Teller(turns[n], count_true_plies(known, n) + 1)
    return None


def _is_unchanged(game: KeptGame, before: KeptGame | None) -> bool:
    return before is not None and before.session is game.session and before.told is game.told


def _ask_owner(step: TableStep, player: Player) -> TableStep:
    state = step.state
    game = state.kept
    told, open_choices = find_untold(known_to(player, game.session), player, game.told.get(player, 0))
    game = replace(game, told={**game.told, player: told})
    owners = {name: question for name, question in state.owners.items() if name != player}
    asked, open_question = state.asked, state.owners.get(player)
    if open_question and open_question.choices == open_choices:
        owners[player] = open_question
    elif open_choices:
        owners[player] = Question(asked.get(player, 0) + 1, open_choices, player)
        asked = {**asked, player: owners[player].id}
        step = step.telling(ChoiceAsked(choices=tuple(map(" ".join, open_choices))))
    return step.to(replace(state, game=game, owners=owners, asked=asked))


def find_untold(session: Session, player: Player, told: int) -> tuple[int, tuple[Choice, ...]]:
    """Returns the first ply that its player may have meant otherwise, as that player knows the session, and
    the choices; () where nothing is to be asked yet.

    The first `told` plies are settled. What was entered by hand is certain; a turn that goes on is not asked
    about. All of a turn is asked about at once where one answer does not depend on another.
    """
    for n in range(min(told, len(session.plies)), len(session.plies)):
        if not _is_seen_of(player, session.plies[n]):
            continue
        if _goes_on(session, n, player):
            return n, ()
        if others := find_meanings(session, n):
            single = tuple((action,) for action in (session.plies[n].action, *others))
            return n, _any_of_turn(session, n) or single
    return len(session.plies), ()


def _any_of_turn(session: Session, n: int) -> tuple[Choice, ...]:
    """Returns the choices of what a player may have meant by a turn from ply n on, each action with any
    of the others; () where not all of them can have been, or there are too many."""
    player, turn = session.plies[n].player, session.positions()[n].turn
    own = takewhile(
        lambda k: (
            (session.plies[k].player, session.positions()[k].turn) == (player, turn)
            and not is_answer(session.rules, session.plies[k])
        ),
        range(n, len(session.plies)),
    )
    ways = []
    for k in own:
        ply = session.plies[k]
        ways.append((ply.action, *(find_meanings(session, k) if _is_seen_of(player, ply) else ())))
    while ways and len(ways[-1]) == 1:
        ways.pop()
    if prod(map(len, ways)) > MOST_CHOICES:
        return ()
    found = tuple(product(*ways))
    return found if all(_replaced(session, enumerate(choice, n)) for choice in found) else ()


def _replaced(session: Session | None, actions: Iterable[tuple[int, Action]]) -> Session | None:
    """Returns a session with other actions at these plies; None where that cannot have been."""
    for n, action in actions:
        if session is None:
            return None
        if session.plies[n].action != action:
            session = replace_action(session, n, action)
    return session


def _is_seen_of(player: Player, ply: Ply) -> bool:
    """Returns whether a ply is a player's, and was seen."""
    return ply.player == player and ply.is_seen


def _goes_on(session: Session, n: int, player: Player) -> bool:
    """Returns whether the turn in which ply n was played goes on."""
    return all(ply.after.turn == player for ply in session.plies[n:])


def find_asked_alone(state: TableState, answer: m.Answer) -> Player:
    """Returns whose question an answer is about, if nobody else may know of it; '' for another answer.

    Only its player may give it, and who acts for all players; not the arbiter.
    """
    for player, question in state.owners.items():
        if answer.by in ("", player) and question.id == answer.question and answer.choice in question.choices:
            return player
    return ""


def retell(game: KeptGame, player: Player, choice: Choice) -> tuple[Session, Belief]:
    """Returns the session, and what all believe, once a player has told an action; both as they are where
    that is as it was told."""
    known, first = known_to(player, game.session), game.told.get(player, 0)
    others = ((n, action) for n, action in enumerate(choice, first) if known.plies[n].action != action)
    actions = {count_true_plies(known, n): action for n, action in others}
    if not actions:
        return game.session, game.belief
    after = _replaced(game.session, actions.items())
    if after is None:
        raise SessionError(say("that question is no longer open"))
    told = ((_retell_known(rival, actions), cost) for rival, cost in game.belief.rivals)
    return after, Belief(game.belief.accepted, tuple((rival, cost) for rival, cost in told if rival))


def _retell_known(known: Session, actions: Mapping[int, Action]) -> Session | None:
    """Returns a session as all know it with other actions, each after so many plies of the truth."""
    plies = [n for n, ply in enumerate(known.plies) if not is_answer(known.rules, ply)]
    if max(actions) >= len(plies):
        return None
    return _replaced(known, ((plies[count], action) for count, action in actions.items()))


def check_named(session: Session, correction: Entry) -> None:
    """Raises SessionError where a correction names what only a piece's owner knows."""
    if not session.has_secrets:
        return
    rules, position = session.rules, session.public_position
    _, looks = read_looks(correction.text, {})
    unknown = sorted({*looks.values()} - {*rules.palette(position), *rules.looks(position)})
    if unknown:
        raise SessionError(
            say(
                "'{look}' tells what only its owner knows: name a colour, with a rank or without",
                look=unknown[0][:40],
            )
        )
