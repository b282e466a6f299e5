"""porter doctor."""

from __future__ import annotations

import typer

from porter.cli import options


def command(json: options.Json = False) -> None:
    """Look for what porter needs on this machine: compilers, git, disk, indexes, environments.

    Exit code 3 when something needed is missing.

    \b
    Examples:
      porter doctor
      porter doctor --json
    """
    from porter.cli.common import progress
    from porter.errors import ExitCode
    from porter.model import Status
    from porter.stages import doctor

    console = progress(json)
    with console.stage("looking"):
        checks = doctor.examine()
    if json:
        import dataclasses
        import json as encoder

        console.write(encoder.dumps([dataclasses.asdict(check) for check in checks], indent=2))
    else:
        console.checks(checks)
    bad = any(check.status is Status.FAILED for check in checks)
    raise typer.Exit(ExitCode.ENVIRONMENT if bad else ExitCode.CLEAN)
