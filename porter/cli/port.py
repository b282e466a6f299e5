"""porter port."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli import options
from porter.cli.common import takes
from porter.cli.options import INTERPRETERS, REWRITING, STEPS

if TYPE_CHECKING:
    from porter.stages.options import Options


@takes(
    "target",
    *REWRITING,
    "device",
    "tests",
    "parity",
    *INTERPRETERS,
    "needed",
    "prepare",
    "timeout",
    *STEPS,
)
def command(
    source: options.Source,
    chosen: Options,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Do not continue an interrupted run.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Analyze, migrate, build, verify and report, in one run.

    A run that was killed is continued where it stopped. Exit code 0 only when the verdict
    is PORTED and nothing remains for a person.

    \b
    Examples:
      porter port https://github.com/owner/ops --target TARGET
      porter port pypi:torch-scatter==2.1.2 --target TARGET==VERSION --json
      porter port ./torch_sparse --with ./torch_scatter
      porter port ./ops --device cuda --target-python ~/gpu/bin/python
    """
    from porter.cli.common import finish, progress
    from porter.stages import everything, session

    console = progress(json)
    run = (
        session.begin(source, console)
        if fresh
        else session.resume_or_begin(source, chosen, console)
    )
    kept = everything.port(run, chosen, console)
    finish(kept, json, console, remains=everything.remains(kept))
