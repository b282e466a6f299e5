"""porter surface."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from porter.cli import options

app = typer.Typer(
    help="What a version of a framework offers, as data.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("capture")
def capture(
    python: Annotated[
        Path, typer.Option("--python", metavar="PYTHON", help="The interpreter that has it.")
    ],
    package: Annotated[
        str | None,
        typer.Option(
            "--package", metavar="NAME", help="torch or a target.", show_default=options.DEFAULT
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file; default: porter's own data.")
    ] = None,
) -> None:
    """Capture the surface of an installed framework: your own build, a nightly, a GPU build.

    Without --output it is kept in porter's data and stands for that version from then on.

    \b
    Examples:
      porter surface capture --python ~/gpu/bin/python
      porter surface capture --python .venv-torch/bin/python --package torch -o torch.json
    """
    from porter import targets
    from porter.cli.common import progress
    from porter.surface import capture as capturing
    from porter.surface import load

    console = progress(json=False)
    package = package or targets.DEFAULT
    with console.stage(f"capturing the surface of {package}"):
        surface = capturing.capture(python.absolute(), package, on_line=console.line)
    path = output or load.own(surface.package, surface.version)
    load.save(surface, path)
    names = len(surface.python) + len(surface.cpp)
    console.note(f"{surface.package} {surface.version} ({surface.build}): {names} names in {path}")
