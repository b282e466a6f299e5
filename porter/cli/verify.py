"""porter verify."""

from __future__ import annotations

from porter.cli import options


def command(
    source: options.OptionalSource = None,
    target: options.Target = None,
    device: options.Devices = None,
    tests: options.Tests = None,
    parity: options.Parity = None,
    source_python: options.SourcePython = None,
    target_python: options.TargetPython = None,
    no_build_isolation: options.NoBuildIsolation = False,
    offline: options.Offline = False,
    needed: options.With = None,
    prepare: options.Prepare = None,
    timeout: options.Timeout = 3600.0,
    sandbox: options.Sandbox = "auto",
    env: options.Env = None,
    jobs: options.Jobs = 0,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Run the repository's tests and parity cases under both frameworks, and compare.

    Migrates and builds what is not yet; what failed is built again. Exit code 0 when the verdict
    is PORTED and nothing remains.

    \b
    Examples:
      porter verify
      porter verify --tests "pytest tests/test_ops.py -k forward"
      porter verify ./ops --parity my.parity.toml --json
      porter verify ./npu_ops --target TARGET --device emulated
    """
    from porter.cli.common import choices, finish, migrated, progress
    from porter.stages import everything, verify

    chosen = choices(
        target=target,
        jobs=jobs,
        source_python=source_python,
        target_python=target_python,
        no_build_isolation=no_build_isolation,
        offline=offline,
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
    going_on = migrated(source, run, chosen, console)
    kept = verify.verify(going_on, chosen, console)
    finish(kept, json, console, remains=everything.remains(kept), only="verify")
