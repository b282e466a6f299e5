"""porter bundle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli import options
from porter.cli.common import takes

if TYPE_CHECKING:
    from porter.stages.options import Options


@takes("parity")
def command(
    source: options.OptionalSource = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="A new archive.")
    ] = Path("porter-bundle.tar.gz"),
    *,
    chosen: Options,
    run: options.RunId = None,
) -> None:
    """Pack a migrated run for a machine that has the device and no network.

    The archive holds the trees, the parity cases with what they give here on the CPU, porter
    itself, and `run.py`, which builds, tests and compares there with the interpreters it is
    given. What it writes comes back with `porter report --import`.

    \b
    Examples:
      porter bundle
      porter bundle ./ops -o ops-gpu.tar.gz
      python3 run.py --device cuda --target-python ~/gpu/bin/python   (there)
      porter report --import result.tar.gz
    """
    from porter.cli.common import progress
    from porter.errors import UsageError
    from porter.stages import bundle, session

    console = progress(json=False)
    found = session.open_run(source, run, console, migrated=True)
    if found is None:
        raise UsageError("no run to pack", hint="start with `porter port SOURCE`")
    bundle.pack(found, output, chosen, console)
    console.note(f"written: {output}")
