"""Reads the texts of the program, and keeps the catalogues of words with them. `.ci/catalogues` runs it.

Texts are found in Python as arguments of `say`, `say_in` and `say_count`, as the words of an `Option` and in
tables annotated `Phrases`; in the page's code as arguments of `t` and `tn`, in its templates as
`{{ t('…') }}`; in the rulebook and other TOML files under the keys that `TOML` names; and in the looks of
pieces, which are named from the boards.
"""

from __future__ import annotations

import ast
import re
import string
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.jslexer import Token, tokenize, unquote_string
from babel.messages.pofile import read_po, write_po

from companion import games
from companion.games.text import Game, read_game
from companion.language.message import Template
from companion.referee.verdict.guide import say_look

HERE = Path(__file__).parent.parent
FOLDER = HERE / "companion" / "language"
PACKAGES = ("companion", "vision", "firmware_bridge", "broker_bridge", "opponent", "hardware", "web", "hall")
TOML = {
    "companion/rulebook": ("title", "text"),
    "companion/tutorials": ("title", "words", "line", "goal", "asks"),
}
"""The folders of TOML files with texts, and the keys under which these stand."""
SAYS = re.compile(r"\b(?:say|say_in|say_count|Option)\(|Phrases")
"""What is in each file of Python that has texts; see `_texts_of`."""
IN_TEMPLATES = re.compile(r"""\bt\((?:'([^']+)'|"([^"]+)")\)""")
WIDTH = 110
Text = tuple[str, str, str]
"""The words for one, those for many ('' where there is no such pair), and the context they are said in."""


@cache
def read_texts() -> dict[Text, list[str]]:
    """Returns all texts of the program, each with the files that it is in. Reading them takes seconds."""
    found: dict[Text, list[str]] = {}
    for text, place in (*_in_python(), *_in_page(), *_in_templates(), *_in_toml(), *_of_pieces()):
        places = found.setdefault(text, [])
        if place not in places:
            places.append(place)
    return found


def _in_python() -> Iterator[tuple[Text, str]]:
    for package in PACKAGES:
        for file in sorted((HERE / package).rglob("*.py")):
            code = file.read_text(encoding="utf-8")
            # Half of all files say nothing, and walking through one takes time.
            for node in ast.walk(ast.parse(code)) if SAYS.search(code) else ():
                for text in _texts_of(node):
                    yield text, _name(file)


def _texts_of(node: ast.AST) -> Iterator[Text]:
    """Yields the texts in a piece of Python."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from _texts_of_call(node.func.id, node.args)
    elif isinstance(node, ast.AnnAssign) and node.value and "Phrases" in ast.unparse(node.annotation):
        yield from _alone(_values(node.value))


def _texts_of_call(called: str, arguments: list[ast.expr]) -> Iterator[Text]:
    """Yields the texts among the arguments of a call."""
    constants = [argument.value for argument in arguments if isinstance(argument, ast.Constant)]
    words = [value for value in constants if isinstance(value, str)]
    if called == "say" and words:
        yield words[0], "", ""
    elif called == "say_in" and len(words) > 1:
        yield words[1], "", words[0]
    elif called == "say_count" and len(words) > 1:
        yield words[0], words[1], ""
    elif called == "Option":
        for argument in arguments[3:]:
            yield from _alone(_values(argument))


def _alone(words: Iterable[str]) -> Iterator[Text]:
    """Yields texts that have no pair for one and many."""
    for text in words:
        yield text, "", ""


def _values(node: ast.expr) -> Iterator[str]:
    """Yields the texts that a table holds as values, not its keys."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _values(value)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for value in node.elts:
            yield from _values(value)


def _in_page() -> Iterator[tuple[Text, str]]:
    for file in sorted((HERE / "web" / "static" / "js").rglob("*.js")):
        for text in _in_javascript(file.read_text(encoding="utf-8")):
            yield text, _name(file)


def _in_javascript(code: str) -> Iterator[Text]:
    """Yields the texts of the calls of `t` and `tn`, also of those inside others' arguments."""
    tokens = [token for token in tokenize(f";{_flat(code)}") if not token.type.endswith("comment")]
    for at in range(1, len(tokens) - 1):
        before, token, after = tokens[at - 1 : at + 2]
        if token.value in ("t", "tn") and before.value not in ("function", ".") and after.value == "(":
            one, many = (*_first_texts(tokens[at + 2 :]), "", "")[:2]
            if one:
                yield one, many if token.value == "tn" else "", ""


