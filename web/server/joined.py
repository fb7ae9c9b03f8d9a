"""Style sheets and scripts joined: a page asks once for its own, which takes far less than a request each.

They are joined as they are when they are asked for: a change shows on reload.
"""

from __future__ import annotations

import re
from os.path import normpath
from pathlib import Path

from flask import Flask, Response, current_app, url_for
from werkzeug.exceptions import NotFound

from web.server.made_once import answer_kept

BETWEEN = "+"
SHEET = re.compile(r"[a-z_]+\.[a-z_]+")
"""A folder and a sheet of it. The address is as deep as those of the sheets are, for what they refer to."""
IMPORT = re.compile(r'^import (?:\* as )?([^"]+?) from "([^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)


def join_files(app: Flask) -> None:
    """Gives templates `styles`, and serves what it refers to and the scripts of pages."""
    app.jinja_env.globals["styles"] = _address
    app.add_url_rule("/static/css/joined/<names>.css", "styles", _send_styles)
    app.add_url_rule("/static/js/<page>/main.js", "scripts", _send_scripts)


def _address(*names: str) -> str:
    return url_for("styles", names=BETWEEN.join(name.replace("/", ".") for name in names))


def _send_styles(names: str) -> Response:
    """Sends the sheets one after the other, each once."""
    return answer_kept("\n".join(map(_sheet, dict.fromkeys(names.split(BETWEEN)))), "text/css")


def _sheet(name: str) -> str:
    path = Path(str(current_app.static_folder), "css", f"{name.replace('.', '/')}.css")
    if not (SHEET.fullmatch(name) and path.is_file()):
        raise NotFound
    return path.read_text(encoding="utf-8")


def _send_scripts(page: str) -> Response:
    """Sends the module of a page after all that it imports."""
    path = Path(str(current_app.static_folder), "js", page, "main.js")
    if not path.is_file():
        raise NotFound
    joined: dict[Path, str] = {}
    main = _with_imports(path, joined)
    return answer_kept("\n".join((*joined.values(), main)), "text/javascript")


def _with_imports(path: Path, joined: dict[Path, str]) -> str:
    """Returns a module that reads what it imports from those that were joined, and joins those first."""

    def read(found: re.Match[str]) -> str:
        imported = Path(normpath(path.parent / found[2]))
        if imported not in joined:
            joined[imported] = _as_value(imported, joined)
        return f"const {found[1].replace(' as ', ': ')} = {_name(imported)};"

    return IMPORT.sub(read, path.read_text(encoding="utf-8"))


def _as_value(path: Path, joined: dict[Path, str]) -> str:
    """Returns a module as a value of its exports; no other module sees its own names."""
    module = _with_imports(path, joined)
    exports = ", ".join(EXPORT.findall(module))
    return f"const {_name(path)} = (() => {{\n{EXPORT.sub('', module)}\nreturn {{ {exports} }};\n}})();"


def _name(path: Path) -> str:
    return f"{path.parent.name}${path.stem}"
