"""The commands of the flow: port, or one stage after another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli import options
from porter.cli.common import continued, finish, migrated, progress, takes, wheel
from porter.cli.options import BUILDING, INTERPRETERS, REWRITING, RUNNING, STEPS

if TYPE_CHECKING:
    from porter.stages.options import Options


@takes("target", *REWRITING, *RUNNING, *INTERPRETERS, *BUILDING, *STEPS)
def port(
    source: options.Source,
    chosen: Options,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Do not continue an interrupted run.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Analyze, migrate, build, verify and report, in one run.

    A run that was killed is continued where it stopped. Exit code 0 only when the verdict
    is PORTED and porter knows of nothing left.

    \b
    Examples:
      porter port https://github.com/owner/ops --target TARGET
      porter port pypi:torch-scatter==2.1.2 --target TARGET==VERSION --json
      porter port ./torch_sparse --with ./torch_scatter
      porter port ./ops --device cuda --target-python ~/gpu/bin/python
    """
    from porter.stages import everything, session

    console = progress(json)
    if fresh:
        run = session.begin(source, console)
    else:
        run = session.resume_or_begin(source, chosen, console)
    kept = everything.port(run, chosen, console)
    finish(kept, json, console, remains=everything.remains(kept))


@takes("target", "style", "jobs")
def analyze(
    source: options.Source,
    chosen: Options,
    fail_on_findings: Annotated[
        bool, typer.Option("--fail-on-findings", help="Exit with 1 when anything was found.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Say what a repository is, what is fine, what will be rewritten, what is missing.

    Nothing of the repository is executed. Exit code 0 if every file could be read.
    Of a wheel, an official one of torch's ecosystem, it says which symbols of torch its libraries
    need, and which of these the target's package has: exit code 0 if all.

    \b
    Examples:
      porter analyze ./flashinfer
      porter analyze torchcodec-0.13.0-cp311-cp311-manylinux_2_28_x86_64.whl
      porter analyze pypi:torch-scatter==2.1.2 --target TARGET==VERSION
      porter analyze https://github.com/owner/ops@v1.2#kernels --json
    """
    from porter.stages import analyze as stage
    from porter.stages import session

    console = progress(json)
    if source.endswith(".whl"):
        wheel(Path(source), chosen, json, console)
        return
    run = session.begin(source, console)
    kept = stage.analyze(run, chosen, console)
    unread = stage.unread(kept)
    found = fail_on_findings and (kept.analysis.findings or kept.missing)
    finish(kept, json, console, remains=bool(unread or found), only="analyze")


@takes("target", *REWRITING, "target_python", "no_build_isolation", *STEPS)
def migrate(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
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
    from porter.stages import everything
    from porter.stages import migrate as stage

    console = progress(json)
    kept = stage.migrate(continued(source, run, chosen, console, anew=True), chosen, console)
    finish(kept, json, console, remains=everything.leftovers(kept), only="migrate")


@takes("target", "device", *INTERPRETERS, *BUILDING, *STEPS)
def build(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
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
    from porter.stages import build as stage

    console = progress(json)
    kept = stage.build(migrated(source, run, chosen, console), chosen, console)
    finish(kept, json, console, remains=not stage.works(kept), only="build")


@takes("target", *RUNNING, *INTERPRETERS, "offline", *BUILDING, *STEPS)
def verify(
    source: options.OptionalSource = None,
    *,
    chosen: Options,
    run: options.RunId = None,
    json: options.Json = False,
) -> None:
    """Run the repository's tests and parity cases under both frameworks, and compare.

    Migrates and builds what is not yet; what failed is built again. Exit code 0 when the verdict
    is PORTED and porter knows of nothing left.

    \b
    Examples:
      porter verify
      porter verify --tests "pytest tests/test_ops.py -k forward"
      porter verify ./ops --parity my.parity.toml --json
      porter verify ./npu_ops --target TARGET --device emulated
    """
    from porter.stages import everything
    from porter.stages import verify as stage

    console = progress(json)
    kept = stage.verify(migrated(source, run, chosen, console), chosen, console)
    finish(kept, json, console, remains=everything.remains(kept), only="verify")