def _first_texts(tokens: Iterable[Token]) -> list[str]:
    """Returns the arguments of a call up to the first that is no text; parts joined by `+` are one."""
    found = [""]
    for token in tokens:
        if token.type == "string":
            found[-1] += unquote_string(token.value)
        elif token.value == ",":
            found.append("")
        elif token.value != "+":
            break
    return [text for text in found if text]


IN_CODE = re.compile(
    r"""(?P<kept>//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'"""
    r"""|(?<=[(,=:\[!&|?])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]])*\]|[^/\n\\])+/)|[`{}]""",
    re.DOTALL,
)
"""What in JavaScript decides where a template literal begins and ends: comments, texts and patterns may have
its signs in them."""
IN_LITERAL = re.compile(r"\\.|`|\$\{", re.DOTALL)


def _flat(code: str) -> str:
    """Returns JavaScript with each template literal as a list of what it fills in: `[][a][b][]`."""
    flat, at, open_braces = "", 0, [0]  # how many braces are open, in each literal's part that is open
    is_literal = False
    while found := (IN_LITERAL if is_literal else IN_CODE).search(code, at):
        sign, before, at = found[0], code[at : found.start()], found.end()
        flat += "" if is_literal else before
        if is_literal:
            if sign in ("`", "${"):
                is_literal = False
                flat += "]" if sign == "`" else "]["
                if sign == "${":
                    open_braces.append(0)
        elif sign == "`":
            is_literal = True
            flat += "["
        elif sign == "}" and not open_braces[-1] and len(open_braces) > 1:
            open_braces.pop()
            is_literal = True
            flat += "]["
        else:
            open_braces[-1] += {"{": 1, "}": -1}.get(sign, 0)
            flat += sign
    return flat + code[at:]


def _in_templates() -> Iterator[tuple[Text, str]]:
    for file in sorted((HERE / "web" / "templates").glob("*.html")):
        for match in IN_TEMPLATES.finditer(file.read_text(encoding="utf-8")):
            yield (match[1] or match[2], "", ""), _name(file)


def _in_toml() -> Iterator[tuple[Text, str]]:
    for folder, keys in TOML.items():
        for file in sorted((HERE / folder).rglob("*.toml")):
            for text in _under(tomllib.loads(file.read_text(encoding="utf-8")), keys):
                yield (" ".join(text.split()), "", ""), _name(file)


def _under(data: Any, keys: tuple[str, ...], wanted: bool = False) -> Iterator[str]:
    """Yields the texts that stand in some data under any of these keys."""
    if isinstance(data, str) and wanted and data:
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _under(value, keys, wanted or key in keys)
    elif isinstance(data, list):
        for value in data:
            yield from _under(value, keys, wanted)


def _of_pieces() -> Iterator[tuple[Text, str]]:
    """Yields the names of the pieces of all games, as sentences have them."""
    for name in _names_of_looks():
        yield name, "companion/boards"


@cache
def piece_names() -> list[Text]:
    """Returns the names of the pieces of all games, as looks have them, 'white king', and as sentences do."""
    return [*_names_of_looks(), *_names_in_sentences()]


def _names_in_sentences() -> Iterator[Text]:
    """Yields the names in tables called `PIECE_NAMES`."""
    for file in sorted((HERE / "companion" / "games").rglob("*.py")):
        code = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(code)) if "PIECE_NAMES" in code else ():
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "PIECE_NAMES" and node.value:
                yield from _alone(_values(node.value))
                yield from (text for call in ast.walk(node.value) for text in _texts_of(call))


def _names_of_looks() -> list[Text]:
    found: dict[Text, None] = {}
    for name in games.installed():
        for game in _variants(name):
            first = game.start()
            for look in (*game.rules.looks(first), *game.rules.palette(first)):
                if look != "empty" and "+" not in look:
                    found.update(dict.fromkeys(_templates(say_look(game.board.pieces, look))))
    return list(found)


def _variants(name: str) -> Iterator[Game]:
    """Yields a game as it usually is, and with each number of players."""
    yield read_game(name)
    for option in games.rules(name).options:
        if option.name == "players":
            yield from (read_game(f"{name} players={number}") for number in option.values)


def _templates(words: object) -> Iterator[Text]:
    """Yields the templates that a message is made from."""
    if isinstance(words, Template):
        yield words.one, words.many, words.context
        for value in words.values.values():
            yield from _templates(value)


def _name(file: Path) -> str:
    return file.relative_to(HERE).as_posix()


def _template() -> Catalog:
    catalogue = Catalog(project="Board Companion", version="", charset="utf-8", fuzzy=False)
    for (one, many, context), places in sorted(read_texts().items(), key=lambda item: (item[1][0], item[0])):
        locations = [(place, None) for place in places]
        catalogue.add((one, many) if many else one, locations=locations, context=context or None)
    return catalogue


