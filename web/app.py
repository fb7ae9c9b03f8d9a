"""The page: a Flask application around one `Table`, and the server that carries it.

`create_app` joins the blueprints of `web.routes`. Nothing here knows a game: boards are drawn from their
data, and `companion.table.present` decides what a viewer may see.
"""

from __future__ import annotations

from flask import Flask

from web.routes import (
    api,
    auth,
    boards,
    camera,
    camera_setup,
    commissioning,
    eyes,
    feeds,
    grid,
    invitations,
    live,
    look_back,
    metrics,
    openapi,
    pages,
    phone,
    puzzles,
    records,
    tokens,
    tutorials,
    two_tables,
)
from web.server.application import make_application
from web.server.context import Context, Services, TableLike
from web.server.settings import Settings, read_secret

SUBJECTS = (
    pages,
    api,
    auth,
    live,
    feeds,
    boards,
    camera,
    records,
    look_back,
    puzzles,
    camera_setup,
    eyes,
    phone,
    grid,
    commissioning,
    invitations,
    tokens,
    tutorials,
    two_tables,
    metrics,
    openapi,
)
"""The modules of routes, in the order in which the API's description lists them."""

__all__ = ["Services", "Settings", "create_app", "read_secret"]


def create_app(table: TableLike, settings: Settings | None = None, services: Services | None = None) -> Flask:
    """Returns the application that shows and serves this table."""
    settings = settings or Settings()
    app = make_application(Context(table, settings, services or Services()), "companion")
    for module in SUBJECTS:
        app.register_blueprint(module.blueprint)
    return app
