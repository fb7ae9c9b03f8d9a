"""Writes what is made from the wire's classes: TypeScript's declarations, and the messages of AsyncAPI."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from companion.core.puzzle import Advice
from companion.wire import hall, state
from companion.wire.schema import Schema, class_schemas
from hall.wall.routes.live import HallNotes
from hall.wall.tile import Tile, TileMove
from web.routes.api import GameOffer
from web.routes.auth import Session
from web.routes.boards import BoardData
from web.routes.commissioning import GridCommissioning
from web.routes.eyes import BoardTestShown, FoundBoards
from web.routes.grid import GridStatus
from web.routes.invitations import Invitations
from web.routes.look_back import LookBack
from web.routes.puzzles import Puzzles
from web.routes.records import GameSummary, StoredAction, StoredGame
from web.routes.tutorials import Tutorial
from web.routes.two_tables import LineState
from web.server.tokens import TokenInfo

ROOT = Path(__file__).resolve().parents[1]
TYPES = ROOT / "web" / "static" / "js" / "shared" / "wire.d.ts"
MESSAGES = ROOT / "docs" / "hall.asyncapi.yaml"
ON_PAGES = (
    *(state.EmptyState, state.GameState, state.PastPosition, Tile, TileMove, HallNotes),
    *(Session, GameOffer, Advice, BoardData, Tutorial, Invitations, TokenInfo, GameSummary, LineState),
    *(StoredGame, StoredAction, LookBack, Puzzles),
    *(GridStatus, GridCommissioning, FoundBoards, BoardTestShown),
)
"""What pages get; what these hold is declared too."""
FROM_BOARDS = (hall.BoardState, hall.EmptyBoardState, hall.BoardClock, hall.LogLine)
TO_BOARDS = (hall.Archived, hall.Pairing)
MARK = "  # What follows is written by .ci/declarations, from companion/wire: change it there.\n"
WIDTH = 118
STRING = {"type": "string"}


def main() -> None:
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")


def made() -> Mapping[Path, str]:
    """Returns the text of each file."""
    head = MESSAGES.read_text(encoding="utf-8").partition(MARK)[0]
    schemas = class_schemas(FROM_BOARDS) | class_schemas(TO_BOARDS, are_sent=False)
    written = yaml.safe_dump(
        {"schemas": schemas},
        sort_keys=False,
        default_flow_style=None,
        width=WIDTH,
        allow_unicode=True,
    )
    return {TYPES: "\n".join(_typescript()), MESSAGES: head + MARK + textwrap.indent(written, "  ")}


def _typescript() -> Iterator[str]:
    yield "/** What the server sends. Written by .ci/declarations, from companion/wire: change it there. */"
    for name, schema in class_schemas(ON_PAGES).items():
        yield ""
        yield from _comment(schema["description"])
        if schema["type"] != "object":
            yield f"export type {name} = {_type(schema)};"
            continue
        yield f"export interface {name} {{"
        for member, kind in schema["properties"].items():
            yield from _comment(kind.get("description", ""), "  ")
            optional = "" if member in schema["required"] else "?"
            yield f"  {member}{optional}: {_type(kind)};"
        yield "}"
    yield ""


def _comment(words: str, indent: str = "") -> Iterator[str]:
    if not words:
        return
    lines = textwrap.wrap(" ".join(words.split()), WIDTH - len(indent) - 3)
    if len(lines) == 1 and len(lines[0]) + len(indent) + 7 <= WIDTH + 2:
        yield f"{indent}/** {lines[0]} */"
        return
    yield f"{indent}/**"
    yield from (f"{indent} * {line}" for line in lines)
    yield f"{indent} */"


def _type(schema: Schema) -> str:
    """Returns a schema as a type of TypeScript."""
    match schema:
        case {"$ref": str(place)}:
            return place.rpartition("/")[2]
        case {"anyOf": list(parts)}:
            return " | ".join(map(_type, parts))
        case {"enum": list(values)} | {"const": str() as values}:
            return " | ".join(
                json.dumps(value) for value in (values if isinstance(values, list) else [values])
            )
        case {"type": "array", "prefixItems": list(parts)}:
            return f"[{', '.join(map(_type, parts))}]"
        case {"type": "array", "items": dict(item)}:
            found = _type(item)
            return f"({found})[]" if "|" in found else f"{found}[]"
        case {"type": "object", "additionalProperties": dict(item)}:
            return f"Record<{_type(schema.get('propertyNames', STRING))}, {_type(item)}>"
        case {"type": "integer" | "number"}:
            return "number"
        case {"type": str(name)}:
            return name
    return "string"  # what only limits the length of names


if __name__ == "__main__":
    main()
