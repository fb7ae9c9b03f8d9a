"""The pages themselves, and what makes them an app on the tablet."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, render_template, request, url_for

from web.context import context

blueprint = Blueprint("pages", __name__)
TEMPLATES = {"/": "display", "/table": "display", "/seat": "seat", "/records": "records", "/setup": "setup"}


@blueprint.get("/")
@blueprint.get("/table")
@blueprint.get("/seat")
@blueprint.get("/records")
@blueprint.get("/setup")
def show() -> str:
    """A page is a shell without state: what it shows, and the session's token, it asks for."""
    has_table = context().config.fingers is not None
    return render_template(f"{TEMPLATES[request.path]}.html", page=request.path, has_table=has_table)


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a tablet needs to install the page."""
    icons = [
        {"src": url_for("static", filename="icons/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        *(
            {"src": url_for("static", filename=f"icons/icon-{size}.png"), "sizes": f"{size}x{size}",
             "type": "image/png", "purpose": "any maskable"}
            for size in (192, 512)
        ),
    ]
    response = jsonify(
        name="Board Companion", short_name="Companion", start_url="/", display="standalone",
        background_color="#f4f1ea", theme_color="#f4f1ea", icons=icons,
        description="Referee, recorder and display for the board beside it",
    )
    response.mimetype = "application/manifest+json"
    return response


@blueprint.get("/sw.js")
def service_worker() -> Response:
    """The service worker, at the root so that it may serve every page."""
    response = current_app.send_static_file("js/sw.js")
    response.headers["Cache-Control"] = "no-cache"
    return response
