"""porter port."""

from __future__ import annotations

from typing import Annotated

import typer

from porter.cli import options


def command(
    source: options.Source,
    target: options.Target = None,
    style: options.Style = None,
    route: options.Route = None,
    review: options.Review = False,
    notebooks: options.Notebooks = False,
    no_compiler: options.NoCompiler = False,
    device: options.Devices = None,
    tests: options.Tests = None,
    parity: options.Parity = None,
    source_python: options.SourcePython = None,
    target_python: options.TargetPython = None,
    no_build_isolation: options.NoBuildIsolation = False,
    needed: options.With = None,
    prepare: options.Prepare = None,
    timeout: options.Timeout = 3600.0,
    sandbox: options.Sandbox = "auto",
    env: options.Env = None,
    jobs: options.Jobs = 0,
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
    from porter.cli.common import choices, finish, progress
    from porter.stages import everything, session

    chosen = choices(
        target=target,
        style=style,
        route=route,
        review=review,
        notebooks=notebooks,
        no_compiler=no_compiler,
        jobs=jobs,
        source_python=source_python,
        target_python=target_python,
        no_build_isolation=no_build_isolation,
        needed=needed,
        prepare=prepare,
        timeout=timeout,
        tests=tests,
        parity=parity,
        devices=device,
        sandbox=sandbox,
        env=env,
    )
    console = progress(json)
    run = (
        session.begin(source, console)
        if fresh
        else session.resume_or_begin(source, chosen, console)
    )
    kept = everything.port(run, chosen, console)
    finish(kept, json, console, remains=everything.remains(kept))
