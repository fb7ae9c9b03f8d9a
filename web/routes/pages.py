"""The pages, and the files that make them an app on the tablet."""

from __future__ import annotations

from flask import Response, abort, current_app, jsonify, render_template, request, url_for

from companion import tutorials
from companion.language import say
from web.server.context import context
from web.server.subject import Subject

blueprint = Subject("pages", __name__)
TEMPLATES = {
    "/": "display",
    "/table": "display",
    "/seat": "seat",
    "/phone": "phone",
    "/records": "records",
    "/setup": "setup",
}


def show() -> str:
    """Shows a page. It is a shell without state, and asks the API for what it shows."""
    services = context().services
    has_table = services.virtual_table is not None
    has_camera = services.newest_frame is not None and not has_table
    name = f"{TEMPLATES[request.path]}.html"
    return render_template(name, page=request.path, has_table=has_table, has_camera=has_camera)


for path in TEMPLATES:
    blueprint.add_url_rule(path, view_func=show)


@blueprint.get("/how-to-play/<game>")
def show_tutorial(game: str) -> str:
    """Shows how a game is played. The page asks the API for it."""
    if game not in tutorials.known():
        abort(404, say("there is no such game"))
    return render_template("tutorial.html", page="/how-to-play")


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """Describes the page to a tablet that installs it."""
    icons = [
        {"src": url_for("static", filename="icons/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        *(
            {
                "src": url_for("static", filename=f"icons/icon-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": "any maskable",
            }
            for size in (192, 512)
        ),
    ]
    response = jsonify(
        name="Board Companion",
        short_name="Companion",
        start_url="/",
        display="standalone",
        background_color="#f4f1ea",
        theme_color="#f4f1ea",
        icons=icons,
        description=say("Referee, recorder and display for the board beside it"),
    )
    response.mimetype = "application/manifest+json"
    return response


@blueprint.get("/sw.js")
def service_worker() -> Response:
    """Sends the service worker. At the root it may serve every page."""
    response = current_app.send_static_file("js/service_worker.js")
    response.headers["Cache-Control"] = "no-cache"
    return response
