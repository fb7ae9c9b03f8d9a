"""Writes the documentation as a site. `.ci/site` runs it with the locked tools.

The pages are the Markdown of the repository as it lies there, so that every link is good on both. Added are a
page for each game in every language (how to play it, its rules, its board to print) and the reference of the
API, all from the program itself. Sphinx ends with an error where a link or an anchor leads nowhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion import games, tutorials
from companion.language import ENGLISH, LANGUAGES, say, translated
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.table import Table
from web import Services, Settings, create_app

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
SHEET_MM = 190
"""The width of a board that is printed on A4."""
NAMES = {"en": "English", "de": "Deutsch", "fr": "Français", "es": "Español"}
Pages = dict[str, str]
"""Texts of pages by their files."""
PLAY = ("quickstart", "own-board", "camera", "eboards", "playing-alone", "two-tables", "records", "trouble")
RUN = ("install", "pi", "building-a-board", "hall", "archive", "wall", "command-line", "privacy")
UNDERSTAND = (
    "architecture", "glossary", "decisions", "languages", "versions", "protocol", "referee", "opponent",
    "accuracy", "model", "reading", "supply",
)  # fmt: skip


def stage(folder: Path) -> None:
    """Lays the repository's pages, and all that they link to, into a folder."""
    waiting = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    seen: set[Path] = set()
    while waiting:
        file = waiting.pop()
        if file in seen or not file.is_file():
            continue
        seen.add(file)
        target = folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        if file.suffix == ".md":
            links = LINK.findall(file.read_text(encoding="utf-8"))
            waiting += [(file.parent / link).resolve() for link in links]


