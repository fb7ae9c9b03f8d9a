"""Writes a game's score sheet as PDF for A4 paper.

It names the players and the result, every action by number, the comments, and shows the board at the end.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from babel.dates import format_date
from reportlab import rl_config
from reportlab.graphics.shapes import Drawing, Line, PolyLine
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    HRFlowable,
    Image,
    KeepTogether,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from companion.core.board import Board
from companion.core.local_time import local_time
from companion.core.players import say_player
from companion.language import ENGLISH, NamedPhrases, say, sentences, translated
from companion.record.record import Record
from companion.record.review import Turn, numbered, numbers, review, rounds, write_turn, written
from companion.record.session import ARBITER, Session
from companion.table.present import outcome_words
from web.drawing import chances
from web.drawing.board import frame
from web.drawing.diagrams import SIDE, draw_diagram
from web.drawing.raster_board import OWN, letters_of, of_many_scripts

rl_config.useA85 = 0  # as text a file is a quarter larger, and is written byte by byte
MARGIN, GAP, NUMBER, LABEL = 16 * mm, 8 * mm, 11 * mm, 22 * mm
WIDTH = A4[0] - 2 * MARGIN
SHORT_TURN = 18
"""The letters of a short turn. Where no turn is longer, two halves of a block stand side by side."""
LONGEST = 120
"""The letters of a name, a place or options that a sheet shows."""
FIRST, BLOCK = 50, 82
"""The rounds of a block with two halves: on the first page, below the head, and on any other page."""
DIAGRAM, CURVE = 84 * mm, 26 * mm
DASHES = (None, (4, 2), (1, 1.5), (6, 2, 1, 2))
"""The lines of further players, where there are more than two."""
LINE, SOFT, WHITE = HexColor("#b9a98c"), HexColor("#555555"), HexColor("#ffffff")
INK, WOOD = HexColor("#2a211a"), HexColor("#7d5a36")
EDGE = 7 * mm
"""The distance of the sheet's frame from the edge of the paper."""
PADDING = 2
"""The room before the words of a cell, and before the title: they stand in one line (points)."""
FRAME = 6
"""The room that ReportLab leaves before a paragraph and not before a table (points)."""
SERIF = Path(__file__).parent / "fonts" / "alegreya-700.ttf"
WIDE = "Sheet-Wide"
"""The font of names and remarks in other scripts."""
KOREAN, CHINESE = "HYSMyeongJo-Medium", "STSong-Light"
"""Fonts that readers of PDF bring along; the second one has Japan's letters, too."""
EASTERN = re.compile(
    "([\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]+)|[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+"
)
LEFTWARD = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+"
"""Letters of Hebrew and Arabic."""
LEFTWARD_WORDS = re.compile(f"{LEFTWARD}(?:[ .'-]+{LEFTWARD})*")
DETAILS: NamedPhrases = {
    "event": "Event",
    "round": "Round",
    "board": "Board",
    "place": "Place",
    "date": "Date",
    "clock": "Clock",
}


def pdf(record: Record, language: str = ENGLISH) -> bytes:
    """Returns the score sheet of a record, in a language."""
    session, out = record.session(), io.BytesIO()
    title = translated(session.rules.title, language)
    about = translated(say("{game}: score sheet", game=session.rules.title), language)
    sheet = SimpleDocTemplate(
        out, pagesize=A4, leftMargin=MARGIN, rightMargin=MARGIN, topMargin=MARGIN, bottomMargin=MARGIN,
        title=about, author="Board Companion", creator="Board Companion", invariant=1,
    )  # fmt: skip
    styles = _styles()
    top = Table(
        [[_head(record, session, language), _diagram(record, session)]],
        [WIDTH - DIAGRAM - GAP, DIAGRAM + GAP],
        style=[("VALIGN", (0, 0), (-1, -1), "TOP"), ("ALIGN", (1, 0), (1, 0), "RIGHT"), *_FLUSH],
    )  # fmt: skip
    story = [
        Paragraph(_text(title), styles["title"]),
        HRFlowable(width=WIDTH, thickness=0.8, color=WOOD, spaceBefore=0, spaceAfter=4 * mm),
        top,
        Spacer(0, 5 * mm),
        *_moves(session, language),
        *_chances(record, session, language),
        *_comments(record, session, language),
        KeepTogether(_signatures(session, language)),
    ]
    sheet.build(story, onFirstPage=_frame, onLaterPages=_frame)
    return out.getvalue()


