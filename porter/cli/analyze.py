"""porter analyze."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli import options
from porter.cli.common import takes

if TYPE_CHECKING:
    from porter.stages.options import Options


@takes("target", "style", "jobs")
def command(
    source: options.Source,
    chosen: Options,
    fail_on_findings: Annotated[
        bool, typer.Option("--fail-on-findings", help="Exit with 1 when anything was found.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Say what a repository is, what is fine, what will be rewritten, what is missing.

    Nothing of the repository is executed. Exit code 0 if every file could be read.

    \b
    Examples:
      porter analyze ./flashinfer
      porter analyze pypi:torch-scatter==2.1.2 --target TARGET==VERSION
      porter analyze https://github.com/owner/ops@v1.2#kernels --json
    """
    from porter.cli.common import finish, progress
    from porter.stages import analyze, session

    console = progress(json)
    run = session.begin(source, console)
    kept = analyze.analyze(run, chosen, console)
    unread = analyze.unread(kept)
    found = fail_on_findings and (kept.analysis.findings or kept.missing)
    finish(kept, json, console, remains=bool(unread or found), only="analyze")
