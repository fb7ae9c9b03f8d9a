"""The wall: a Flask application around a `Lookout`, with the drawings and the server of a board's page."""

from __future__ import annotations

from flask import Flask

from hall.wall.context import WallContext
from hall.wall.routes import desk, live, pages, session
from web.routes import boards
from web.server.application import make_application

SUBJECTS = (pages, session, live, desk, boards)
"""The modules of routes; `boards` is that of a board's own page."""


def create_wall(shared: WallContext) -> Flask:
    app = make_application(shared, "companion-hall")
    for module in SUBJECTS:
        app.register_blueprint(module.blueprint)
    return app