class Teller:
    """Asks the program what its pages are to say."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client

    def ask(self, path: str, language: str = ENGLISH) -> Any:
        answer = self._client.get(
            f"/api/v1/{path}", base_url="http://localhost", headers={"Accept-Language": language}
        )
        assert answer.status_code == 200, path
        return answer.get_json() if answer.is_json else answer.get_data(as_text=True)


def game_pages(teller: Teller) -> Iterator[tuple[str, str]]:
    """Yields the pages of all games in every language, and their boards, by their files."""
    for name in games.installed():
        if name in tutorials.known():
            board = teller.ask(f"boards/{name}.svg")
            yield f"play/boards/{name}.svg", board
            yield f"play/boards/{name}-a4.svg", to_print(board)
            yield f"play/boards/{name}-in-play.svg", teller.ask(f"boards/{name}/in-play.svg")
            for language in LANGUAGES:
                yield (
                    f"play/{language}/{name}.md",
                    game_page(teller, name, language),
                )


def to_print(svg: str) -> str:
    """Returns a drawing with the width of a sheet of A4."""
    head, rest = svg.split(">", 1)
    head = re.sub(r"\s(width|height)=\"[^\"]*\"", "", head)
    return f'{head} width="{SHEET_MM}mm">{rest}'


def game_page(teller: Teller, name: str, language: str) -> str:
    def t(text: str) -> str:
        return str(translated(say(text), language))

    told = teller.ask(f"tutorials/{name}", language)
    lines = [
        f"# {told['title']}",
        told["goal"],
        f"![{told['title']}](../boards/{name}-in-play.svg){{ width=420 }}",
        f"[{t('Print')}: A4](../boards/{name}-a4.svg)"
        + (f" · [English](../../docs/games/{PAGE_OF.get(name, name)}.md)" if language == ENGLISH else ""),
        f"## {t('Pieces and places')}",
        *(f"- {entry['words']}" for entry in told["legend"]),
    ]
    for topic in told["topics"]:
        lines += [
            f"## {topic['title']}",
            *(f"1. {frame['words']}" for frame in topic["frames"] if frame["words"]),
        ]
    rows = (f"| {rule['rule']} | {rule['title']} | {rule['text']} |" for rule in told["rules"])
    lines += [f"## {t('All rules')}", "| | | |\n|---|---|---|\n" + "\n".join(rows)]
    if told["asks"]:
        lines += [f"## {t('What the companion asks')}", *(f"- {words}" for words in told["asks"])]
    return "\n\n".join(lines).replace("\n\n- ", "\n- ").replace("\n\n1. ", "\n1. ") + "\n"


PAGE_OF = dict.fromkeys(("rooks", "queens", "no_overlap", "jump_to_center"), "puzzles")


def api_page(described: Mapping[str, Any]) -> str:
    """Returns the reference of the API, from its description (OpenAPI)."""
    lines = ["# The API, address by address", str(described["info"].get("description", ""))]
    for path, methods in described["paths"].items():
        for method, act in methods.items():
            if isinstance(act, dict):
                lines += [f"## {method.upper()} {path}", *_act(act)]
    lines.append("## What is sent")
    for name, schema in sorted(described["components"]["schemas"].items()):
        lines += [f"### {name}", str(schema.get("description", "")), *_members(schema)]
    return "\n\n".join(line for line in lines if line) + "\n"


def _act(act: Mapping[str, Any]) -> Iterator[str]:
    yield "\n".join((act.get("summary", ""), act.get("description", ""))).strip()
    if parameters := act.get("parameters"):
        yield "\n".join(f"- `{p['name']}` ({p['in']}): {_kind(p.get('schema', {}))}" for p in parameters)
    for content in act.get("requestBody", {}).get("content", {}).values():
        yield from _members(content.get("schema", {}))
    for kind, content in act["responses"].get("200", {}).get("content", {}).items():
        yield f"Answers {_kind(content.get('schema', {})) if 'json' in kind else f'`{kind}`'}."


def _members(schema: Mapping[str, Any]) -> Iterator[str]:
    if members := schema.get("properties"):
        needed = schema.get("required", ())
        yield "\n".join(
            f"- `{name}`{'' if name in needed else ' (optional)'}: {_kind(kind)}. {_words(kind)}".rstrip()
            for name, kind in members.items()
        )


def _words(schema: Mapping[str, Any]) -> str:
    return " ".join(str(schema.get("description", "")).split()).replace("|", "\\|")


def _kind(schema: Mapping[str, Any] | bool) -> str:
    """Returns the kind of a value in words, with a link where it has a name."""
    if isinstance(schema, bool):
        return "anything"
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')})"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_kind(one) for one in schema[key])
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        items = schema.get("prefixItems", [schema.get("items", True)])
        return f"list of {', '.join(map(_kind, items))}"
    return str(schema.get("type", "anything"))


def contents() -> str:
    """Returns the tables of contents, for the end of the first page."""

    def listed(names: tuple[str, ...]) -> list[str]:
        return [f"docs/{name}" for name in names if (ROOT / "docs" / f"{name}.md").is_file()]

    names = [name for name in games.installed() if name in tutorials.known()]
    tables = {"Play": listed(PLAY)}
    for language in LANGUAGES:
        start = listed((f"quickstart.{language}",))
        tables[f"Games: {NAMES.get(language, language)}"] = [*start, *(f"play/{language}/{n}" for n in names)]
    tables["Notation and sensors"] = [
        f"docs/games/{f.stem}" for f in sorted((ROOT / "docs/games").glob("*.md"))
    ]
    tables["Build and run"] = [*listed(RUN), "hardware/README", "hardware/bom", "hardware/magnets"]
    tables["Programs"] = ["docs/api", "reference/api"]
    tables["Understand and help"] = [*listed(UNDERSTAND), "CONTRIBUTING", "SECURITY", "CHANGELOG"]
    form = "```{{toctree}}\n:caption: {}\n:hidden:\n\n{}\n```\n"
    return "\n" + "\n".join(form.format(title, "\n".join(pages)) for title, pages in tables.items())


SETTINGS = """\
project = "Board Companion"
html_title = "Board Companion"
extensions = ["myst_parser"]
root_doc = "README"
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
html_theme = "furo"
html_copy_source = False
"""


def pages_of(app: Flask) -> Pages:
    """Returns the pages that the program tells, by their files."""
    teller = Teller(app.test_client())
    return dict(game_pages(teller)) | {"reference/api.md": api_page(teller.ask("openapi.json"))}


def write(folder: Path) -> None:
    with Store(":memory:") as store, Table(Desk(store)) as table:
        pages = pages_of(create_app(table, Settings(port=0), Services(store=store)))
    for name, text in pages.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def main(args: list[str]) -> int:
    if len(args) != 2:
        print("write: python -m release.site FOLDER SPHINX", file=sys.stderr)
        return 2
    out = Path(args[0]).resolve()
    work = out.with_name(f"{out.name}-pages")
    shutil.rmtree(work, ignore_errors=True)
    stage(work)
    write(work)
    with (work / "README.md").open("a", encoding="utf-8") as first:
        first.write(contents())
    (work / "conf.py").write_text(SETTINGS, encoding="utf-8")
    command = [args[1], "--fail-on-warning", "--keep-going", "--quiet", "-b", "html", str(work), str(out)]
    status = subprocess.run(command, check=False).returncode
    (out / "index.html").write_text('<meta http-equiv="refresh" content="0; url=README.html">\n')
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
