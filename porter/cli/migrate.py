"""porter migrate."""

from __future__ import annotations

from porter.cli import options


def command(
    source: options.OptionalSource = None,
    target: options.Target = None,
    style: options.Style = None,
    route: options.Route = None,
    review: options.Review = False,
    notebooks: options.Notebooks = False,
    no_compiler: options.NoCompiler = False,
    target_python: options.TargetPython = None,
    no_build_isolation: options.NoBuildIsolation = False,
    sandbox: options.Sandbox = "auto",
    env: options.Env = None,
    jobs: options.Jobs = 0,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Rewrite what the target lacks, until nothing changes, and write the patch.

    Works on a copy; your tree is not touched (`porter patch --apply` does that, on a branch).
    For C++ and CUDA a compiler says, in the target's environment, which polyfills are needed; for
    its flags the repository's setup.py or CMake files are run, in a sandbox where there is one.
    With --no-compiler nothing of the repository is run.

    \b
    Examples:
      porter migrate --target TARGET
      porter migrate ./ops --style fork
      porter migrate --review --json
      porter migrate ./ops --no-compiler
      porter migrate ./npu_ops --target TARGET --route aclnn
    """
    from porter.cli.common import choices, continued, finish, progress
    from porter.stages import everything, migrate

    chosen = choices(
        target=target,
        style=style,
        route=route,
        review=review,
        notebooks=notebooks,
        no_compiler=no_compiler,
        target_python=target_python,
        no_build_isolation=no_build_isolation,
        jobs=jobs,
        sandbox=sandbox,
        env=env,
    )
    console = progress(json)
    kept = migrate.migrate(continued(source, run, chosen, console, anew=True), chosen, console)
    finish(kept, json, console, remains=everything.leftovers(kept), only="migrate")
