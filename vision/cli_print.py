"""`companion print`: sheets as PDF files."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.output import write_content
from vision.finding.marker_sheet import SheetError, marker_sheet


@click.command("print")
@click.argument("what", type=click.Choice(["markers"]))
@click.option("--size", "size_mm", type=float, default=30.0, show_default=True, help="Side of a marker, mm.")
@click.option("-o", "--output", help="The PDF file to write; default markers.pdf.")
def print_(what: str, size_mm: float, output: str | None) -> None:
    """Write a sheet to print: four markers for the board's corners."""
    path = Path(output or f"{what}.pdf")
    try:
        sheet = marker_sheet(size_mm)
    except SheetError as error:
        raise click.UsageError(str(error)) from error
    write_content(sheet, path)
    click.echo(f"{path}: print it at 100 % on A4, without fitting to the page")
