"""The page: a Flask application around one `Table`, and the server that carries it.

`create_app` joins a blueprint for each subject. Nothing here knows a game: what is shown comes from
`companion.present`, boards are drawn from their data, and what leaves has passed `present` for its viewer.
"""

from __future__ import annotations

from flask import Flask

import web.api
import web.auth
import web.boards
import web.camera
import web.grid
import web.live
import web.openapi
import web.pages
import web.records
import web.setting_up
from web import security
from web.config import Config, read_secret
from web.context import Context, TableLike

SUBJECTS = (
    web.pages, web.api, web.auth, web.live, web.boards, web.camera, web.records, web.setting_up, web.grid,
    web.openapi,
)  # fmt: skip
__all__ = ["Config", "create_app", "read_secret"]


def create_app(table: TableLike, config: Config | None = None) -> Flask:
    """The application that shows and serves this table."""
    config = config or Config()
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=config.secret,
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=config.https,
        PERMANENT_SESSION_LIFETIME=config.session_seconds,
        MAX_CONTENT_LENGTH=256 * 1024,
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]  # players are told in their order
    app.extensions["companion"] = Context(table, config)
    security.protect(app)
    for module in SUBJECTS:
        app.register_blueprint(module.blueprint)
    return app
