"""The pages: the wall, its view for broadcasts, and the arbiter's desk."""

from __future__ import annotations

from flask import Response, render_template

from web.server.security import allow_embedding
from web.server.subject import Subject

blueprint = Subject("pages", __name__)


@blueprint.get("/")
def show_wall() -> str:
    """Shows all boards. The page asks the stream for them."""
    return render_template("wall.html", page="/")


@blueprint.get("/desk")
def show_desk() -> str:
    """Shows what needs a person."""
    return render_template("desk.html", page="/desk")


@blueprint.get("/obs")
def show_overlay() -> str:
    """Shows boards without anything around them and without a ground, for programs that broadcast."""
    allow_embedding()
    return render_template("overlay.html", page="/obs")


@blueprint.get("/favicon.ico")
def show_nothing() -> Response:
    """Answers browsers that ask for an icon whatever a page names."""
    return Response(status=204)
