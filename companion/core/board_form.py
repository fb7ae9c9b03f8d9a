"""Checks the form of a board file: that every value that is read has the kind and the size that it must have.

A board in this form can be read and drawn. Whether it makes sense, and which games can be played on it, is
asked elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from math import dist
from typing import Any

from companion.language import say

FORMAT = "board-companion board 1"
OBJECTS = ("sites", "names", "places", "marks", "areas", "pieces", "tables", "provenance")
LISTS = ("corners", "outline", "links", "shapes")
PROVENANCES = ("rulebook", "deduced", "assumed")
SHAPES = {"polygon": 3, "line": 2, "circle": 1, "text": 1}
"""The least number of points of each kind of shape."""
FARTHEST = 1000.0
"""Steps from the board's origin within which every point lies, and more than any length."""
CLOSEST = 0.01
"""Steps between the two nearest sites: no finger and no rule tells nearer ones apart."""
FACE_WORDS = ("badge", "name", "context")
"""What a face of a piece may have in words."""
COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def check_form(data: object) -> list[str]:
    """Returns what is wrong with the form of a board file's JSON, a line each."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return [say('not a board file: "format" must be "{form}"', form=FORMAT)]
    for checks in CHECKS:
        if problems := [problem for check in checks for problem in check(data)]:
            return problems
    return []


def _check_keys(data: Mapping[str, Any]) -> Iterator[str]:
    yield from (
        say('"{key}" is missing', key=key) for key in ("sites", "corners", "outline") if key not in data
    )


def _check_kinds(data: Mapping[str, Any]) -> Iterator[str]:
    objects = (key for key in OBJECTS if not isinstance(data.get(key, {}), dict))
    lists = (key for key in LISTS if not isinstance(data.get(key, []), list))
    yield from (say('"{key}" must be an object', key=key) for key in objects)
    yield from (say('"{key}" must be a list', key=key) for key in lists)


def _check_pieces_kinds(data: Mapping[str, Any]) -> Iterator[str]:
    pieces = data.get("pieces", {})
    if isinstance(pieces, dict):
        parts = (key for key in ("paint", "faces") if not isinstance(pieces.get(key, {}), dict))
        yield from (say('"pieces": "{key}" must be an object', key=key) for key in parts)


def _check_words(data: Mapping[str, Any]) -> Iterator[str]:
    texts = (key for key in ("name", "about") if not is_words(data.get(key, "")))
    yield from (say('"{key}" must be a text', key=key) for key in texts)
    if not _is_length(data.get("pitch_mm", 40)):
        yield say('"pitch_mm" needs to be a number above 0')


def _check_points(data: Mapping[str, Any]) -> Iterator[str]:
    for key in ("sites", "places", "marks"):
        for name, point in data.get(key, {}).items():
            if not is_point(point):
                yield say(
                    '"{key}": {name} needs two numbers, x and y, of at most {most:g}',
                    key=key,
                    name=name,
                    most=FARTHEST,
                )
    if len(data["corners"]) != 4:
        yield say('"corners" needs four points: south-west, south-east, north-east, north-west')
    if len(data["outline"]) < 3:
        yield say('"outline" needs at least three points')
    if not all(map(is_point, (*data["corners"], *data["outline"]))):
        yield say('"corners" and "outline" need points: pairs of numbers of at most {most:g}', most=FARTHEST)


def _check_spots(data: Mapping[str, Any]) -> Iterator[str]:
    for (name, point), (other, near) in combinations(data["sites"].items(), 2):
        if dist(point, near) < CLOSEST:
            yield say('"sites": {other} lies in the same spot as {name}', other=other, name=name)


def _check_names(data: Mapping[str, Any]) -> Iterator[str]:
    names = data.get("names", {})
    yield from (
        say('"names": {site} is not a site', site=site) for site in names if site not in data["sites"]
    )
    yield from (
        say('"names": {site} needs a text that no other site has', site=site)
        for site, name in names.items()
        if not (is_words(name) and name) or list(names.values()).count(name) > 1
    )
    if len(names) == 1:
        yield say('"names" needs two sites at least')


def _check_links(data: Mapping[str, Any]) -> Iterator[str]:
    sites = data["sites"]
    for link in data.get("links", ()):
        if not (isinstance(link, list) and len(link) == 2):
            yield say('"links": {link} must name two sites', link=link)
        else:
            strange = (site for site in link if not _is_among(site, sites))
            yield from (say('"links": {site} is not a site', site=site) for site in strange)


def _check_loops(data: Mapping[str, Any]) -> Iterator[str]:
    loops = (one for one, other in data.get("links", ()) if one == other)
    yield from (say('"links": {site} is joined to itself', site=site) for site in loops)


def _check_areas(data: Mapping[str, Any]) -> Iterator[str]:
    sites = data["sites"]
    for area, members in data.get("areas", {}).items():
        if not isinstance(members, list):
            yield say('"areas": "{area}" must be a list of sites', area=area)
        else:
            strange = (site for site in members if not _is_among(site, sites))
            yield from (
                say('"areas": {site} in "{area}" is not a site', site=site, area=area) for site in strange
            )


def _is_among(name: object, sites: Mapping[str, Any]) -> bool:
    return isinstance(name, str) and name in sites


def _check_shapes(data: Mapping[str, Any]) -> Iterator[str]:
    for number, shape in enumerate(data.get("shapes", ()), start=1):
        if problem := _shape_problem(shape):
            yield say('"shapes": number {number} {problem}', number=number, problem=problem)


def _shape_problem(shape: Any) -> str:
    if not isinstance(shape, dict) or not _is_among(shape.get("kind"), SHAPES):
        return say('needs a "kind": one of {kinds}', kinds=", ".join(SHAPES))
    points = shape.get("points")
    if not (isinstance(points, list) and all(map(is_point, points))):
        return say('needs "points": pairs of numbers of at most {most:g}', most=FARTHEST)
    if len(points) < SHAPES[shape["kind"]]:
        return say("has too few points for a {kind}", kind=shape["kind"])
    if not _is_size(shape.get("radius", 0)):
        return say('needs a "radius" from 0 to {most:g}', most=FARTHEST)
    if not is_words(shape.get("words", "")):
        return say('needs "words" that are a text')
    return "" if is_words(shape.get("style")) else say('needs a "style"')


def _check_paint(data: Mapping[str, Any]) -> Iterator[str]:
    for owner, colour in data.get("pieces", {}).get("paint", {}).items():
        if not (isinstance(colour, str) and COLOUR.fullmatch(colour)):
            yield say('"pieces": the paint of "{owner}" needs to be a colour as #b1201c', owner=owner)


def _check_faces(data: Mapping[str, Any]) -> Iterator[str]:
    for name, face in data.get("pieces", {}).get("faces", {}).items():
        if not (isinstance(face, dict) and _is_face(face)):
            yield say(
                '"pieces": the face "{name}" needs a "form", a "radius" and a "height" above 0', name=name
            )
        else:
            wrong = (key for key in FACE_WORDS if not is_words(face.get(key, "")))
            yield from (
                say('"pieces": the face "{name}" needs a "{key}" that is a text, or none', name=name, key=key)
                for key in wrong
            )


def _is_face(face: Mapping[str, Any]) -> bool:
    return is_words(face.get("form")) and _is_length(face.get("radius")) and _is_length(face.get("height"))


def _check_provenance(data: Mapping[str, Any]) -> Iterator[str]:
    for key, value in data.get("provenance", {}).items():
        if value not in PROVENANCES:
            known = ", ".join(PROVENANCES)
            yield say(
                '"provenance": {key} is "{value}", not one of {known}', key=key, value=value, known=known
            )


def is_point(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_near, value))


def is_words(value: object) -> bool:
    """Returns whether this is a text that can be shown and written anywhere."""
    return isinstance(value, str) and value.isprintable()


def _is_near(value: object) -> bool:
    return _is_number(value) and -FARTHEST <= value <= FARTHEST  # type: ignore[operator]


def _is_length(value: object) -> bool:
    return _is_size(value) and value != 0


def _is_size(value: object) -> bool:
    return _is_number(value) and 0 <= value <= FARTHEST  # type: ignore[operator]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


CHECKS: tuple[tuple[Callable[[Mapping[str, Any]], Iterator[str]], ...], ...] = (
    (_check_keys,),
    (_check_kinds, _check_pieces_kinds),
    (
        _check_words, _check_points, _check_names, _check_links, _check_areas, _check_shapes, _check_paint,
        _check_faces, _check_provenance,
    ),
    (_check_spots, _check_loops),
)  # fmt: skip
"""Checks that build upon each other: those of a group are made where nothing is wrong by the ones before."""