@cache
def _styles() -> dict[str, Any]:
    for name, files in (("Sheet", OWN), (WIDE, of_many_scripts())):
        for font, file in zip((name, f"{name}-Bold"), files, strict=True):
            pdfmetrics.registerFont(TTFont(font, str(file)))
    pdfmetrics.registerFont(TTFont("Sheet-Serif", str(SERIF)))
    for name in (KOREAN, CHINESE):
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    text = ParagraphStyle("text", fontName="Sheet", fontSize=9.5, leading=12.5)
    return {
        "text": text,
        "bold": ParagraphStyle("bold", text, fontName="Sheet-Bold"),
        "soft": ParagraphStyle("soft", text, textColor=SOFT),
        "title": ParagraphStyle(
            "title", text, fontName="Sheet-Serif", fontSize=25, leading=30, leftIndent=PADDING - FRAME,
            textColor=INK, spaceAfter=2 * mm,
        ),
        "centre": ParagraphStyle("centre", text, alignment=1),
    }  # fmt: skip


def _day(seconds: float, language: str) -> str:
    """Returns the day of a time (s, Unix), as it was here."""
    return str(format_date(local_time(seconds).date(), "long", "en_GB" if language == ENGLISH else language))


def _head(record: Record, session: Session, language: str) -> Table:
    """Returns the table of players, result and occasion."""
    details = {
        "date": _day(record.began, language) if record.began else "",
        **{key: record.head[key] for key in DETAILS if record.head.get(key)},
    }
    options = " ".join(session.game.given)
    rows = [
        *((say_player(seat), record.head.get(seat, "")) for seat in session.players),
        (say("Result"), outcome_words(session.outcome) if session.outcome else say("not over")),
        *((say(words), details[key]) for key, words in DETAILS.items() if details.get(key)),
        *([(say("Options"), options)] if options else []),
    ]
    rows = translated(rows, language)
    cells = [[_cell(name, "soft"), _cell(_cut(value), "bold")] for name, value in rows]
    widths = [LABEL, WIDTH - DIAGRAM - GAP - LABEL]
    return Table(cells, widths, style=[*_TIGHT, ("LINEBELOW", (1, 0), (1, -1), 0.4, LINE)])


def _cut(words: str) -> str:
    """Returns words as far as they fit into the head of a sheet, which is on one page."""
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def _moves(session: Session, language: str) -> Iterator[Table]:
    """Yields tables with a numbered row for each round and a column for each seat.

    Where the turns are short, two halves of a table stand side by side.
    """
    found = [[translated(_say(session, turn), language) for turn in row] for row in rounds(session)]
    seats = [_cell(translated(say_player(seat), language), "bold") for seat in session.players]
    rows = [
        [_cell(f"{n}.", "soft"), *(_cell(said, "text") for said in row)]
        for n, row in enumerate(found, session.rules.first_number(session.first))
    ]
    longest = max((len(said) for row in found for said in row), default=0)
    if len(seats) > 2 or longest > SHORT_TURN or len(rows) < 2:
        yield _table([["", *seats], *rows], WIDTH, 1)
        return
    ends = [0, *range(FIRST, len(rows), BLOCK), len(rows)]
    for block in (rows[first:end] for first, end in pairwise(ends)):
        half = (len(block) + 1) // 2
        right = [*block[half:], *[[""] * (1 + len(seats))] * (2 * half - len(block))]
        pairs = [[*one, "", *other] for one, other in zip(block[:half], right, strict=True)]
        yield _table([["", *seats, "", "", *seats], *pairs], WIDTH, 2)


def _say(session: Session, turn: Turn) -> str:
    """Returns a turn as it is written, and whose correction it was."""
    if turn and session.plies[turn[0] - 1].entry.kind == "correction":
        return say("Arbiter: {turn}", turn=write_turn(session, turn))
    return write_turn(session, turn)


def _table(rows: list[list[Any]], width: float, sides: int) -> Table:
    seats = (len(rows[0]) - sides - (sides - 1)) // sides
    each = (width - (sides - 1) * GAP) / sides - NUMBER
    widths = [NUMBER, *[each / seats] * seats]
    style = [*_TIGHT, ("LINEBELOW", (0, 0), (-1, -1), 0.3, LINE), ("LINEBELOW", (0, 0), (-1, 0), 0.8, LINE)]
    if sides == 2:
        middle = (seats + 1, 0), (seats + 1, -1)
        style.append(("LINEBELOW", *middle, 1, WHITE))
        widths = [*widths, GAP, *widths]
    return Table(rows, widths, repeatRows=1, style=style, spaceAfter=3 * mm)


def _comments(record: Record, session: Session, language: str) -> Iterator[Paragraph]:
    """Yields the comments, each with the number of its round."""
    found = numbers(session)
    for n, step in enumerate(review(record, session)):
        for note in step.notes:
            about: str = say("The game")
            if step.ply:
                about = sentences(numbered(session, step.ply, found[n - 1]), written(step.ply))
            said = _text(note.text).replace("\n", "<br/>")
            author = say("Arbiter") if note.by == ARBITER else say_player(note.by)
            by = f" ({_text(translated(author, language))})" if note.by else ""
            yield Paragraph(
                f'<font name="Sheet-Bold">{_text(translated(about, language))}</font>{by}: {said}',
                _styles()["text"],
            )


