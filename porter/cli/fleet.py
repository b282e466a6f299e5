"""The command for many repositories, targets and devices at once."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from porter.cli import options
from porter.cli.common import progress
from porter.errors import ExitCode


def fleet(
    plan: Annotated[
        Path, typer.Argument(metavar="PLAN", help="A TOML file: repositories, targets, devices.")
    ],
    address: Annotated[
        str | None,
        typer.Option(
            "--address",
            metavar="ADDRESS",
            help="A cluster of Ray: auto, HOST:PORT or ray://HOST:PORT.",
            show_default="this machine, without Ray",
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where results are kept.")
    ] = Path("porter-fleet"),
    retries: Annotated[
        int,
        typer.Option(
            "--retries", metavar="N", help="How often the task of a lost worker is repeated.", min=0
        ),
    ] = 3,
    json: options.Json = False,
) -> None:
    """Port many repositories, to many targets and devices.

    Each repository, target and device is one `porter port` in a process of its own. A result is
    kept as soon as it is there: the command continues where it was stopped, and runs again only
    what changed. Writes fleet.html and fleet.json into FOLDER. Exit code 0 when every port ends
    with 0.

    \b
    Examples:
      porter fleet repos.toml
      porter fleet repos.toml --address auto
      porter fleet repos.toml -o results --json
    """
    from porter.fleet import cluster, local
    from porter.fleet import plan as plans
    from porter.fleet.drive import Folder, drive
    from porter.fleet.table import encode

    console = progress()
    with console.stage(f"read {plan}"):
        tasks = plans.read(plan)
    folder = Folder(output.absolute())
    if address is None:
        table = drive(tasks, folder, partial(local.execute, retries=retries), console.note)
    else:
        with cluster.connect(address) as ray:
            execute = partial(cluster.execute, ray, retries=retries)
            table = drive(tasks, folder, execute, console.note)
    if json:
        console.write(encode(table))
    else:
        for state, number in sorted(table.totals.items()):
            console.write(f"{state:8} {number}")
        console.note(f"table: {folder.page}")
    raise typer.Exit(ExitCode.CLEAN if table.is_clean else ExitCode.REMAINS)