def _read(file: Path) -> Catalog:
    with file.open("rb") as stream:
        return read_po(stream, locale=file.stem)


def _write(file: Path, catalogue: Catalog) -> None:
    """Writes a catalogue, with a header that holds no dates: it changes with the words alone."""
    header = (
        f"# The words of Board Companion: {catalogue.locale_identifier}. Kept by .ci/catalogues.",
        'msgid ""',
        'msgstr ""',
        f'"Language: {catalogue.locale_identifier}\\n"',
        f'"Plural-Forms: {catalogue.plural_forms}\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        '"Content-Transfer-Encoding: 8bit\\n"',
    )
    body = BytesIO()
    write_po(body, catalogue, width=WIDTH, omit_header=True, ignore_obsolete=True, include_lineno=False)
    file.write_bytes("\n".join((*header, "", "")).encode() + body.getvalue())


def update(file: Path) -> None:
    """Adds to a catalogue what is new in the program, and removes what is there no more."""
    old, template = _read(file), _template()
    new = Catalog(locale=file.stem, project="Board Companion", version="", charset="utf-8", fuzzy=False)
    for entry in template:
        if entry.id:
            kept = old.get(entry.id, entry.context)
            words = kept.string if kept is not None and kept.pluralizable == entry.pluralizable else ""
            new.add(entry.id, words, locations=entry.locations, context=entry.context)
    # Forms are the translators' own: they stay as long as the text that they are a form of.
    for entry in old:
        if _is_form(entry, template) and new.get(entry.id, entry.context) is None:
            new.add(entry.id, entry.string, context=entry.context)
    _write(file, new)


def _is_form(entry: Message, template: Catalog) -> bool:
    """Tells whether an entry is a form of a text of the program: 'den', or 'draughts den' in a context."""
    context = (entry.context or "").rpartition(" ")[0]
    return bool(entry.context) and template.get(entry.id, context or None) is not None


def faults(file: Path) -> Iterator[str]:
    """Yields what is missing, out of date or wrong in a catalogue."""
    catalogue, template, language = _read(file), _template(), file.stem
    pieces = piece_names()
    for entry in template:
        if entry.id and catalogue.get(entry.id, entry.context) is None:
            yield f"{language}: not in it: {entry.id!r}"
    for entry in catalogue:
        if not entry.id:
            continue
        if template.get(entry.id, entry.context) is None and not _is_form(entry, template):
            yield f"{language}: no longer in the program: {entry.id!r}"
        yield from _faults_of(catalogue, entry, pieces, language)


def _faults_of(catalogue: Catalog, entry: Message, pieces: list[Text], language: str) -> Iterator[str]:
    ids = [entry.id] if isinstance(entry.id, str) else list(entry.id)
    words = [entry.string] if isinstance(entry.string, str) else list(entry.string)
    if not all(words):
        yield f"{language}: not translated: {entry.id!r}"
        return
    wanted = {name for text in ids for name, _ in _fields(text)}
    for text in words:
        fields = list(_fields(text))
        names = {name for name, _ in fields}
        # A form for one may leave the number out.
        if names - wanted or (wanted - names) - {"n"}:
            yield f"{language}: fields {sorted(names)} instead of {sorted(wanted)}: {text!r}"
        for name, form in fields:
            if name.startswith("piece") and form:
                for piece, _, context in pieces:
                    if catalogue.get(piece, f"{context} {form}".strip()) is None:
                        where = f" in {context}" if context else ""
                        yield f"{language}: no form {form!r} of {piece!r}{where}, for {text!r}"


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """Yields the fields of a text with the forms that they ask for."""
    for _, name, form, _ in string.Formatter().parse(text):
        if name is not None:
            yield name, form or ""


def main(arguments: list[str]) -> int:
    """Does what the command line asks for, and returns the exit status."""
    if arguments[:1] == ["new"] and len(arguments) == 2:
        file = FOLDER / f"{arguments[1]}.po"
        if file.exists():
            print(f"there is a catalogue for {arguments[1]} already", file=sys.stderr)
            return 2
        _write(file, Catalog(locale=arguments[1], project="Board Companion", version="", charset="utf-8"))
        update(file)
        return 0
    if arguments == ["check"]:
        found = [fault for file in sorted(FOLDER.glob("*.po")) for fault in faults(file)]
        print(*found, sep="\n")
        return 1 if found else 0
    if arguments:
        print("usage: .ci/catalogues [check | new LANGUAGE]", file=sys.stderr)
        return 2
    for file in sorted(FOLDER.glob("*.po")):
        update(file)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