def _chances(record: Record, session: Session, language: str) -> Iterator[Any]:
    """Yields the chances of winning as a curve, and the turns that gave most away, where these are known."""
    found = chances.read(record.head.get(chances.KEY, ""))
    if found is None:
        return
    players = ", ".join(translated([*map(say_player, chances.shown(session))], language))
    title = translated(say("Chance of winning: {players}", players=players), language)
    curve = _curves(found, session)
    said = (translated(words, language).replace("→", "–") for words in chances.say_points(found))
    lines = [_cell(words, "text") for words in said]
    yield KeepTogether([_cell(title, "bold"), Spacer(0, 2 * mm), curve, Spacer(0, 2 * mm), *lines])
    yield Spacer(0, 3 * mm)


def _curves(found: chances.Chances, session: Session) -> Drawing:
    """Draws the lines; that in the middle is an even game."""
    picture, steps = Drawing(WIDTH, CURVE), max(1, len(session.plies))
    for share in (0, 0.5, 1):
        picture.add(Line(0, share * CURVE, WIDTH, share * CURVE, strokeColor=LINE, strokeWidth=0.4))
    for player, dash in zip(chances.shown(session), DASHES, strict=False):
        points = [
            at
            for ply, mover, left in found.turns
            if mover == player or len(session.players) == 2
            for at in (WIDTH * ply / steps, CURVE * (left if mover == player else 1 - left))
        ]
        if len(points) >= 4:
            picture.add(PolyLine(points, strokeColor=WOOD, strokeWidth=1.1, strokeDashArray=dash))
    return picture


def _diagram(record: Record, session: Session) -> Image:
    width, height = _fit(record.game.board)
    picture = draw_diagram(record, session, len(session.plies), SIDE)
    return Image(io.BytesIO(picture), width=width, height=height)


def _fit(board: Board) -> tuple[float, float]:
    _, _, width, height = frame(board)
    scale = DIAGRAM / max(width, height)
    return width * scale, height * scale


def _signatures(session: Session, language: str) -> list[Any]:
    names = translated([*map(say_player, session.players), say("Arbiter")], language)
    width = (WIDTH + GAP) / len(names)
    cells = [part for name in names for part in (_cell(name, "centre"), "")]
    style = [("LINEABOVE", (n, 0), (n, 0), 0.4, LINE) for n in range(0, len(cells), 2)]
    return [Spacer(0, 18 * mm), Table([cells[:-1]], ([width - GAP, GAP] * len(names))[:-1], style=style)]


def _text(words: str) -> str:
    """Returns words as a paragraph has them: in a type of many scripts where the usual one lacks a letter.

    Symbols that neither has, as emoji, are left out: boxes would say nothing.
    """
    words = "".join(filter(_is_drawn, words))
    if letters_of(OWN[0]).issuperset(words.replace("\n", "")):
        return escape(words)
    text = EASTERN.sub(
        lambda run: f'<font name="{KOREAN if run[1] else CHINESE}">{run[0]}</font>', escape(words)
    )
    return f'<font name="{WIDE}">{text}</font>'


def _is_drawn(sign: str) -> bool:
    """Tells whether a sign is no symbol, or one that a font of the sheet has."""
    is_symbol = unicodedata.category(sign) in ("So", "Sk", "Cf")  # an emoji, a part of one, what joins them
    return not is_symbol or sign in letters_of(of_many_scripts()[0]) or bool(EASTERN.match(sign))


def _cell(words: str, style: str) -> Paragraph:
    """Returns words for a line or two. ReportLab draws all letters from left to right."""
    words = LEFTWARD_WORDS.sub(lambda run: run[0][::-1], words)
    return Paragraph(_text(words), _styles()[style])


def _frame(canvas: Any, sheet: Any) -> None:
    """Draws what every page has: a double frame, and the number of the page."""
    width, height = A4
    canvas.setStrokeColor(WOOD)
    for inside, line in ((0.0, 1.0), (1.1 * mm, 0.35)):
        edge = EDGE + inside
        canvas.setLineWidth(line)
        canvas.rect(edge, edge, width - 2 * edge, height - 2 * edge)
    canvas.setFont("Sheet", 8)
    canvas.setFillColor(SOFT)
    canvas.drawRightString(width - MARGIN, 10.5 * mm, str(sheet.page))


_TIGHT = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), PADDING),
    ("TOPPADDING", (0, 0), (-1, -1), 1.5), ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
]  # fmt: skip
_FLUSH = [("LEFTPADDING", (0, 0), (-1, -1), 0), ("RIGHTPADDING", (0, 0), (-1, -1), 0)]
