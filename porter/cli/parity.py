"""porter parity."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from porter.cli import options

app = typer.Typer(
    help="Operator calls under both frameworks with the same inputs, compared.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("run")
def run(
    source: options.OptionalSource = None,
    target: options.Target = None,
    device: options.Devices = None,
    cases: options.Parity = None,
    only: Annotated[
        str, typer.Option("-k", help='Cases whose names hold these words: "norm and not float16".')
    ] = "",
    source_python: options.SourcePython = None,
    target_python: options.TargetPython = None,
    no_build_isolation: options.NoBuildIsolation = False,
    needed: options.With = None,
    jobs: options.Jobs = 0,
    run: options.RunId = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML, too.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Run parity cases only, and show how far each is from its tolerance.

    Builds what it needs; the verdict of the run stays as `porter verify` left it. Exit code 0
    when every case agrees.

    \b
    Examples:
      porter parity run
      porter parity run ./ops -k "rms_norm and float16"
      porter parity run ./ops --parity more.toml --junit parity.xml
    """
    from porter.cli.common import choices, continued, progress, write_file
    from porter.errors import ExitCode
    from porter.model import Status
    from porter.report import parity as report
    from porter.stages import verify

    chosen = choices(
        target=target,
        jobs=jobs,
        source_python=source_python,
        target_python=target_python,
        no_build_isolation=no_build_isolation,
        needed=needed,
        parity=cases,
        devices=device,
    )
    console = progress(json)
    results = verify.parity_only(continued(source, run, chosen, console), chosen, console, only)
    if junit is not None:
        write_file(junit, report.junit(results), console)
    if json:
        console.write(report.encode(results))
    else:
        console.show(*report.render(results))
    agree = all(result.status is Status.OK for result in results)
    raise typer.Exit(ExitCode.CLEAN if agree else ExitCode.REMAINS)
