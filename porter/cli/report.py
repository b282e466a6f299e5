"""porter report."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from porter.cli import options


class Format(StrEnum):
    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def command(
    source: options.OptionalSource = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="How to write it.")] = Format.TEXT,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file to write.")] = None,
    imported: Annotated[
        Path | None,
        typer.Option(
            "--import", metavar="RESULT", help="Of a bundle: result.tar.gz of its run.py."
        ),
    ] = None,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Show what is known of the latest run: for people, for a pull request, for programs.

    \b
    Examples:
      porter report
      porter report --format markdown -o pr.md
      porter report --run 20261121 --json
      porter report --import result.tar.gz
    """
    from porter.cli.common import finish, progress, write_file
    from porter.errors import UsageError
    from porter.report.markdown import markdown
    from porter.stages import bundle, everything, session
    from porter.stages.options import Options

    console = progress(json)
    found = session.open_run(source, run, console)
    if found is None:
        raise UsageError("no run to report on", hint="start with `porter analyze SOURCE`")
    kept = bundle.bring(found, imported, Options()) if imported else found.load()
    if form is Format.MARKDOWN or output is not None:
        from porter.report.json import encode

        text = encode(kept) if form is Format.JSON or json else markdown(kept)
        if output is None:
            console.write(text)
        else:
            write_file(output, text, console)
        raise typer.Exit(everything.remains(kept))
    finish(kept, json or form is Format.JSON, console, remains=everything.remains(kept))
