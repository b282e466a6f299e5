"""porter build."""

from __future__ import annotations

from porter.cli import options


def command(
    source: options.OptionalSource = None,
    target: options.Target = None,
    device: options.Devices = None,
    source_python: options.SourcePython = None,
    target_python: options.TargetPython = None,
    no_build_isolation: options.NoBuildIsolation = False,
    needed: options.With = None,
    prepare: options.Prepare = None,
    timeout: options.Timeout = 3600.0,
    sandbox: options.Sandbox = "auto",
    env: options.Env = None,
    jobs: options.Jobs = 0,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Build the tree under torch and the patched tree under both frameworks.

    Each in an environment of its own. What is not migrated yet is migrated first; what is built
    stays, what failed is built again.
    Exit code 0 when every build works.

    \b
    Examples:
      porter build
      porter build ./ops --target-python ~/gpu/bin/python --device cuda
    """
    from porter.cli.common import choices, finish, migrated, progress
    from porter.stages import build

    chosen = choices(
        target=target,
        jobs=jobs,
        source_python=source_python,
        target_python=target_python,
        no_build_isolation=no_build_isolation,
        needed=needed,
        prepare=prepare,
        timeout=timeout,
        devices=device,
        sandbox=sandbox,
        env=env,
    )
    console = progress(json)
    going_on = migrated(source, run, chosen, console)
    kept = build.build(going_on, chosen, console)
    finish(kept, json, console, remains=not build.works(kept), only="build")
