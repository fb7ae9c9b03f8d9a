"""Looking back at a game that is over: what each turn was worth, and the turns that changed most."""

from __future__ import annotations

from werkzeug.exceptions import Conflict

from companion.language import say
from companion.record.session import Session
from companion.wire.codec import part_of
from companion.wire.values import Place, Player, Wire
from opponent.review import TurnJudgement, turning_points
from web.drawing.chances import as_written
from web.routes.api import Done
from web.routes.auth import require
from web.routes.records import NUMBER, game_of
from web.runtime.look_back import LookBacks
from web.server.context import context
from web.server.subject import Subject, there

blueprint = Subject("look_back", __name__, url_prefix="/api/v1")


class JudgedTurn(Wire):
    """A turn of a game that is looked back at."""

    step: int
    """The step before it: 0 is the start."""
    player: Player
    chance: float
    """The player's chance of winning before it, 0 to 1."""
    left: float
    """The chance that the turn has left."""


class TurningPoint(JudgedTurn, kw_only=True):
    """A turn that lost much of its player's chance, and what was better."""

    played: str
    better: str
    sites: tuple[Place, ...]
    """The places of the better turn."""


class LookBack(Wire):
    """A look back at a game, as far as it has come."""

    players: tuple[Player, ...]
    total: int
    """The turns that are judged in the end."""
    turns: tuple[JudgedTurn, ...]
    points: tuple[TurningPoint, ...]


@blueprint.post(f"/records/{NUMBER}/look-back")
def begin(number: int) -> Done:
    """Begins to look back at a game that is over, for those who may act for the table: it takes a while."""
    require()
    session = game_of(number).session
    if not session.outcome or len(session.players) < 2:
        raise Conflict(say("only a game between players that is over is looked back at"))
    _looks().begin(context().key_of_look_back(number), session)
    return Done("")


@blueprint.get(f"/records/{NUMBER}/look-back")
def show(number: int) -> LookBack:
    """Tells what was found so far; 404 where nobody has asked for it."""
    session, key = game_of(number).session, context().key_of_look_back(number)
    found = there(_looks().found(key), say("nobody looks back at this game now"))
    return LookBack(
        players=tuple(session.players),
        total=found.total,
        turns=tuple(_turn(judged) for judged in found.judged),
        points=tuple(_point(session, judged) for judged in turning_points(found.judged)),
    )


def _point(session: Session, judged: TurnJudgement) -> TurningPoint:
    played, better = as_written(session, judged)
    sites = dict.fromkeys(place for action in judged.better for place in session.rules.path(action))
    return part_of(_turn(judged), TurningPoint, played=played, better=better, sites=tuple(sites))


def _turn(judged: TurnJudgement) -> JudgedTurn:
    chance, left = round(judged.chance, 3), round(judged.left, 3)
    return JudgedTurn(judged.turn.first, judged.turn.player, chance, left)


def _looks() -> LookBacks:
    return there(context().services.look_backs, say("nobody looks back at games here"))
